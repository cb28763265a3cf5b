//! `throng demo` and `throng lab`.

use crate::Folder;

#[test]
fn the_demo_tells_its_story_and_saves_it() {
    let folder = Folder::new("demo");
    let run = folder.throng("demo").exits(0);
    run.says("6 exits (2 barred), 4 gates, one search").says("The splice").says("referee agrees");
    assert_eq!(folder.names(), ["throng-demo.gif"]);
    assert!(folder.read("throng-demo.gif").starts_with(b"GIF89a"));
    let first = folder.read("throng-demo.gif");
    let json = folder.throng("demo --json").exits(0).json();
    assert_eq!(folder.read("throng-demo.gif"), first, "the same film every time");
    assert_eq!(json["repair"], "splice");
    assert!(json["repair_expanded"].as_u64() < json["full_search_expanded"].as_u64());
    folder.throng("demo -s 3 -o town.svg").exits(0);
    assert!(folder.text("town.svg").starts_with("<svg"));
    folder.throng("demo -o town.bmp").exits(1).says("end it in .gif or .svg");
}

#[test]
fn the_laboratory_repeats_a_paper() {
    let folder = Folder::new("lab");
    for name in ["xu-zou", "silver2006"] {
        let json = folder.throng(&format!("lab {name} --quick --out out --json")).exits(0).json();
        assert_eq!(json["holds"], true);
        let experiment = &json["experiments"][name];
        assert!(!experiment["claims"].as_array().unwrap().is_empty());
        for file in experiment["files"].as_array().unwrap() {
            assert!(folder.path(file.as_str().unwrap()).is_file(), "{file}");
        }
    }
}
