/** The side panel with its tabs: unit, overlays, plots. */
import { byId, make } from "./dom.js";

/**
 * `tabs`: [name, title, element, shown], where `shown` is called when the tab is opened. Returns functions to open a
 * tab and to show or hide the panel.
 */
export function startPanel(app, tabs) {
  const panel = byId("panel");
  const buttons = tabs.map(([name, title]) => make("button", { role: "tab", id: `tab-${name}`, onclick: () => open(name) }, title));
  const pages = tabs.map(([name, , element]) => make("div", { role: "tabpanel", class: `page ${name}`, "aria-labelledby": `tab-${name}` }, element));
  panel.append(make("div", { class: "tabs", role: "tablist" }, ...buttons), ...pages);
  function open(name) {
    tabs.forEach(([each], index) => {
      buttons[index].setAttribute("aria-selected", String(each === name));
      pages[index].hidden = each !== name;
    });
    tabs.find(([each]) => each === name)[3]?.();
  }
  function show(visible) {
    app.panelOpen = visible;
    panel.hidden = !visible;
    document.body.classList.toggle("panelled", visible);
    byId("panel-toggle").setAttribute("aria-pressed", String(visible));
  }
  // Compared worlds need the width; the panel comes back with the single world.
  let wished = app.panelOpen;
  app.on("panes", () => show(app.comparing ? false : wished));
  open(tabs[0][0]);
  show(app.panelOpen);
  return { open, show, toggle: () => {
    show(!app.panelOpen);
    if (!app.comparing) wished = app.panelOpen;
    app.fit();
  } };
}
