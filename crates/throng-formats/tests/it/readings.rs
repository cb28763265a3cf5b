//! What the MovingAI readers accept, and what they make of it.

use throng_formats::{MapOptions, Passable, Scenario, map, scen};
use throng_model::{Cell, Map, MovementProfile};

const PASSABLE: [Passable; 3] = [Passable::MovingAi, Passable::Mapf, Passable::Strict];

fn read(text: &str, passable: Passable) -> Map {
    map::read(text.as_bytes(), MapOptions { passable }).unwrap()
}

/// The map's cells as cost factors, `#` being impassable.
fn factors(map: &Map, movement: &MovementProfile) -> String {
    let factors = movement.factors(map);
    let shown = |factor: Option<throng_model::Factor>| factor.map_or("#".into(), |f| f.to_string());
    map.terrain().iter().map(|terrain| shown(factors[terrain.get()])).collect()
}

#[test]
fn each_reading_blocks_its_own_letters() {
    let text = "1,15\n.GSW@OT23456789\n";
    let expected = ["111####23456789", "1111#1#11111111", "1##############"];
    for (passable, expected) in PASSABLE.into_iter().zip(expected) {
        let map = read(text, passable);
        assert_eq!(factors(&map, &MovementProfile::four_connected()), expected, "{passable:?}");
        assert_eq!((&map.classes()[0].name[..], &map.classes()[1].name[..]), ("ground", "wall"));
        let again = read(&map::write(&map).unwrap(), passable);
        assert_eq!(again, map, "{passable:?}");
    }
    let boat = read(text, Passable::MovingAi);
    let movement = MovementProfile {
        terrain: map::boat_overrides(&boat),
        ..MovementProfile::eight_connected()
    };
    assert_eq!(factors(&boat, &movement), "###1###########");
}

#[test]
fn lorr_maps_are_read_as_mapf() {
    let map = read("1,4\n.ES@\n", Passable::Mapf);
    assert_eq!(factors(&map, &MovementProfile::four_connected()), "111#");
    assert_eq!(map::write(&map).unwrap(), "type octile\nheight 1\nwidth 4\nmap\n.ES@\n");
}

#[test]
fn every_spelling_of_a_map_is_the_same_map() {
    let plain = "type octile\nheight 2\nwidth 3\nmap\n..@\nT.W\n";
    let expected = read(plain, Passable::MovingAi);
    for text in [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        format!("{plain}\n \n\r\n"),
        plain.trim_end().to_owned(),
        "type octile\nwidth 3\nheight 2\nmap\n..@\nT.W\n".to_owned(),
        "height  2\nwidth\t3 \n\nmap \n..@\nT.W\n".to_owned(),
        "type tile\nheight 2\nwidth 3\nmap\n..@surplus\nT.W  \n".to_owned(),
        "2,3\n..@\nT.W\n".to_owned(),
        "2, 3\r\n..@\r\nT.W\r\n".to_owned(),
    ] {
        assert_eq!(read(&text, Passable::MovingAi), expected, "{text:?}");
    }
    assert_eq!(map::write(&expected).unwrap(), plain);
}

#[test]
fn a_map_that_could_not_be_read_back_is_not_written() {
    use throng_model::{Factor, TerrainClass};
    let mut map = Map::empty(2, 1).unwrap();
    let road = map.add_class(TerrainClass::passable("road", 'é', Factor::ONE)).unwrap();
    assert!(map::write(&map).is_ok(), "the class is not on the map yet");
    map.set(Cell::new(0, 0), road).unwrap();
    let error = map::write(&map).unwrap_err().to_string();
    assert!(error.starts_with("the symbol of 'road' is not visible ASCII"), "{error}");
    let mud = TerrainClass::passable("mud", '.', Factor::new(4).unwrap());
    let mud = map.add_class(mud).unwrap();
    map.set(Cell::new(0, 0), mud).unwrap();
    let error = map::write(&map).unwrap_err().to_string();
    assert!(error.starts_with("'mud' shares '.' with another terrain"), "{error}");
}

fn rows(text: &str) -> Vec<(String, Cell, Cell, String)> {
    let scenario = scen::read(text.as_bytes()).unwrap();
    let row = |row: throng_formats::ScenarioRow| {
        (row.map, row.start, row.goal, row.optimal_length.to_string())
    };
    scenario.rows.into_iter().map(row).collect()
}

#[test]
fn every_spelling_of_a_scenario_is_the_same_scenario() {
    let expected = vec![("a b.map".to_owned(), Cell::new(1, 2), Cell::new(3, 4), "2.5".to_owned())];
    for text in [
        "version 1\n0\ta b.map\t8\t9\t1\t2\t3\t4\t2.5\n",
        "version 1.0\r\n0\ta b.map\t8\t9\t1\t2\t3\t4\t2.5\r\n\r\n",
        "\u{feff}version 1\n0\ta b.map\t8\t9\t1\t2\t3\t4\t2.50\t",
        "0\t a b.map \t8\t9\t1\t2\t3\t4\t2.5\n",
    ] {
        assert_eq!(rows(text), expected, "{text:?}");
    }
    let spaces = rows("version 1.0\n61 maps/AR.map 512  512 210 395 87 201 244.95\n");
    let row = ("maps/AR.map".into(), Cell::new(210, 395), Cell::new(87, 201), "244.95".into());
    assert_eq!(spaces, [row]);
    assert_eq!(scen::read(b"0 a 8 8 1 1 2 2 1\n").unwrap().version, None);
}

/// Found by fuzzing: a carriage return within a name was read, but not written.
#[test]
fn a_map_name_that_is_read_is_written() {
    let scenario = scen::read(b"0\ta\rb.map\t8\t9\t1\t2\t3\t4\t2.5\n").unwrap();
    let text = scen::write(&scenario).unwrap();
    assert_eq!(text, "0\ta\rb.map\t8\t9\t1\t2\t3\t4\t2.5\n");
    for name in ["", " a", "a\tb", "a\nb"] {
        let mut broken = scenario.clone();
        broken.rows[0].map = name.to_owned();
        assert!(scen::write(&broken).is_err(), "{name:?}");
    }
}

fn scenario() -> Scenario {
    scen::read(b"version 1\n0\ta\t4\t4\t0\t0\t3\t3\t1\n0\ta\t4\t4\t1\t0\t3\t2\t1\n").unwrap()
}

#[test]
fn a_problem_has_the_first_rows_as_units() {
    let map = Map::empty(4, 4).unwrap();
    let problem = |units| scenario().problem(&map, units, MovementProfile::four_connected());
    assert_eq!(problem(None).unwrap().units.len(), 2);
    assert_eq!(problem(Some(1)).unwrap().units, [throng_model::Unit::new((0, 0), (3, 3))]);
    assert_eq!(
        problem(Some(3)).unwrap_err().to_string(),
        "3 units asked for, the scenario has 2; ask for at most 2"
    );
}

#[test]
fn a_map_of_another_size_is_scaled_to_the_scenario() {
    let small = read("2,2\n.@\nT.\n", Passable::MovingAi);
    let problem = scenario().problem(&small, None, MovementProfile::four_connected()).unwrap();
    let drawing = map::write(&problem.map).unwrap();
    assert!(drawing.ends_with("map\n..@@\n..@@\nTT..\nTT..\n"), "{drawing}");
    let back = scen::scale(&problem.map, 2, 2).unwrap();
    assert_eq!(*back, small);
    let odd = scen::scale(&small, 3, 1).unwrap();
    assert!(map::write(&odd).unwrap().ends_with("map\n..@\n"));
}

#[test]
fn rows_for_maps_of_different_sizes_are_no_problem_of_one_map() {
    let text = b"0\ta\t4\t4\t0\t0\t3\t3\t1\n0\ta\t5\t4\t1\t0\t3\t2\t1\n";
    let map = Map::empty(4, 4).unwrap();
    let mixed = scen::read(text).unwrap().problem(&map, None, MovementProfile::four_connected());
    assert_eq!(
        mixed.unwrap_err().to_string(),
        "line 2: a map of 5 x 4 cells, and 4 x 4 before; give a scenario for a single map"
    );
}
