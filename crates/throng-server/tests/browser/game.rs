//! The players' game: two people in two windows, scores and orbs, every view.

use crate::browser::{Browser, LEFT, RIGHT};
use crate::host::Host;
use crate::looks::{SIZES, check_fit};

/// Where a player is in the newest state.
const ME: &str = "throng.state.me";

/// Opens the game and joins it.
fn join(browser: &Browser, host: &Host, name: &str) {
    browser.visit(&host.url("play"));
    browser.wait("the form is shown", "!document.querySelector('#join').hidden && throng.scene");
    browser.value("void (document.querySelector('#join input').value = '')");
    browser.type_into("#join input", name);
    browser.click("#join button.main");
    browser.wait("the player is there", ME);
}

/// The pixel of the window at a place of the town.
fn pixel(browser: &Browser, x: &str, y: &str) -> (i64, i64) {
    let at = browser.value(&format!(
        "(() => {{ const box = throng.drawer.canvas.getBoundingClientRect(); \
         const [x, y] = throng.camera.toScreen(...throng.scene.flip([{x}, {y}])); return [x + box.left, y + box.top]; }})()"
    ));
    (at[0].as_f64().unwrap() as i64, at[1].as_f64().unwrap() as i64)
}

#[test]
fn two_players_in_two_windows_see_each_other() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    join(&browser, &host, "anna");
    let anna = browser.open_window();
    join(&browser, &host, "bert");
    let sees = |name: &str| {
        format!(
            "[...throng.state.people.values()].some((each) => each.name === '{name}' && !each.computer && throng.state.newest.players.has(each.player))"
        )
    };
    browser.wait("bert sees anna", &sees("anna"));
    browser.value(
        "void (window.anna = [...throng.state.people.values()].find((each) => each.name === 'anna').player)",
    );
    browser.value("void (window.was = throng.state.newest.players.get(anna))");
    browser.switch_to(&anna);
    browser.wait("anna sees bert", &sees("bert"));
    let (x, y) = (format!("{ME}.x + 1.5"), format!("{ME}.y + 0.2"));
    browser.value("void (throng.follows = false)");
    browser.value(&format!("void (window.before = {ME})"));
    browser.click_pixel(LEFT, pixel(&browser, &x, &y));
    browser.wait(
        "a click moves the player",
        &format!("Math.hypot({ME}.x - before.x, {ME}.y - before.y) > 0.5"),
    );
    // Straight, as in the paper.
    browser.value("void (throng.state.way = null)");
    browser.click_pixel(RIGHT, pixel(&browser, "before.x", "before.y"));
    browser.wait("its way is known at once", "throng.state.way && throng.state.way.rest === null");
    browser.wait("the score is shown", "document.querySelectorAll('#board .team').length === 6");
    browser.wait("orbs are shown", "throng.state.newest.orbs.length > 3");
    browser.wait(
        "the round is shown",
        "document.querySelector('#round').textContent.includes('Round 1')",
    );
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn a_player_comes_back_after_a_reload_and_can_leave() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    join(&browser, &host, "anna");
    let number = browser.number("throng.state.own");
    browser.visit(&host.url("play"));
    browser.wait("the same player is there", &format!("{ME} && throng.state.own === {number}"));
    browser.value("void throng.link.socket.close()");
    browser.wait("and after a lost connection", "throng.frames > 30 && throng.state.me");
    assert!((browser.number("throng.state.own") - number).abs() < 0.5);
    browser.press("j");
    browser.wait("she has left", "throng.state.own === null");
    browser.press("i");
    browser.wait("where players went is shown", "throng.interest.levels.size === 1");
}

#[test]
fn every_view_of_the_game_fits() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    browser.visit(&host.url("play"));
    browser.wait("the form is shown", "!document.querySelector('#join').hidden");
    check_fit(&browser, 1280, &["#join"]);
    join(&browser, &host, "anna");
    for theme in ["light", "dark"] {
        browser.prefer(theme);
        for (width, height) in SIZES {
            browser.resize(width, height);
            browser.wait("the theme is taken", &format!("throng.theme === '{theme}'"));
            browser.wait(
                "the size is taken",
                &format!("(throng.draw(0, performance.now()), throng.camera.width === {width})"),
            );
            check_fit(&browser, width, &["#board", "#minimap", "#actions", "#top"]);
            let drawn =
                "(throng.draw(1, performance.now()), throng.drawer.canvas.toDataURL('image/png'))";
            browser.keep_canvas(&format!("play-{theme}-{width}"), drawn);
        }
    }
    browser.press("?");
    browser.wait("the help is shown", "document.querySelector('dialog.help')");
    check_fit(&browser, 800, &["dialog.help"]);
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}
