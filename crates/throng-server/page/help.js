/** The help: what can be done with the mouse, by touch, and by keys. */
import { dialog, make } from "./dom.js";
import { KEY_HELP } from "./keys.js";
import { plannerRows } from "./planners.js";

const POINTING = [
  ["Click, drag a box", "select units; Shift adds"],
  ["Double-click", "select all of its kind in view"],
  ["Right-click", "send the selection there; Shift queues"],
  ["Right-click a unit", "follow it; in war, chase an enemy"],
  ["Right-drag, middle-drag", "move the view"],
  ["Wheel, pinch", "zoom"],
  ["Tap, then tap the ground", "select and send, on a tablet"],
];

export function showHelp(startTour) {
  const rows = (list) => make("dl", { class: "keys" }, ...list.flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)]));
  const box = dialog("Help", "help", make("div", { class: "columns" },
    make("section", {}, make("h3", {}, "Mouse and touch"), rows(POINTING), make("h3", {}, "Planners"), plannerRows()),
    make("section", {}, make("h3", {}, "Keys"), rows(KEY_HELP))),
  make("footer", {}, make("button", { class: "main", onclick: () => { box.close(); startTour(); } }, "Take the tour")));
}
