//! `throng gen`.

use crate::Folder;

#[test]
fn maps_of_every_kind_are_made_and_read_again() {
    for kind in ["random", "maze", "rooms", "caves", "warehouse", "town"] {
        let folder = Folder::new(&format!("gen-{kind}"));
        let json = folder.throng(&format!("gen map {kind} -s 5 -o a.map --json")).exits(0).json();
        assert_eq!(json["kind"], kind);
        assert!(json["passable_cells"].as_u64().unwrap() > 0);
        let needs_table = json["terrain"].is_string();
        assert_eq!(needs_table, kind == "town");
        let names: &[&str] = if needs_table { &["a.map", "a.terrain"] } else { &["a.map"] };
        assert_eq!(folder.names(), names);
        let table = if needs_table { "--terrain a.terrain" } else { "" };
        folder.throng(&format!("gen scen -m a.map {table} -N 20 -s 1 -o a.scen")).exits(0);
        let answered = folder.throng(&format!("path -m a.map {table} --scen a.scen --json"));
        let json = answered.exits(0).json();
        assert_eq!(json["queries"], 20);
        assert!(needs_table || json["wrong_length"] == 0);
    }
}

#[test]
fn a_seed_gives_the_same_map_and_another_seed_another() {
    let folder = Folder::new("gen-seed");
    for (seed, name) in [(1, "a"), (1, "b"), (2, "c")] {
        folder.throng(&format!("gen map caves --width 40 -s {seed} -o {name}.map")).exits(0);
    }
    assert_eq!(folder.read("a.map"), folder.read("b.map"));
    assert_ne!(folder.read("a.map"), folder.read("c.map"));
    assert!(folder.text("a.map").starts_with("type octile\nheight 64\nwidth 40\nmap\n"));
}

#[test]
fn measures_that_make_no_sense_are_refused() {
    let folder = Folder::new("gen-bad");
    let check = |words: &str, said: &str| {
        folder.throng(words).exits(1).says(said);
        assert!(folder.names().is_empty(), "{words}");
    };
    check("gen map random --width 0 -o a.map", "each side must be 1 to 4096");
    check("gen map random --width 5000 -o a.map", "each side must be 1 to 4096");
    check("gen map random --obstacles 101 -o a.map", "give 0 to 100");
    check("gen map random --obstacles 100 -o a.map", "no cell is left free");
    check("gen map town --width 3 -o a.map", "give at least 16 per side");
    check("gen map random", "--output <FILE>");
    check("gen map random -o nowhere/a.map", "the folder does not exist");
    check("gen map random -o .", "this is a folder");
    check("gen map random -o -", "cannot write to standard output");
}

#[test]
fn too_many_units_are_refused() {
    let folder = Folder::new("gen-units");
    folder.throng("gen map random --width 4 --height 4 --obstacles 0 -o a.map").exits(0);
    folder.throng("gen scen -m a.map -N 16 -o a.scen").exits(0);
    folder.throng("gen scen -m a.map -N 17 -o b.scen").exits(1).says("only 16 of 17");
    folder.throng("gen scen -m a.map -N 3 -o a.map").exits(1).says("would overwrite the input");
    assert_eq!(folder.names(), ["a.map", "a.scen"]);
}
