//! `docs/game-needs.md` names tests that exist.

const NEEDS: &str = include_str!("../../../../docs/game-needs.md");

const FILES: [(&str, &str); 17] = [
    ("buildings", include_str!("buildings.rs")),
    ("formations", include_str!("formations.rs")),
    ("groups", include_str!("groups.rs")),
    ("identity", include_str!("identity.rs")),
    ("layers", include_str!("layers.rs")),
    ("links", include_str!("links.rs")),
    ("map_commands", include_str!("map_commands.rs")),
    ("orders", include_str!("orders.rs")),
    ("queries", include_str!("queries.rs")),
    ("replays", include_str!("replays.rs")),
    ("safety", include_str!("safety.rs")),
    ("snapshots", include_str!("snapshots.rs")),
    ("speeds", include_str!("speeds.rs")),
    ("standing", include_str!("standing.rs")),
    ("teams", include_str!("teams.rs")),
    ("tracking", include_str!("tracking.rs")),
    ("why", include_str!("why.rs")),
];

#[test]
fn every_test_of_the_table_exists() {
    let mut tests = 0;
    for line in NEEDS.lines().filter(|line| line.starts_with("| ")) {
        let last = line.trim_end_matches('|').rsplit('|').next().unwrap();
        for name in last.split('`').skip(1).step_by(2) {
            let (file, test) = name.split_once("::").unwrap();
            let text = FILES.iter().find(|(known, _)| *known == file).unwrap().1;
            assert!(text.contains(&format!("#[test]\nfn {test}() {{")), "{name}");
            tests += 1;
        }
    }
    assert!(tests > 50, "{tests}");
}
