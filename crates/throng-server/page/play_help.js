/** The rules, the keys, and what to do with a log. */
import { dialog, make } from "./dom.js";
import { KEY_HELP } from "./play_input.js";

const RULES = [
  "Walk over orbs to pick them up, up to three. Bring them to your team's base: the large ring in your colour and shape.",
  "The first team that brings enough orbs home wins the round; otherwise the team with most orbs when the time is up.",
  "Tag an opponent in reach: it drops its orbs and stands still for some seconds. After that it is safe for a while (dashed ring), and cannot tag either.",
  "Houses have rooms, doors and stairs. Click stairs to climb; faint players are on another level.",
  "Computer players follow the same rules. When people join, they make room.",
];

export function showHelp(game) {
  const keys = make("dl", { class: "keys" }, ...KEY_HELP.flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)]));
  const link = (path, name) => make("a", { href: `/v1/games/${game}/${path}`, download: name }, name);
  dialog("Rules and keys", "help", make("div", { class: "columns" },
    make("section", {}, make("h3", {}, "The game"), make("ul", { class: "rules" }, ...RULES.map((rule) => make("li", {}, rule))),
      make("h3", {}, "The log"),
      make("p", {}, "The server logs every destination and every step. Download ", link("scene", "scene.json"), " and ", link("log", "game.csv"), ", then:"),
      make("p", {}, make("code", {}, "throng lab lanctot --scene scene.json --logs game.csv"))),
    make("section", {}, make("h3", {}, "Mouse, touch and keys"), keys)));
}
