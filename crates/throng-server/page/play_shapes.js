/**
 * The shapes of teams. Each team has a colour and a shape of its own, so that no one depends on telling
 * colours apart.
 */

/** Corners on a circle, and the share of the radius of every second one. */
const SHAPES = [
  { name: "circles", corners: 0 },
  { name: "squares", corners: 4, turn: Math.PI / 4 },
  { name: "triangles", corners: 3 },
  { name: "diamonds", corners: 4 },
  { name: "stars", corners: 10, inner: 0.5 },
  { name: "hexagons", corners: 6 },
  { name: "crosses", corners: 8, inner: 0.42 },
  { name: "pentagons", corners: 5 },
];

export const teamName = (team) => `Team ${SHAPES[team % SHAPES.length].name}`;

/** Begins a path with the shape of a team. */
export function traceShape(context, team, x, y, radius) {
  const { corners, turn = 0, inner = 1 } = SHAPES[team % SHAPES.length];
  context.beginPath();
  if (!corners) return void context.arc(x, y, radius, 0, 2 * Math.PI);
  const grown = corners === 3 ? 1.3 : inner < 1 ? 1.25 : 1.12;
  for (let index = 0; index < corners; index++) {
    const angle = turn - Math.PI / 2 + (index * 2 * Math.PI) / corners;
    const reach = radius * grown * (index % 2 ? inner : 1);
    context.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach);
  }
  return void context.closePath();
}

/** A small canvas with the shape and colour of a team. */
export function teamMark(team, colour, size = 18) {
  const canvas = document.createElement("canvas");
  const ratio = 2;
  [canvas.width, canvas.height] = [size * ratio, size * ratio];
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  traceShape(context, team, size / 2, size / 2, size * 0.36);
  context.fillStyle = colour;
  context.fill();
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
