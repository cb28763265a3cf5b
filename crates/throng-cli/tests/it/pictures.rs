//! `throng render`, and colours.

use crate::{Folder, GAP};

const PLAN: &str = "agents=1\nsolution=\n0:(0,0),\n1:(1,0),\n2:(2,0),\n";

#[test]
fn maps_and_plans_are_drawn() {
    let folder = Folder::new("render").with("gap.map", GAP).with("plan.txt", PLAN);
    let check = |words: &str, file: &str, magic: &[u8]| {
        let words = format!("render -m gap.map {words} -o {file} --json");
        let json = folder.throng(&words).exits(0).json();
        assert!(folder.read(file).starts_with(magic), "{file}");
        assert_eq!(json["bytes"], folder.read(file).len());
    };
    check("", "map.svg", b"<svg");
    check("--scale 4", "map.png", b"\x89PNG");
    check("-p plan.txt", "plan.svg", b"<svg");
    check("-p plan.txt", "plan.PNG", b"\x89PNG");
    check("-p plan.txt --tick-ms 100 --trail 0", "plan.gif", b"GIF89a");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = Folder::new("render-bad").with("gap.map", GAP).with("plan.txt", PLAN);
    let check = |words: &str, said: &str| {
        folder.throng(&format!("render -m gap.map {words}")).exits(1).says(said);
        assert_eq!(folder.names(), ["gap.map", "plan.txt"]);
    };
    check("-o a.gif", "a film needs a plan");
    check("-o a.bmp", "use .png or .svg or .gif");
    check("-o a", "unknown file extension");
    check("-p gap.map -o a.gif", "holds no plan");
    check("-p none.txt -o a.gif", "none.txt: no such file");
    check("-o a.png --scale 0", "--scale");
}

#[test]
fn pipes_get_colours_only_on_demand() {
    let folder = Folder::new("colours");
    let coloured = |variables: &[(&str, &str)]| {
        folder.run("demo bridge -o a.svg", variables).exits(0).out.contains('\x1b')
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}
