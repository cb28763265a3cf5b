/**
 * Colours of teams and terrain, and the marks of status.
 *
 * The team colours are those of Okabe and Ito, which colour-blind people can tell apart. Status never
 * depends on colour alone: each has a shape of its own.
 */

/** Team colours as hexadecimal, for light and dark ground. */
const TEAMS = {
  light: ["#0072b2", "#d97706", "#009e73", "#b5498b", "#3b9ad9", "#8a7a00", "#d1480f", "#5b5f66"],
  dark: ["#4ea8e0", "#f0a53a", "#2bc79a", "#dd8ac0", "#8cc8f2", "#e6d94a", "#ff7a45", "#b5bbc4"],
};

/** What a status is called and which mark a unit with it carries. Indices are those of the protocol. */
export const STATUSES = [
  { name: "idle", mark: "plain disc" },
  { name: "going", mark: "disc with a nose" },
  { name: "arrived", mark: "pale disc with a rim" },
  { name: "waiting", mark: "two bars" },
  { name: "stuck", mark: "cross in a red ring" },
  { name: "holding", mark: "square" },
  { name: "unreachable", mark: "struck through" },
  { name: "planning", mark: "ring" },
];
export const STATUS = { idle: 0, going: 1, arrived: 2, waiting: 3, stuck: 4, holding: 5, unreachable: 6, planning: 7 };

const GROUND = {
  light: { outside: "#e3e6e1", floor: "#f3f4ef", wall: "#5e6a68", road: "#efe8d6", grass: "#dfe8d3", swamp: "#d8dcc0", water: "#bcd6e2", forest: "#bcd6b3", costly: "#e6dccb" },
  dark: { outside: "#0c1012", floor: "#171d20", wall: "#56646a", road: "#2a2e2d", grass: "#18211b", swamp: "#252c20", water: "#14303f", forest: "#1a2e24", costly: "#2e2920" },
};
/** Accents that the map's shaders and the marks need. */
const MARKS = {
  light: { select: "#111820", plan: "#111820", warn: "#c2185b", grid: "#000000", ok: "#0b7a75" },
  dark: { select: "#ffffff", plan: "#f2f6f5", warn: "#ff5c93", grid: "#ffffff", ok: "#4fc3b7" },
};

/** Which ground a terrain is drawn as, by its name first and by its cost otherwise. */
function groundOf(terrain) {
  const name = terrain.name.toLowerCase();
  const known = [["water", /water|river|sea|ford/], ["swamp", /swamp|mud|marsh/], ["forest", /tree|forest|wood/], ["grass", /grass|meadow|lawn/], ["road", /road|bridge|street|path/]];
  if (/wall|rock|out|blocked/.test(name)) return "wall";
  for (const [ground, pattern] of known) if (pattern.test(name)) return ground;
  if (!terrain.passable) return "wall";
  return terrain.factor > 1 ? "costly" : "floor";
}

export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** A colour as the word that an image holds. */
export function wordOf(hex) {
  const [r, g, b] = rgb(hex);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** All colours for one theme: teams, the ground of every terrain id, and marks. */
export function colours(theme, terrains) {
  const ground = GROUND[theme];
  const terrain = new Map(terrains.map((each) => [each.id, ground[groundOf(each)]]));
  return { theme, teams: TEAMS[theme], ground, terrain, marks: MARKS[theme] };
}

export const teamColour = (scheme, team) => scheme.teams[team % scheme.teams.length];
