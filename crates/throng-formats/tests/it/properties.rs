//! Everything that is written reads back as the same.

use proptest::prelude::*;
use throng_formats::{
    Context, FormatKind, LorrYear, MapOptions, Passable, PlanDocument, PlanVizOptions, Scenario,
    TerrainTable, UpDown, map, multi_robot, read_plan, scen, terrain, write_plan,
};
use throng_model::{
    Cell, Factor, Map, MovementProfile, Plan, Problem, TerrainClass, TerrainId, Unit,
};

const SIDE: u16 = 12;

fn passable() -> impl Strategy<Value = Passable> {
    prop_oneof![Just(Passable::MovingAi), Just(Passable::Mapf), Just(Passable::Strict)]
}

fn drawing() -> impl Strategy<Value = String> {
    (1_usize..20, 1_usize..20).prop_flat_map(|(width, height)| {
        let row = prop::collection::vec(prop::sample::select(b".GSW@OT23456789".to_vec()), width);
        prop::collection::vec(row, height).prop_map(move |rows| {
            let rows: Vec<_> = rows.iter().map(|r| String::from_utf8_lossy(r)).collect();
            format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"))
        })
    })
}

/// A map of terrain with any letters, names and factors.
fn landscape() -> impl Strategy<Value = Map> {
    let letters: Vec<char> = ('!'..='~').filter(|&letter| letter != '#').collect();
    let letters = prop::sample::subsequence(letters, 1..12).prop_shuffle();
    letters.prop_flat_map(|letters| {
        let class = ("[a-z#]{1,5}( [a-z0-9#]{1,5}){0,2}", prop::option::of(1_i64..=255));
        let classes = prop::collection::vec(class, letters.len());
        let cells = prop::collection::vec(0..letters.len() as u8, 30);
        (Just(letters), classes, cells).prop_map(|(letters, classes, cells)| {
            let classes = letters.iter().zip(classes).map(|(&symbol, (name, factor))| {
                let factor = factor.map(|factor| Factor::new(factor).unwrap());
                TerrainClass { name, symbol, factor }
            });
            let cells = cells.into_iter().map(TerrainId).collect();
            Map::new(6, 5, classes.collect(), cells).unwrap()
        })
    })
}

/// Walks of single steps on an open map; waits among them.
fn walks() -> impl Strategy<Value = Vec<Vec<Cell>>> {
    let steps = prop::collection::vec((-1_i32..=1, prop::bool::ANY), 0..20);
    let walk = (0..SIDE, 0..SIDE, steps).prop_map(|(x, y, steps)| {
        let mut path = vec![Cell::new(x, y)];
        for (delta, is_horizontal) in steps {
            let (dx, dy) = if is_horizontal { (delta, 0) } else { (0, delta) };
            let next = path.last().and_then(|cell| cell.offset(dx, dy));
            path.extend(next.filter(|cell| cell.x < SIDE && cell.y < SIDE));
        }
        path
    });
    prop::collection::vec(walk, 1..6)
}

/// The paths as formats with a common horizon give them back.
fn padded(paths: &[Vec<Cell>]) -> Vec<Vec<Cell>> {
    let ticks = paths.iter().map(Vec::len).max().unwrap_or(0);
    let pad = |path: &Vec<Cell>| {
        let mut path = path.clone();
        path.resize(ticks, path.last().copied().unwrap_or_default());
        path
    };
    paths.iter().map(pad).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn maps_with_terrain_tables(landscape in landscape(), passable in passable()) {
        let table = TerrainTable::of_map(&landscape).unwrap();
        let read = terrain::read(terrain::write(&table).as_bytes()).unwrap();
        prop_assert_eq!(&read, &table);
        let file = map::write(&landscape).unwrap();
        let again = map::read_with(file.as_bytes(), MapOptions { passable }, &read).unwrap();
        let plain = map::read(file.as_bytes(), MapOptions { passable });
        for cell in landscape.cells() {
            prop_assert_eq!(again.class_at(cell), landscape.class_at(cell));
        }
        if !table.is_needed(MapOptions { passable }) {
            let plain = plain.unwrap();
            let factor = |map: &Map, cell| map.class_at(cell).and_then(|class| class.factor);
            prop_assert!(landscape.cells().all(|c| factor(&plain, c) == factor(&landscape, c)));
        }
    }

    #[test]
    fn maps(text in drawing(), passable in passable()) {
        let options = MapOptions { passable };
        let read = map::read(text.as_bytes(), options).unwrap();
        let written = map::write(&read).unwrap();
        prop_assert_eq!(&written, &text);
        prop_assert_eq!(map::read(written.as_bytes(), options).unwrap(), read);
    }

    #[test]
    fn scenarios(rows in prop::collection::vec((0..SIDE, 0..SIDE, 0..SIDE, 0..SIDE, 0.0..1e9), 0..20)) {
        let map = Map::empty(SIDE.into(), SIDE.into()).unwrap();
        let units: Vec<_> = rows
            .iter()
            .map(|&(a, b, c, d, length)| (Cell::new(a, b), Cell::new(c, d), length))
            .collect();
        let scenario = Scenario::new("my town.map", &map, &units);
        let mut read = scen::read(scen::write(&scenario).unwrap().as_bytes()).unwrap();
        read.rows.iter_mut().for_each(|row| row.line = 0);
        prop_assert_eq!(read, scenario);
    }

    #[test]
    fn scaling_up_and_down_again_is_the_same_map(text in drawing(), x in 1_u16..4, y in 1_u16..4) {
        let read = map::read(text.as_bytes(), MapOptions::default()).unwrap();
        let (width, height) = (read.width(), read.height());
        let large = scen::scale(&read, width * x, height * y).unwrap().into_owned();
        for cell in large.cells() {
            let small = Cell::new(cell.x / x, cell.y / y);
            prop_assert_eq!(large.terrain_at(cell), read.terrain_at(small));
        }
        prop_assert_eq!(scen::scale(&large, width, height).unwrap().into_owned(), read);
    }

    #[test]
    fn multi_robot_problems(walls in prop::collection::vec((0..SIDE, 0..SIDE), 0..30), walks in walks()) {
        let mut cells = vec![Map::GROUND; usize::from(SIDE) * usize::from(SIDE)];
        walls.iter().for_each(|&(x, y)| cells[usize::from(y * SIDE + x)] = Map::WALL);
        let open = Map::empty(SIDE.into(), SIDE.into()).unwrap();
        let map = Map::new(SIDE, SIDE, open.classes().to_vec(), cells).unwrap();
        let units = walks.iter().map(|path| Unit::new(path[0], *path.last().unwrap())).collect();
        let problem = Problem::new(map, MovementProfile::four_connected(), units);
        let text = multi_robot::write_problem(&problem).unwrap();
        prop_assert_eq!(multi_robot::read_problem(text.as_bytes()).unwrap(), problem);
    }

    #[test]
    fn plans(walks in walks(), is_old in prop::bool::ANY, is_legacy in prop::bool::ANY) {
        let map = Map::empty(SIDE.into(), SIDE.into()).unwrap();
        let units: Vec<_> = walks.iter().map(|p| (p[0], *p.last().unwrap(), 1.0)).collect();
        let scenario = Scenario::new("town.map", &map, &units);
        let context = Context {
            map: Some(&map),
            scenario: Some(&scenario),
            scenario_name: Some("town-random-1.scen"),
            units: None,
        };
        let goals = units.iter().map(|unit| unit.1).collect();
        let document = PlanDocument::new(Plan { paths: walks.clone() }).with_goals(goals);
        let year = if is_old { LorrYear::Y2023 } else { LorrYear::Y2024 };
        let up_down = if is_legacy { UpDown::UpSubtractsRow } else { UpDown::UpAddsRow };
        for kind in FormatKind::ALL.into_iter().filter(|kind| kind.is_plan()) {
            let options = PlanVizOptions { year, up_down, all_valid: None };
            let text = write_plan(kind, &document, &context, options).unwrap();
            let read = read_plan(text.as_bytes(), &context).unwrap();
            let keeps_lengths = !matches!(kind, FormatKind::Kei18 | FormatKind::PlanViz);
            let expected = if keeps_lengths { walks.clone() } else { padded(&walks) };
            // Written the other way up, a plan may be taken for its mirror image, if that
            // reaches all goals as well.
            let may_be_mirrored = is_legacy && kind == FormatKind::PlanViz;
            let ends: Vec<_> = read.plan.paths.iter().filter_map(|path| path.last()).collect();
            prop_assert_eq!(ends, document.goals.iter().flatten().collect::<Vec<_>>());
            if !may_be_mirrored {
                prop_assert_eq!(&read.plan.paths, &expected, "{}\n{}", kind, text);
            }
            prop_assert_eq!(read.goals.as_ref(), document.goals.as_ref());
            prop_assert_eq!(&read.starts, &document.starts);
        }
    }
}
