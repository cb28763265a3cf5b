/** Starts the page: makes its parts, connects them, and opens the world that the address asks for. */
import { App } from "./app.js";
import { Inspector } from "./inspector.js";
import { Overlays } from "./overlays.js";
import { Plots } from "./plots.js";
import { TimeBar } from "./timebar.js";
import { Worlds } from "./worlds.js";
import { byId, icon } from "./dom.js";
import { currentTheme, startTheme } from "./theme.js";
import { dropAbsent } from "./selection.js";
import { offerTour, startTour } from "./tour.js";
import { showHelp } from "./help.js";
import { showLinkState } from "./link.js";
import { startFiles } from "./files.js";
import { startHud } from "./hud.js";
import { startInterest } from "./interest.js";
import { startKeys } from "./keys.js";
import { startLoop } from "./loop.js";
import { startMarks } from "./marks.js";
import { startMinimap } from "./minimap.js";
import { startOrders } from "./orders.js";
import { startPanel } from "./panel.js";
import { startPointing } from "./pointing.js";
import { startScenarios } from "./scenarios.js";
import { startTools } from "./tools.js";

function start() {
  const app = new App();
  window.throng = app;
  const toggleTheme = startTheme((theme) => {
    byId("theme").replaceChildren(icon(theme === "dark" ? "sun" : "moon"));
    app.panes.forEach((pane) => pane.recolour(theme));
    app.emit("theme");
  });
  app.on("hello", ({ pane }) => pane.recolour(currentTheme()));
  app.on("state", ({ pane, state }) => { if (pane === app.pane || !app.panes.length) showLinkState(state); });
  const timebar = new TimeBar(app);
  const worlds = new Worlds(app);
  const inspector = new Inspector(app);
  const overlays = new Overlays(app, inspector);
  const plots = new Plots(app);
  const panel = startPanel(app, [["unit", "Unit", inspector.element], ["overlays", "Overlays", overlays.element], ["plots", "Plots", plots.element, () => plots.draw()]]);
  const meter = startLoop(app);
  [startMarks, startTools, startOrders, startPointing, startMinimap, startHud, startInterest].forEach((begin) => begin(app));
  startFiles(app, timebar, worlds);
  const scenarios = startScenarios(app, worlds);
  const help = () => showHelp(startTour);
  startKeys(app, {
    toggle: () => timebar.toggle(), step: (by) => timebar.step(by), faster: (by) => timebar.faster(by),
    removeSelected: () => { if (app.selection.size) app.broadcast("remove", { units: [...app.selection] }); },
    help, meter: () => meter.toggle(), scenarios, compare: () => worlds.toggleCompare(), panel: panel.toggle, theme: toggleTheme,
  });
  byId("help").append(icon("help"));
  byId("panel-toggle").append(icon("panel"));
  byId("help").addEventListener("click", help);
  byId("theme").addEventListener("click", toggleTheme);
  byId("panel-toggle").addEventListener("click", panel.toggle);
  app.on("frame", (pane) => { if (pane === app.pane && app.selection.size && !pane.view) dropAbsent(app); });
  addEventListener("resize", () => app.fit());
  worlds.open();
  offerTour();
}

start();
