//! Which worlds the page shows: planners, comparison, deep links, a server that restarts.

use throng_server::ServerOptions;

use crate::browser::Browser;
use crate::host::Host;

#[test]
fn the_planner_is_switched() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("crossing");
    browser.open(&host.url(""));
    browser.click("[data-planner=lra]");
    browser.wait(
        "LRA* moves the units",
        "throng.pane.hello.world.planner === 'lra' && throng.pane.instances.count > 0",
    );
    browser.click("[data-planner=whca]");
    browser.wait(
        "WHCA* moves the units",
        "throng.pane.hello.world.planner === 'whca' && throng.pane.clock.time > 5",
    );
    browser.value("throng.select([...throng.pane.table.slots.keys()].slice(0, 1))");
    browser.wait("its plan is shown", "document.querySelector('#why')");
    browser.click("[data-planner=throng]");
    browser.wait("throng moves the units", "throng.pane.hello.world.planner === 'throng'");
}

#[test]
fn a_deep_link_opens_scenario_and_planner() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    browser.open(&host.url("#scenario=crossing&planner=lra&seed=5"));
    browser.wait(
        "the link is followed",
        "(({ scenario, planner, seed }) => scenario === 'crossing' && planner === 'lra' && seed === 5)(throng.pane.hello.world)",
    );
}

#[test]
fn two_worlds_run_side_by_side() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("crossing");
    browser.open(&host.url("#compare=lra,throng&scenario=door&seed=3"));
    browser.wait(
        "two worlds are shown",
        "throng.panes.length === 2 && throng.panes.every((pane) => pane.instances.count > 100)",
    );
    let planners = browser.value("throng.panes.map((pane) => pane.hello.world.planner).join()");
    assert_eq!(planners, "lra,throng");
    browser.wait("both go on", "throng.panes.every((pane) => pane.clock.time > 20)");
    let same = "(([a, b]) => a.table.count === b.table.count && a.hello.world.seed === b.hello.world.seed)(throng.panes)";
    assert_eq!(browser.value(same).as_bool(), Some(true));
    // The planner of a side is chosen in the header.
    browser.value(
        "((side) => { side.value = 'whca'; side.dispatchEvent(new Event('change')); })(document.querySelector('#pair-left'))",
    );
    browser.wait(
        "WHCA* runs beside throng",
        "throng.panes.length === 2 && throng.panes.map((pane) => pane.hello?.world.planner).join() === 'whca,throng' && throng.panes.every((pane) => pane.clock.time > 5)",
    );
    browser.keep("compare-whca");
    browser.click("#compare");
    browser
        .wait("one world is shown", "throng.panes.length === 1 && throng.pane.instances.count > 0");
}

#[test]
fn the_page_reconnects_after_the_server_restarts() {
    let Some(browser) = Browser::start() else { return };
    let mut host = Host::with("crossing");
    browser.open(&host.url(""));
    let options = ServerOptions {
        listen: host.address,
        scenario: "crossing".to_owned(),
        ..ServerOptions::default()
    };
    host.stop();
    browser.wait("the loss is seen", "document.querySelector('#link').dataset.state === 'lost'");
    let _again = Host::start(&options);
    browser
        .wait("the connection is back", "document.querySelector('#link').dataset.state === 'open'");
    browser.value("void (window.frames_before = throng.pane.frames)");
    browser.wait("frames come in", "throng.pane.frames > window.frames_before + 3");
}
