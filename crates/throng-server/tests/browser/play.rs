//! What a person does with a world: watch, select, order, draw walls, scrub, open a plan.

use crate::browser::{Browser, LEFT, RIGHT};
use crate::host::Host;

/// Positions of all units as text.
const POSITIONS: &str = "throng.pane.table.x.join() + throng.pane.table.y.join()";
/// Whether a cell is free for a unit of one cell, and no unit is near.
const FREE: &str = "(x, y) => throng.pane.map.passable(x, y) && throng.pane.instances.hit(x + 0.5, y + 0.5, 1) < 0";

/// A server, and a browser with a spawned unit at the first cell, selected.
fn with_unit(at: (u32, u32)) -> Option<(Host, Browser)> {
    let browser = Browser::start()?;
    let host = Host::with("bay");
    browser.open(&host.url(""));
    open_ground(&browser);
    browser.click("[data-tool=spawn]");
    let before = browser.number("throng.pane.table.alive");
    browser.click_cell(LEFT, at);
    browser.wait("a unit is spawned", &format!("throng.pane.table.alive === {before} + 1"));
    browser.click("[data-tool=select]");
    browser.click_cell(LEFT, at);
    browser.wait("it is selected", "throng.selection.size === 1");
    Some((host, browser))
}

/// Removes all units and walls, so that a test has the map for itself.
fn open_ground(browser: &Browser) {
    browser.value(
        "(() => { const { map, table } = throng.pane; const floor = throng.pane.hello.terrains.find((each) => each.passable).id; \
         throng.broadcast('paint', { terrain: floor, rect: [0, 0, map.width, map.height] }); \
         throng.broadcast('remove', { units: [...table.slots.keys()].filter((id) => table.slotOf(id) !== undefined) }); })()",
    );
    browser.wait(
        "the map is empty",
        "throng.pane.table.alive === 0 && throng.pane.map.passable(0, 0)",
    );
}

/// The expression that the only selected unit stands at a cell.
fn stands_at((x, y): (u32, u32)) -> String {
    format!(
        "(() => {{ const {{ table }} = throng.pane; const slot = table.slotOf([...throng.selection][0]); \
         return table.x[slot] === {x} && table.y[slot] === {y}; }})()"
    )
}

#[test]
fn units_move() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    browser.open(&host.url(""));
    browser.value(&format!("void (window.before = {POSITIONS})"));
    browser.wait("units move", &format!("window.before !== {POSITIONS}"));
    browser.wait("the drawn moment moves", "throng.pane.clock.time > 3");
}

#[test]
fn an_order_is_obeyed() {
    let Some((_host, browser)) = with_unit((3, 1)) else { return };
    browser.click_cell(RIGHT, (12, 1));
    browser.wait("the unit arrives", &stands_at((12, 1)));
    browser
        .wait("it says so", "document.querySelector('#inspector').textContent.includes('arrived')");
}

#[test]
fn a_painted_wall_is_avoided() {
    let Some((_host, browser)) = with_unit((3, 0)) else { return };
    let height = browser.number("throng.pane.map.height") as u32;
    browser.click("[data-tool=wall]");
    browser.drag(LEFT, &[(7, 0), (7, height / 2), (7, height - 2)]);
    let painted =
        format!("[...Array({}).keys()].every((y) => !throng.pane.map.passable(7, y))", height - 1);
    browser.wait("the wall stands", &painted);
    browser.press("\u{e00c}");
    browser.click_cell(RIGHT, (11, 0));
    // It has to pass the one cell that is left: when it arrives, the wall is still there. A slow
    // page skips frames, so the moment in the gap may not be seen.
    browser.wait("the unit arrives", &stands_at((11, 0)));
    browser.wait("the wall still stands", &painted);
    browser.keep("wall");
}

#[test]
fn the_timeline_goes_back() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("crossing");
    browser.open(&host.url(""));
    browser.wait("there is a past", "throng.pane.history.last > throng.pane.history.first + 20");
    browser.value("void (window.early = throng.pane.history.frames[2])");
    browser.value(
        "(() => { const line = document.querySelector('#timeline'); line.value = early.tick; line.dispatchEvent(new Event('input')); })()",
    );
    let same = "throng.pane.clock.live === false && throng.pane.clock.time === early.tick && \
                [...throng.pane.instances.slots.slice(0, throng.pane.instances.count)].every((slot, index) => \
                throng.pane.instances.x(index) === early.xy[2 * slot])";
    browser.wait("the past is drawn", same);
    browser.keep("timeline");
    browser.click("#live");
    browser.wait(
        "the newest tick is drawn",
        "throng.pane.clock.live && throng.pane.clock.time > early.tick + 10",
    );
}

#[test]
fn a_box_selects_and_groups_are_recalled() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("crossing");
    browser.open(&host.url(""));
    browser.press(" ");
    browser.wait("the world pauses", "throng.pane.clock.paused");
    let far = browser.value("[throng.pane.map.width - 1, throng.pane.map.height - 1]");
    let far = (far[0].as_u64().unwrap() as u32, far[1].as_u64().unwrap() as u32);
    browser.drag(LEFT, &[(0, 0), far]);
    browser.wait("units are selected", "throng.selection.size > 100");
    let count = browser.number("throng.selection.size");
    browser.value("void dispatchEvent(new KeyboardEvent('keydown', { key: '4', ctrlKey: true }))");
    browser.press("\u{e00c}");
    browser.wait("nothing is selected", "throng.selection.size === 0");
    browser.press("4");
    browser.wait("the group is selected", &format!("throng.selection.size === {count}"));
    browser.keep("selection");
}

#[test]
fn a_plan_is_shown_with_its_violations() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("bay");
    browser.open(&host.url(""));
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("swap.txt");
    let plan = "agents=2\nsolver=made by hand\nsolution=\n0:(0,0),(1,0),\n1:(1,0),(0,0),\n2:(1,1),(0,0),\n";
    std::fs::write(&path, plan).unwrap();
    browser.click("#files");
    browser.choose_file("#file-picker", &path);
    browser.wait("the plan is shown", "throng.recording && throng.pane.history.last === 2");
    browser.wait("its violation is named", "document.querySelector('#violations')");
    browser.click("#violations button:last-child");
    browser
        .wait("the moment is drawn", "throng.pane.clock.time === 1 && throng.selection.size === 2");
    let said = browser.value("document.querySelector('#violations').textContent");
    assert!(said.as_str().unwrap().contains("exchange places"), "{said}");
    assert_eq!(
        browser.value(&format!("({FREE})(5, 5)")).as_bool(),
        Some(false),
        "outside the plan's map"
    );
}

#[test]
fn a_double_click_selects_all_of_a_kind() {
    let Some((_host, browser)) = with_unit((3, 1)) else { return };
    browser.click("[data-tool=spawn]");
    browser.click_cell(LEFT, (6, 1));
    browser.wait("there are two", "throng.pane.table.alive === 2");
    browser.click("[data-tool=select]");
    browser.double_click_cell((6, 1));
    browser.wait("both are selected", "throng.selection.size === 2");
    browser.press("mv");
    browser.value(
        "void throng.pane.element.dispatchEvent(new PointerEvent('pointermove', { clientX: 640, clientY: 400 }))",
    );
    browser.wait("their places are shown", "throng.pane.marked && throng.formation === 'line'");
    browser.keep("formation");
}

#[test]
fn fingers_select_send_and_zoom() {
    let Some((_host, browser)) = with_unit((3, 1)) else { return };
    browser.press("\u{e00c}");
    browser.touch(&[[(3, 1), (3, 1)]]);
    browser.wait("a tap selects", "throng.selection.size === 1");
    browser.touch(&[[(9, 1), (9, 1)]]);
    browser.wait("a second tap sends it", &stands_at((9, 1)));
    browser.value("void (window.scale = throng.pane.camera.scale)");
    browser.touch(&[[(8, 5), (4, 5)], [(10, 5), (14, 5)]]);
    browser.wait("two fingers zoom", "throng.pane.camera.scale > 1.5 * window.scale");
}

#[test]
fn a_replay_is_shown_with_the_ground_of_its_time() {
    let Some((host, browser)) = with_unit((3, 0)) else { return };
    browser.click_cell(RIGHT, (12, 0));
    browser.wait("the unit arrives", &stands_at((12, 0)));
    browser.click("[data-tool=wall]");
    browser.drag(LEFT, &[(5, 2), (5, 3)]);
    browser.wait("a wall stands", "!throng.pane.map.passable(5, 3)");
    let tick = browser.number("throng.pane.history.last");
    browser.wait("time goes on", &format!("throng.pane.history.last > {tick} + 5"));
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("run.replay");
    std::fs::write(&path, host.get("/v1/worlds/main/replay")).unwrap();
    browser.click("#files");
    browser.choose_file("#file-picker", &path);
    browser.wait("it is shown", "throng.recording && throng.pane.history.frames.length > 10");
    browser.value("throng.pane.clock.seek(throng.pane.history.last)");
    browser.wait("the wall stands at the end", "!throng.pane.map.passable(5, 3)");
    browser.value("throng.pane.clock.seek(throng.pane.history.last - 100)");
    browser.wait("it did not before", "throng.pane.map.passable(5, 3)");
    browser.keep("replay");
    assert_eq!(browser.value("document.querySelector('#violations')"), serde_json::Value::Null);
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn a_map_is_opened_as_a_world_of_its_own() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("bay");
    browser.open(&host.url(""));
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own.map");
    let rows = format!("{}\n", ".".repeat(30)).repeat(20);
    std::fs::write(&path, format!("type octile\nheight 20\nwidth 30\nmap\n{rows}")).unwrap();
    browser.click("#files");
    browser.choose_file("#file-picker", &path);
    browser.wait("it is shown", "throng.pane.map.width === 30 && throng.pane.instances.count > 50");
    browser.press("o");
    browser
        .wait("both worlds are listed", "document.querySelectorAll('[data-world]').length === 2");
    browser.click("[data-world=main]");
    browser.wait("the first is back", "throng.pane.hello?.world.id === 'main'");
}
