/** The chooser of scenarios: one card each with its description. */
import * as api from "./api.js";
import { byId, dialog, format, make } from "./dom.js";
import { toast } from "./toast.js";

export function startScenarios(app, worlds) {
  const open = () => choose(worlds).catch((error) => toast(`Scenarios: ${error.message}`, "error"));
  byId("scenario").addEventListener("click", open);
  return open;
}

async function choose(worlds) {
  const answer = await api.scenarios();
  const list = answer.scenarios ?? answer;
  const box = dialog("Scenarios", "chooser", make("div", { class: "cards" }, ...list.map((each) => card(each, worlds, () => box.close()))));
}

function card(scenario, worlds, close) {
  const id = scenario.id ?? scenario.name;
  const size = [scenario.units && `${format(scenario.units)} units`, scenario.width && `${scenario.width} × ${scenario.height}`].filter(Boolean).join(" · ");
  return make("button", {
    class: "scenario", "data-scenario": id, "aria-current": worlds.current?.scenario === id ? "true" : undefined,
    onclick: () => { close(); worlds.start(id); },
  }, make("strong", {}, scenario.title ?? scenario.name ?? id), make("span", {}, scenario.about ?? ""), size ? make("small", {}, size) : null);
}
