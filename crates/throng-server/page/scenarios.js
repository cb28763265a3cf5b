/** The chooser of scenarios: one card each with its description. */
import * as api from "./api.js";
import { byId, dialog, format, icon, make } from "./dom.js";
import { toast } from "./toast.js";

export function startScenarios(app, worlds) {
  const open = () => choose(worlds).catch((error) => toast(`Scenarios: ${error.message}`, "error"));
  byId("scenario").addEventListener("click", open);
  return open;
}

async function choose(worlds) {
  const [list, running] = await Promise.all([api.scenarios(), api.worlds()]);
  const close = () => box.close();
  const box = dialog("Scenarios", "chooser", make("div", { class: "cards" }, ...list.map((each) => card(each, worlds, close))),
    running.length > 1 ? make("div", { class: "running" }, make("h3", {}, "Worlds of this server"), ...running.map((each) => row(each, worlds, close))) : null);
}

/** A world that runs: open it, or end it. */
function row(world, worlds, close) {
  const end = () => api.deleteWorld(world.id).then(close, (error) => toast(error.message, "error"));
  return make("div", { class: "fact" },
    make("button", { class: "quiet", "data-world": world.id, onclick: () => { close(); worlds.openWorld(world.id); } },
      make("strong", {}, world.id), ` ${world.name} · ${format(world.units)} units · tick ${format(world.tick)}`),
    world.id === worlds.main ? null : make("button", { class: "icon", title: `End the world ${world.id}`, onclick: end }, icon("close")));
}

function card(scenario, worlds, close) {
  const id = scenario.id ?? scenario.name;
  const size = [scenario.units && `${format(scenario.units)} units`, scenario.width && `${scenario.width} × ${scenario.height}`].filter(Boolean).join(" · ");
  return make("button", {
    class: "scenario", "data-scenario": id, "aria-current": worlds.current?.scenario === id ? "true" : undefined,
    onclick: () => { close(); worlds.start(id); },
  }, make("strong", {}, scenario.title ?? scenario.name ?? id), make("span", {}, scenario.about ?? ""), size ? make("small", {}, size) : null);
}
