//! Players and workloads after Lanctot et al.: logs, games, interest maps, extraction.

use std::sync::LazyLock;

use proptest::prelude::*;
use throng::scene::Location;
use throng_lab::lanctot::{
    self, Action, Configuration, Ending, Event, GAMES, Game, GameLog, GameOptions, HEADER,
    InterestMap, Query, Setting, TownRoutes, extracted, modeled, modeled_locations, play, random,
};
use throng_lab::{Experiment, Options, Row, Value, Verdict};
use throng_scene::{CollisionMeter, GateKind, GhostOptions, Level, Point, ValidScene, town};

static TOWN: LazyLock<ValidScene> = LazyLock::new(|| town(1).validate().unwrap());

/// A game of a minute with eager players.
static GAME: LazyLock<Game> = LazyLock::new(|| minute(7));

fn minute(seed: u64) -> Game {
    with_routes(|routes| {
        play(routes, &GameOptions { ticks: 600, orbs: 40, seed, ..GAMES[4] }).unwrap()
    })
}

fn with_routes<T>(work: impl FnOnce(&TownRoutes<'_>) -> T) -> T {
    let meter = CollisionMeter::new();
    work(&TownRoutes::new(&TOWN, GhostOptions::default(), &meter).unwrap())
}

fn at(x: f64, y: f64, level: u8) -> Location {
    Location::new(Point::new(x, y), Level(level))
}

fn event(time_ms: u64, player: u32, location: Location, to: Option<Point>) -> Event {
    let action = to.map_or(Action::MoveUpdate, Action::SetDestination);
    Event { time_ms, player, location, action }
}

fn log_of(events: impl IntoIterator<Item = Event>) -> GameLog {
    let mut log = GameLog::default();
    events.into_iter().for_each(|event| log.push(event).unwrap());
    log
}

#[test]
fn a_game_ends_when_a_team_wins_or_the_time_is_up() {
    let ending = |orbs_to_win| {
        let options = GameOptions { ticks: 600, orbs: 40, seed: 7, orbs_to_win, ..GAMES[4] };
        with_routes(|routes| play(routes, &options).unwrap())
    };
    let (timed, won) = (ending(None), ending(Some(2)));
    let most = timed.scores.iter().map(|score| score.delivered).max().unwrap();
    let best = timed.scores.iter().filter(|score| score.delivered == most).count();
    let Ending::TimeUp { leader } = timed.ending else { panic!("{:?}", timed.ending) };
    assert_eq!(leader.is_some(), best == 1 && most > 0);
    assert!(leader.is_none_or(|team| timed.scores[team].delivered == most));
    let Ending::Won { team, time_ms } = won.ending else { panic!("{:?}", won.ending) };
    assert!(won.log.duration_ms() <= time_ms && time_ms <= 60_000);
    for (number, score) in won.scores.iter().enumerate() {
        assert_eq!(score.delivered >= 2, number == team, "{:?}", won.scores);
    }
    // The same game until then.
    let events = won.log.events();
    assert_eq!(events, &timed.log.events()[..events.len()]);
}

#[test]
fn teams_share_the_players_and_more_players_start_anywhere() {
    for (players, teams, expected) in [(24, 6, 6), (7, 3, 3), (40, 2, 2), (1, 1, 1)] {
        let options = GameOptions { ticks: 100, players, teams, ..GAMES[4] };
        let game = with_routes(|routes| play(routes, &options).unwrap());
        assert_eq!(game.scores.len(), expected);
        let most = game.log.events().iter().map(|event| event.player).max().unwrap();
        assert!(most < players && most + 2 >= players, "{most} of {players}");
    }
}

/// After every event of a game with bodies, no two players overlap.
#[test]
fn players_that_are_obstacles_never_overlap() {
    let options = GameOptions { ticks: 900, bodies_block: true, seed: 3, ..GAMES[4] };
    let game = with_routes(|routes| play(routes, &options).unwrap());
    let starts = TOWN.players().iter().map(|player| Location::new(player.at, player.level));
    let mut players: Vec<Location> = starts.collect();
    let (mut meetings, mut moved) = (0, 0.0);
    for event in game.log.events().iter().filter(|e| e.action == Action::MoveUpdate) {
        let number = event.player as usize;
        moved += players[number].at.distance(event.location.at);
        players[number] = event.location;
        for (other, location) in players.iter().enumerate().filter(|(other, _)| *other != number) {
            let distance = location.at.distance(event.location.at);
            let is_apart = location.level != event.location.level || distance >= 0.24 - 1e-9;
            assert!(is_apart, "{} ms: {number} and {other}", event.time_ms);
            meetings += u32::from(distance < 0.3);
        }
    }
    assert!(meetings > 20, "{meetings}");
    // Nobody blocks the game: players walk nearly as far as without bodies.
    let alone = GameOptions { bodies_block: false, ..options };
    let alone = with_routes(|routes| play(routes, &alone).unwrap());
    let updates = alone.log.move_updates();
    assert!(
        game.log.move_updates() * 10 >= updates * 7,
        "{} of {updates}",
        game.log.move_updates()
    );
    assert!(moved > 0.0);
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        events in proptest::collection::vec(
            (0_u64..500, 0_u32..100_000, -1e4..1e4, -1e4..1e4, 0_u8..32, any::<bool>()), 0..50)
    ) {
        let mut time_ms = 0;
        let log = log_of(events.into_iter().map(|(after, player, x, y, level, is_click)| {
            time_ms += after;
            event(time_ms, player, at(x, y, level), is_click.then(|| Point::new(y / 3.0, x)))
        }));
        prop_assert_eq!(GameLog::read(&log.write()), Ok(log));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,80}") {
        let _ = GameLog::read(&text);
        let _ = GameLog::read(&format!("{HEADER}\n{text}"));
    }

    #[test]
    fn transformations_do_as_their_formulas_say(
        visits in proptest::collection::vec((0_u32..9, 0_u32..7), 1..60), reach in 1_u32..4
    ) {
        let mut map = InterestMap::new(9.0, 7.0, 1.0);
        for (x, y) in visits {
            map.visit(Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
        }
        let blurred = naive(&map, |_, near| {
            let near: Vec<f64> = near.filter(|(dx, dy, _)| dx.max(dy) <= &1).map(|n| n.2).collect();
            near.iter().sum::<f64>() / near.len() as f64
        });
        agree(&map.blurred(), &blurred);
        let localised = naive(&map, |own, near| {
            let distance = |dx: u32, dy: u32| f64::from(dx * dx + dy * dy).sqrt();
            let others = near.filter(|(dx, dy, _)| dx + dy > 0);
            let others = others.filter(|(dx, dy, _)| distance(*dx, *dy) <= f64::from(reach));
            own + others.map(|(dx, dy, grade)| grade / distance(dx, dy)).sum::<f64>()
        });
        agree(&map.localised(reach), &localised);
        let other = map.blurred();
        let average = InterestMap::average(&[map.clone(), other.clone()]).unwrap();
        let cells = (0..63).map(|i| (map.grade(i % 9, i / 9) + other.grade(i % 9, i / 9)) / 2.0);
        agree(&average, &normalised(cells.collect()));
    }
}

/// A transformation by its formula: from the grade of a cell and from all cells as distances
/// along both axes and grades. Slow, and normalised.
fn naive(
    map: &InterestMap,
    formula: impl Fn(f64, &mut dyn Iterator<Item = (u32, u32, f64)>) -> f64,
) -> Vec<f64> {
    let cells = (0..map.rows()).flat_map(|y| (0..map.columns()).map(move |x| (x, y)));
    let cells: Vec<(u32, u32)> = cells.collect();
    let grade = |&(x, y): &(u32, u32)| {
        let mut near = cells.iter().map(|&(c, r)| (c.abs_diff(x), r.abs_diff(y), map.grade(c, r)));
        formula(map.grade(x, y), &mut near)
    };
    normalised(cells.iter().map(grade).collect())
}

fn normalised(grades: Vec<f64>) -> Vec<f64> {
    let highest = grades.iter().copied().fold(0.0, f64::max);
    grades.into_iter().map(|grade| grade / highest).collect()
}

fn agree(map: &InterestMap, expected: &[f64]) {
    for (index, expected) in (0..).zip(expected) {
        let grade = map.grade(index % map.columns(), index / map.columns());
        assert!((grade - expected).abs() < 1e-12, "cell {index}: {grade}, not {expected}");
    }
}

#[test]
fn malformed_lines_are_named() {
    let check = |line: &str, expected: &str| {
        let text = format!("# a comment\n{HEADER}\n\n100,MV,0,1,1,0,,\n{line}\n");
        assert_eq!(GameLog::read(&text).unwrap_err().to_string(), format!("line 5: {expected}"));
    };
    check("100,MV,0,1,1,0", &format!("6 fields instead of 8: {HEADER}"));
    check("1e2,MV,0,1,1,0,,", "time_ms is \"1e2\": give whole milliseconds");
    check("99,MV,0,1,1,0,,", "99 ms comes after 100 ms: sort the events by time");
    check("100,XX,0,1,1,0,,", "action is \"XX\": give MV or SD");
    check("100,MV,-1,1,1,0,,", "player is \"-1\": give a number below 100000");
    check("100,MV,0,NaN,1,0,,", "x is \"NaN\": give units, at most 10000");
    check("100,MV,0,1,inf,0,,", "y is \"inf\": give units, at most 10000");
    check("100,MV,0,1,1,32,,", "level is \"32\": give a level from 0 to 31");
    check("100,MV,0,1,1,0,3,", "to_x is \"3\": give nothing: the action is MV");
    check("100,SD,0,1,1,0,3,", "to_y is \"\": give units, at most 10000");
    for text in ["", "\n", "100,MV,0,1,1,0,,"] {
        let message = GameLog::read(text).unwrap_err().to_string();
        assert_eq!(message, format!("line 1: a log begins with the line \"{HEADER}\""));
    }
}

#[test]
fn nobody_is_ever_in_a_wall() {
    let radius = GhostOptions::default().radius;
    for Event { location: Location { at: point, level }, time_ms, player, .. } in GAME.log.events()
    {
        assert!(TOWN.bounds().grown(-radius).contains(*point), "{player} at {time_ms} ms");
        for (_, obstacle) in TOWN.obstacles().filter(|(_, obstacle)| obstacle.level == *level) {
            assert!(!obstacle.polygon.contains(*point), "{player} at {time_ms} ms");
            let corners = obstacle.polygon.corners();
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let distance = distance_to_edge(*point, *a, *b);
                assert!(distance >= radius - 1e-9, "{player} at {time_ms} ms: {distance}");
            }
        }
    }
}

fn distance_to_edge(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let share = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
    let share = share.clamp(0.0, 1.0);
    p.distance(Point::new(a.x + share * dx, a.y + share * dy))
}

#[test]
fn players_move_in_small_steps_and_change_levels_on_stairs_alone() {
    for player in 0..24 {
        let mut before: Option<Location> = None;
        for event in GAME.log.events().iter().filter(|event| event.player == player) {
            if let Some(before) = before.replace(event.location) {
                let step = before.at.distance(event.location.at);
                let is_climb = before.level != event.location.level;
                assert!(step <= 0.15 + 1e-9 || is_climb, "{player} at {} ms", event.time_ms);
                assert!(!is_climb || is_stairs(before, event.location), "{player}");
            }
        }
        assert!(before.is_some(), "{player} never did anything");
    }
}

fn is_stairs(a: Location, b: Location) -> bool {
    let side = |location: Location| (location.at, location.level);
    TOWN.gates().iter().any(|gate| {
        let ends = gate.sides.map(|end| (end.at, end.level));
        ends == [side(a), side(b)] || ends == [side(b), side(a)]
    })
}

#[test]
fn a_game_is_played_by_all() {
    let times: Vec<u64> = GAME.log.events().iter().map(|event| event.time_ms).collect();
    assert!(times.is_sorted());
    assert!(times.iter().all(|time| time % 100 == 0 && *time <= 60_000));
    assert!(GAME.scores.iter().all(|score| score.gathered > 0), "{:?}", GAME.scores);
    assert!(GAME.scores.iter().all(|score| score.delivered <= score.gathered));
    assert!(GAME.scores.iter().any(|score| score.tags > 0));
    assert!(GAME.log.events().iter().any(|event| event.location.level > Level::GROUND));
    for player in 0..24 {
        let moves = GAME.log.events().iter().filter(|event| event.player == player);
        let moves = moves.filter(|event| event.action == Action::MoveUpdate).count();
        assert!(moves > 200, "{player} moves {moves} times in 600 ticks");
    }
}

#[test]
fn the_seed_decides_the_game() {
    assert_eq!(minute(7), *GAME);
    assert_ne!(minute(8).log, GAME.log);
    let fingerprint = GAME.log.write().bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let counts = (GAME.log.move_updates(), GAME.log.set_destinations());
    assert_eq!((counts, fingerprint), GOLDEN);
}

const GOLDEN: ((usize, usize), u64) = ((12_187, 3802), 4_760_554_404_322_623_600);

#[test]
fn interest_points_keep_their_distance() {
    let map = InterestMap::new(30.0, 30.0, 0.25).graded(&GAME.log, Level::GROUND);
    let points = map.blurred().localised(4).points(20, 1.5, |point| point.x > 5.0);
    assert_eq!(points.len(), 20);
    for (index, point) in points.iter().enumerate() {
        assert!(point.x > 5.0);
        assert!(points[..index].iter().all(|other| other.distance(*point) >= 1.5));
    }
    assert_eq!(InterestMap::new(3.0, 3.0, 1.0).points(5, 0.0, |_| true), []);
}

#[test]
fn maps_of_other_sizes_have_no_average() {
    let maps = [InterestMap::new(3.0, 3.0, 1.0), InterestMap::new(3.0, 4.0, 1.0)];
    assert_eq!(InterestMap::average(&maps), None);
    assert_eq!(InterestMap::average(&[]), None);
}

#[test]
fn stops_are_where_the_interval_exceeds_the_threshold() {
    // Intervals of player 0: 100 but for three of 900. Mean 256, deviation 317: T = 574.
    let times = [0, 100, 200, 1100, 1200, 1300, 2200, 2300, 2400, 2500, 3400, 3500, 3600, 3700];
    let moves = times.iter().zip(0_u8..);
    let first = moves.map(|(time, i)| event(*time, 0, at(f64::from(i), 1.0, 0), None));
    let way = |a: f64, b: f64| Query { from: at(a, 1.0, 0), to: at(b, 1.0, 0) };
    let log = log_of(first);
    assert_eq!(extracted(&log, 1.0), [way(2.0, 5.0), way(5.0, 9.0)]);
    assert_eq!(extracted(&log, 3.0), []);
    // Another player in between changes nothing, nor do clicks.
    let mut events = log.events().to_vec();
    events.extend((0..37).map(|i| event(i * 100, 1, at(3.0, 3.0, 0), None)));
    events.extend((0..37).map(|i| event(i * 100, 0, at(9.0, 9.0, 0), Some(Point::new(1.0, 1.0)))));
    events.sort_by_key(|event| event.time_ms);
    assert_eq!(extracted(&log_of(events), 1.0), [way(2.0, 5.0), way(5.0, 9.0)]);
    assert_eq!(extracted(&GameLog::default(), 1.0), []);
}

#[test]
fn journeys_go_on_where_they_were() {
    with_routes(|routes| {
        let interest = [Point::new(1.0, 1.0), Point::new(2.0, 1.0)];
        let locations = modeled_locations(routes, &interest, 5, 3);
        assert_eq!(locations.len(), 7);
        for journey in [random(routes, 50, 3), modeled(&locations, 50, 3)] {
            assert_eq!(journey.len(), 50);
            assert!(journey.windows(2).all(|pair| pair[0].to == pair[1].from));
            assert!(journey.iter().all(|query| query.from != query.to));
        }
        let all_free = random(routes, 50, 3)
            .iter()
            .all(|query| routes.ghost().is_free(query.to.at, query.to.level));
        assert!(all_free);
        assert_eq!(modeled(&locations[..1], 50, 3), []);
        assert_eq!(modeled(&[], 50, 3), []);
    });
}

#[test]
fn a_sample_keeps_the_order() {
    let queries: Vec<Query> = (0..100_u8)
        .map(|i| Query { from: at(0.0, 0.0, 0), to: at(f64::from(i), 0.0, 0) })
        .collect();
    let sample = lanctot::sample(&queries, 10, 1);
    assert_eq!(sample.len(), 10);
    assert!(sample.is_sorted_by(|a, b| a.to.at.x < b.to.at.x));
    assert_eq!(lanctot::sample(&queries, 1000, 1), queries);
}

#[test]
fn logs_that_were_written_can_be_used_instead() {
    let log = GameLog::read(&GAME.log.write()).unwrap();
    assert_eq!(log, GAME.log);
    let read = Setting::of_logs(TOWN.clone(), vec![log], 1).unwrap();
    let played = Setting::of_logs(TOWN.clone(), vec![GAME.log.clone()], 1).unwrap();
    assert_eq!(read.points, played.points);
    assert_eq!(read.workloads, played.workloads);
    assert_eq!(read.points.len(), 30);
    assert!(read.workloads.iter().all(|(_, queries)| queries.len() >= 20));
    // A log from another world: ways that are no ways in the town are left out.
    let elsewhere = log_of((0..50).map(|i| event(i * i * 10, 0, at(-5.0, 99.0, 3), None)));
    assert_eq!(Setting::of_logs(TOWN.clone(), vec![elsewhere], 1).unwrap().ways, []);
}

#[test]
fn the_judge_refuses_walks_that_nobody_can_walk() {
    let gate = TOWN.gates().iter().find(|gate| gate.kind == GateKind::Stairs).unwrap();
    let [foot, head] = gate.sides.map(|side| Location::new(side.at, side.level));
    let beside = Location::new(Point::new(head.at.x + 0.01, head.at.y), head.level);
    let check = |locations: &[Location], length: f64, expected: Result<(), &str>| {
        let query = Query { from: locations[0], to: *locations.last().unwrap() };
        let judged = lanctot::judge(&TOWN, &query, locations, (length * 1e6) as u64, 0.12);
        match expected {
            Ok(()) => assert_eq!(judged, Ok(())),
            Err(part) => assert!(judged.as_ref().unwrap_err().contains(part), "{judged:?}"),
        }
    };
    let (a, b) = (at(0.5, 0.5, 0), at(1.0, 0.5, 0));
    check(&[a, b], 0.5, Ok(()));
    check(&[a, b, a], 1.0, Ok(()));
    check(&[a, b], 0.6, Err("units long, not 0.6"));
    check(&[a, at(29.5, 29.5, 0)], 29.0 * f64::sqrt(2.0), Err("something is between"));
    check(&[a, at(0.5, 0.1, 0)], 0.4, Err("something is between"));
    check(&[foot, head], gate.length(), Ok(()));
    check(&[foot, beside], gate.length(), Err("no stairs"));
    let query = Query { from: a, to: a };
    assert!(
        lanctot::judge(&TOWN, &query, &[a, b], 500_000, 0.12).unwrap_err().contains("leads from")
    );
    assert!(lanctot::judge(&TOWN, &query, &[], 0, 0.12).is_err());
}

/// A quick run of one town. It fails when a single walk leads through a wall or does not arrive.
fn quick(threads: usize) -> Experiment {
    let options = Options { seeds: 1, quick: true, threads, ..Options::default() };
    lanctot::PAPER.run(&options, &mut |progress| assert!(progress.done <= progress.of)).unwrap()
}

static QUICK: LazyLock<Experiment> = LazyLock::new(|| quick(2));

#[test]
fn every_statement_of_the_paper_is_judged() {
    assert!(QUICK.holds() && QUICK.checks.is_empty());
    let tried = QUICK.claims.iter().filter(|claim| claim.verdict != Verdict::NotTried);
    assert_eq!((QUICK.claims.len(), tried.count()), (CLAIMS, CLAIMS - 2));
    for claim in &QUICK.claims {
        let has_reason = !claim.reason.is_empty();
        assert!(claim.verdict != Verdict::NotTried || has_reason, "{claim:?}");
        assert!(!claim.ours.contains("NaN") && !claim.ours.contains("inf"), "{claim:?}");
    }
    let places: Vec<&str> = QUICK.claims.iter().map(|claim| claim.place.as_str()).collect();
    for place in ["table 1", "table 2", "table 3", "table 4", "figure 5", "abstract"] {
        assert!(places.contains(&place), "{place}");
    }
}

/// How many statements of the paper are judged.
const CLAIMS: usize = 72;

#[test]
fn modeled_has_the_papers_thirty_points() {
    let setting = Setting::new(&Options { quick: true, ..Options::default() }).unwrap();
    assert_eq!((setting.points.len(), setting.modeled_points), (30, 30));
    let mut points: Vec<Location> = Vec::new();
    for end in setting.workloads[1].1.iter().flat_map(|query| [query.from, query.to]) {
        if !points.contains(&end) {
            points.push(end);
        }
    }
    assert!(points.len() <= 30 && points.len() > 25, "{}", points.len());
}

#[test]
fn all_rows_of_the_paper_are_there() {
    let names: Vec<&str> = Configuration::ALL.iter().map(|row| row.name).collect();
    let paper = [
        "SZ",
        "SZ+CC",
        "SZ+CC+PC",
        "SZ+CC+sPC",
        "GR",
        "GR+CC",
        "GR+CC+PC",
        "GR+CC+sPC",
        "RD",
        "RD+CC",
        "VZ",
        "VZ+CC",
        "VZ+CC+PC",
    ];
    assert_eq!(names[..13], paper);
    for number in 2..=4 {
        let name = format!("table-{number}");
        let table = QUICK.tables.iter().find(|table| table.name == name).unwrap();
        let rows: Vec<String> = table.rows.iter().map(|row| row[0].to_string()).collect();
        assert_eq!(rows, names, "{name}");
        let of_paper = table.rows.iter().filter(|row| row[1] != Value::Missing).count();
        assert_eq!(of_paper, 13, "{name}");
    }
}

/// A row without its times.
fn timeless(row: &Row) -> Row {
    let mut row = Row { milliseconds: 0.0, ..row.clone() };
    row.metrics.retain(|name, _| !name.ends_with("_ms"));
    row
}

#[test]
fn counts_are_the_same_for_any_number_of_threads() {
    let options = Options { seed: 3, seeds: 2, quick: true, threads: 2 };
    let run = |threads| {
        let experiment = lanctot::PAPER.run(&Options { threads, ..options }, &mut |_| {}).unwrap();
        experiment.rows.iter().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn figures_are_drawn() {
    let pictures: Vec<_> = QUICK.files.iter().filter(|f| f.name.ends_with("svg")).collect();
    let names: Vec<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    let expected = ["total-time", "figure-2", "figure-3", "figure-4", "figure-5", "figure-6"];
    let expected = expected.into_iter().chain(["figure-8", "figure-9"]);
    assert_eq!(names, expected.map(|name| format!("{name}.svg")).collect::<Vec<_>>());
    for picture in pictures {
        let text = std::str::from_utf8(&picture.bytes).unwrap();
        let document = roxmltree::Document::parse(text).unwrap();
        let shapes = ["circle", "rect", "polygon", "polyline", "path", "line"];
        let drawn = |node: &roxmltree::Node<'_, '_>| shapes.iter().any(|s| node.has_tag_name(*s));
        assert!(document.descendants().filter(drawn).count() >= 45, "{}", picture.name);
    }
}
