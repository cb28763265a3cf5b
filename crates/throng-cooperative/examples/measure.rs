use std::time::Instant;
use throng_cooperative::*;
use throng_model::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (map, units, spec) = (&a[1], a[2].parse::<usize>().unwrap(), &a[3]);
    let moves8 = a.get(4).is_some_and(|m| m == "8");
    let base = "/work/shared/bench";
    let find = |sub: &str, name: &str| -> Vec<u8> {
        let out = std::process::Command::new("find").args([base, "-name", name]).output().unwrap();
        let t = String::from_utf8(out.stdout).unwrap();
        let p = t.lines().find(|l| l.contains(sub)).unwrap_or_else(|| panic!("{name}"));
        std::fs::read(p).unwrap()
    };
    let m =
        throng_formats::map::read(&find("", &format!("{map}.map")), Default::default()).unwrap();
    let mut times = vec![];
    for k in 1..=10 {
        let out = std::process::Command::new("find")
            .args([base, "-name", &format!("{map}-random-{k}.scen")])
            .output()
            .unwrap();
        if out.stdout.is_empty() {
            continue;
        }
        let scen =
            throng_formats::scen::read(&find("", &format!("{map}-random-{k}.scen"))).unwrap();
        let us: Vec<Unit> =
            scen.rows.iter().take(units).map(|e| Unit::new(e.start, e.goal)).collect();
        let mv = if moves8 { Movement::eight_connected() } else { Movement::four_connected() };
        let p = Problem::new(m.clone(), mv, us).validate().unwrap();
        let planner: Box<dyn Planner> = match spec.split(',').next().unwrap() {
            "hca" => Box::new(CooperativeAStar {
                order: match spec.split(',').nth(1) {
                    Some("given") => Order::Given,
                    Some("random") => Order::Random,
                    _ => Order::LongestFirst,
                },
                ..CooperativeAStar::hca()
            }),
            "hcao" => Box::new(CooperativeAStar {
                arrival: Arrival::Obstacle,
                turns: 300,
                ..CooperativeAStar::hca()
            }),
            "cao" => Box::new(CooperativeAStar {
                arrival: Arrival::Obstacle,
                turns: 300,
                ..CooperativeAStar::ca()
            }),
            "ca" => Box::new(CooperativeAStar::ca()),
            "lra" => Box::new(LocalRepair::default()),
            _ => Box::new(Windowed {
                window: spec.split(',').nth(1).map_or(16, |w| w.parse().unwrap()),
                crew: CrewOptions {
                    toll_max: std::env::var("TOLL").map_or(4, |t| t.parse().unwrap()),
                    resting_yield: std::env::var("YIELD").is_ok(),
                    ..CrewOptions::default()
                },
                order: match spec.split(',').nth(2) {
                    Some("given") => Order::Given,
                    Some("random") => Order::Random,
                    _ => Order::LongestFirst,
                },
                ..Windowed::default()
            }),
        };
        let t = Instant::now();
        let r = planner.plan(&p, 1, Budget::unlimited(), &mut Silent);
        let ms = t.elapsed().as_secs_f64() * 1e3;
        times.push(ms);
        match &r.outcome {
            Outcome::Solved(s) => {
                let v = throng_referee::check(&p, &s.plan);
                println!(
                    "{k}: solved soc {} bound {} ratio {:.3} {ms:.2} ms valid {} expanded {}",
                    v.sum_of_costs,
                    s.proven_bound,
                    v.sum_of_costs as f64 / s.proven_bound as f64,
                    v.is_valid(),
                    r.expanded
                );
                if !v.is_valid() {
                    println!("{}", v.violations[0]);
                }
            }
            Outcome::Partial { plan, arrived } => {
                let v = throng_referee::check(&p, plan);
                println!(
                    "{k}: PARTIAL {arrived} {ms:.2} ms legal {} expanded {}",
                    v.is_legal(),
                    r.expanded
                );
                if !v.is_legal() {
                    println!(
                        "{}",
                        v.violations
                            .iter()
                            .find(|v| v.kind != throng_referee::ViolationKind::Goal)
                            .unwrap()
                    );
                }
            }
            o => println!("{k}: {o:?}"),
        }
    }
    times.sort_by(f64::total_cmp);
    println!("median {:.2} ms", times[times.len() / 2]);
}
