/** Draws what moves and what lies around: bases, orbs, players with shape, heading, name, orbs and state. */
import { DOING } from "./play_protocol.js";
import { traceShape } from "./play_shapes.js";

/** Names of computer players are drawn from this scale on, in pixels per unit. */
const NAMES_SCALE = 60;

/** Half the size of a player on the page: at least its body, and large enough to be seen. */
const tokenSize = (camera) => Math.max(6.5, camera.scale * 0.17);

export function drawBases(context, { state, scene, camera, scheme, level }, colours) {
  const { bases, reach } = state.hello ?? {};
  bases?.forEach(([x, y, at], team) => {
    if (at !== level) return;
    const [px, py] = camera.toScreen(...scene.flip([x, y]));
    const radius = Math.max(14, reach * camera.scale);
    context.fillStyle = scheme.teams[team];
    context.globalAlpha = 0.22;
    context.beginPath();
    context.arc(px, py, radius, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = scheme.teams[team];
    context.lineWidth = team === state.team ? 4 : 2.5;
    context.stroke();
    context.globalAlpha = 0.6;
    context.fillStyle = scheme.teams[team];
    traceShape(context, team, px, py, radius * 0.42);
    context.fill();
    context.globalAlpha = 1;
    if (team === state.team) label(context, "your base", px, py - radius - 6, colours, true);
  });
}

export function drawOrbs(context, { state, scene, camera, level }, colours) {
  const orbs = state.newest?.orbs ?? [];
  const radius = Math.max(4.5, camera.scale * 0.12);
  for (const orb of orbs) {
    const [x, y] = camera.toScreen(...scene.flip([orb.x, orb.y]));
    context.globalAlpha = orb.level === level ? 1 : 0.3;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colours.orb;
    context.fill();
    context.lineWidth = 1.8;
    context.strokeStyle = colours.orbEdge;
    context.stroke();
    context.beginPath();
    context.arc(x - radius * 0.3, y - radius * 0.3, radius * 0.28, 0, 2 * Math.PI);
    context.fillStyle = "#ffffff";
    context.fill();
  }
  context.globalAlpha = 1;
}

export function drawPlayers(context, app, colours) {
  const { state, scene, camera } = app;
  const later = [];
  state.forEach((number, player, x, y) => {
    const [px, py] = camera.toScreen(...scene.flip([x, y]));
    if (px < -40 || py < -40 || px > camera.width + 40 || py > camera.height + 40) return;
    const token = { number, player, px, py, own: number === state.own, person: state.people.get(number) };
    // People are drawn over computer players, the own player over all.
    if (token.own || token.person?.computer === false) later.push(token);
    else drawPlayer(context, app, colours, token);
  });
  later.sort((a, b) => a.own - b.own).forEach((token) => drawPlayer(context, app, colours, token));
}

function drawPlayer(context, app, colours, { player, px, py, own, person }) {
  const { camera, scheme, level } = app;
  const team = person?.team ?? 0;
  const size = tokenSize(camera) * (own ? 1.2 : 1);
  const here = player.level === level;
  context.globalAlpha = here ? 1 : 0.22;
  if (here && own) drawOwnRing(context, px, py, size, colours);
  if (here) drawNose(context, player, px, py, size, scheme.teams[team]);
  traceShape(context, team, px, py, size);
  context.fillStyle = scheme.teams[team];
  context.fill();
  context.lineWidth = own ? 2.5 : 1.3;
  context.strokeStyle = own ? colours.ink : colours.paper;
  context.stroke();
  if (here) drawMarks(context, player, px, py, size, colours);
  context.globalAlpha = 1;
  const named = person && (!person.computer || camera.scale >= NAMES_SCALE);
  if (here && named) label(context, own ? `${person.name} (you)` : person.name, px, py + size + 14, colours, !person.computer);
}

function drawOwnRing(context, px, py, size, colours) {
  context.beginPath();
  context.arc(px, py, size * 1.9, 0, 2 * Math.PI);
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.stroke();
}

/** A wedge in the direction of the last step. */
function drawNose(context, { dx, dy }, px, py, size, colour) {
  const [x, y] = [dx, -dy];
  context.beginPath();
  context.moveTo(px + x * size * 1.75, py + y * size * 1.75);
  context.lineTo(px + x * size * 0.5 - y * size * 0.6, py + y * size * 0.5 + x * size * 0.6);
  context.lineTo(px + x * size * 0.5 + y * size * 0.6, py + y * size * 0.5 - x * size * 0.6);
  context.closePath();
  context.fillStyle = colour;
  context.fill();
}

/** Orbs that are carried; a cross over who cannot move; a dashed ring around who is safe. */
function drawMarks(context, { carried, doing, safe }, px, py, size, colours) {
  for (let orb = 0; orb < carried; orb++) {
    context.beginPath();
    context.arc(px + (orb - (carried - 1) / 2) * size * 0.95, py - size * 1.45, size * 0.42, 0, 2 * Math.PI);
    context.fillStyle = colours.orb;
    context.fill();
    context.strokeStyle = colours.orbEdge;
    context.lineWidth = 1.3;
    context.stroke();
  }
  context.strokeStyle = colours.ink;
  if (doing === DOING.tickled) {
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(px - size * 0.6, py - size * 0.6);
    context.lineTo(px + size * 0.6, py + size * 0.6);
    context.moveTo(px + size * 0.6, py - size * 0.6);
    context.lineTo(px - size * 0.6, py + size * 0.6);
    context.stroke();
  }
  if (!safe) return;
  context.lineWidth = 1.5;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.arc(px, py, size * 1.5, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
}

/** A text under a point; near the sides of the view it moves inwards. */
function label(context, text, wantedX, y, colours, strong) {
  context.font = `${strong ? 600 : 400} ${strong ? 13 : 11}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`;
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  const half = context.measureText(text).width / 2 + 4;
  const width = context.canvas.clientWidth;
  const inside = wantedX > -half && wantedX < width + half;
  const x = inside ? Math.max(half, Math.min(width - half, wantedX)) : wantedX;
  context.strokeText(text, x, y);
  context.fillStyle = colours.ink;
  context.fillText(text, x, y);
}
