/** The bar at the bottom: how to go, tag, stop, levels, overlays, join and leave. */
import { byId, icon, make } from "./dom.js";

const EVERY_MS = 150;

export function startActions(app, actions) {
  const button = (key, text, run, attributes = {}) => make("button", { type: "button", title: `${attributes.title ?? text} (${key})`, ...attributes, onclick: run }, attributes.icon ? icon(attributes.icon) : null, make("span", { class: attributes.icon ? "label" : "" }, text));
  const mode = (name, text, title) => make("button", { type: "button", role: "radio", title, "data-mode": name, onclick: () => { app.mode = name; refresh(); } }, make("span", { class: "label" }, text));
  const modes = make("div", { class: "segments", role: "radiogroup", "aria-label": "How to go" },
    mode("path", "Path", "A click goes there around walls: the path is found on the way (M)"), mode("straight", "Straight", "A click goes straight there until something is in the way, as in the paper (M)"));
  const tag = button("Space", "Tag", actions.tag, { class: "tag", icon: "guard", title: "Tag the nearest opponent in reach" });
  const stop = button("X", "Stop", actions.stop, { icon: "stop" });
  const down = button("PageDown", "", () => actions.level(-1), { title: "Look at the level below", "aria-label": "Level below" });
  const up = button("PageUp", "", () => actions.level(1), { title: "Look at the level above", "aria-label": "Level above" });
  const level = make("span", { class: "faint" });
  down.append("↓");
  up.append("↑");
  const follow = button("F", "Follow", actions.follow, { icon: "fit", title: "The view follows you", id: "follow" });
  const zones = button("Z", "Zones", actions.zones, { icon: "panel", title: "Zones and their doors", id: "zones" });
  const interest = button("I", "Interest", actions.interest, { icon: "live", title: "Where players have been", id: "interest" });
  const join = make("button", { type: "button", id: "join-button", title: "Join or leave the game (J)", onclick: actions.join });
  byId("actions").append(modes, make("hr"), tag, stop, make("hr"), down, level, up, make("hr"), follow, zones, interest, make("hr"), join);
  const refresh = () => {
    const { state } = app;
    const plays = state.own !== null;
    modes.querySelectorAll("button").forEach((each) => each.setAttribute("aria-checked", String(each.dataset.mode === app.mode)));
    [tag, stop].forEach((each) => { each.disabled = !plays; });
    tag.dataset.ready = plays && app.opponentInReach() ? "yes" : "no";
    level.textContent = app.level === 0 ? "ground" : `level ${app.level}`;
    down.disabled = app.level === 0;
    up.disabled = !app.scene || app.level >= app.scene.levels.length - 1;
    follow.setAttribute("aria-pressed", String(app.follows));
    zones.setAttribute("aria-pressed", String(app.zones));
    interest.setAttribute("aria-pressed", String(app.interest.shown));
    join.textContent = plays ? "Leave" : "Join";
    join.classList.toggle("main", !plays);
  };
  setInterval(refresh, EVERY_MS);
  refresh();
}
