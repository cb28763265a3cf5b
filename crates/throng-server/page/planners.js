/** The planners that can move the units of a world: name, title, and what each does. */
import { make } from "./dom.js";

export const PLANNERS = [
  { name: "throng", title: "throng", about: "The live world: windows over routes, single steps by priority inheritance in crowds, turns at narrow doors, joint plans for units that block each other. Knows every order." },
  { name: "whca", title: "WHCA*", about: "As published by Silver: each unit plans 16 ticks around the plans of the others, guided by its true distance." },
  { name: "lra", title: "LRA*", about: "As in most games: each unit plans alone, and searches another path when somebody is in its way." },
];

/** The title of a planner; another name stays as it is. */
export const plannerTitle = (name) => PLANNERS.find((planner) => planner.name === name)?.title ?? name;

/** A row for each planner, for the help. */
export const plannerRows = () => make("dl", { class: "planners" },
  ...PLANNERS.flatMap(({ title, about }) => [make("dt", {}, title), make("dd", {}, about)]));
