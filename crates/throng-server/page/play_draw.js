/** Draws the view: the scene of one level, overlays, bases, orbs, players, and the own way. */
import { drawBases, drawOrbs, drawPlayers } from "./play_tokens.js";

const TINTS = ["#0072b2", "#d97706", "#009e73", "#b5498b", "#3b9ad9", "#8a7a00", "#d1480f"];
const COLOURS = {
  light: { outside: "#dfe5dc", room: "#f6f4ee", wall: "#4c5654", tree: "#7fae7c", fence: "#a08a63", furniture: "#c9b79a", block: "#8d8d8d", door: "#b9812f", stairs: "#3d4a52", ink: "#18201f", paper: "#ffffff", orb: "#f2b705", orbEdge: "#5b4300", way: "#18201f", heat: [190, 60, 20] },
  dark: { outside: "#141b18", room: "#20262a", wall: "#7d8b8f", tree: "#2f5a3c", fence: "#6d5c3e", furniture: "#4c4233", block: "#55595c", door: "#d9a250", stairs: "#b7c4cb", ink: "#e7eceb", paper: "#0c1012", orb: "#ffd23e", orbEdge: "#1d1600", way: "#f2f6f5", heat: [255, 140, 60] },
};

export class Drawer {
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.ratio = 1;
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [Math.round(clientWidth * this.ratio), Math.round(clientHeight * this.ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    this.app.camera.resize(clientWidth, clientHeight);
  }

  get colours() {
    return COLOURS[this.app.theme];
  }

  draw() {
    const { app, context } = this;
    const { camera, scene } = app;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = app.scheme.ground.outside;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (!scene) return;
    this.enterWorld(context, camera);
    this.drawLevel(context, scene, app.level);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (app.zones) this.drawZoneNames(context, scene.levels[app.level], camera);
    this.drawStairs(context, scene.levels[app.level], camera);
    drawBases(context, app, this.colours);
    this.drawWay(context);
    drawOrbs(context, app, this.colours);
    drawPlayers(context, app, this.colours);
  }

  enterWorld(context, camera) {
    const scale = camera.scale * this.ratio;
    const [left, top] = camera.toScreen(0, 0);
    context.setTransform(scale, 0, 0, scale, left * this.ratio, top * this.ratio);
  }

  drawLevel(context, scene, level) {
    const { colours, app } = this;
    context.fillStyle = colours.outside;
    context.fillRect(0, 0, scene.width, scene.height);
    context.strokeStyle = colours.wall;
    context.lineWidth = 0.05;
    context.strokeRect(0, 0, scene.width, scene.height);
    if (level > 0) {
      context.globalAlpha = 0.25;
      this.drawObstacles(context, scene.levels[0]);
      context.globalAlpha = 1;
    }
    scene.levels[level].zones.forEach(({ name, path }, index) => {
      if (name === "outside") return;
      context.fillStyle = colours.room;
      context.fill(path);
      if (!app.zones) return;
      context.globalAlpha = 0.2;
      context.fillStyle = TINTS[index % TINTS.length];
      context.fill(path);
      context.globalAlpha = 1;
    });
    app.interest.draw(context, scene, level, colours.heat);
    this.drawDoors(context, scene.levels[level]);
    this.drawObstacles(context, scene.levels[level]);
  }

  drawObstacles(context, { shapes }) {
    for (const [kind, path] of shapes) {
      context.fillStyle = this.colours[kind];
      context.fill(path);
    }
  }

  /** A door is a threshold between its two passage points. */
  drawDoors(context, { doors }) {
    context.strokeStyle = this.colours.door;
    context.lineCap = "butt";
    context.lineWidth = 0.3;
    context.globalAlpha = this.app.zones ? 0.9 : 0.45;
    context.beginPath();
    for (const [[x0, y0], [x1, y1]] of doors) {
      // Across the way, a quarter of a unit wide, at its middle.
      const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
      const length = Math.hypot(x1 - x0, y1 - y0) || 1;
      const [dx, dy] = [((x1 - x0) / length) * 0.06, ((y1 - y0) / length) * 0.06];
      context.moveTo(mx - dx, my - dy);
      context.lineTo(mx + dx, my + dy);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Stairs: steps, and an arrow up or down. */
  drawStairs(context, { stairs }, camera) {
    const half = Math.max(7, camera.scale * 0.26);
    for (const { at, up } of stairs) {
      const [x, y] = camera.toScreen(...at);
      context.fillStyle = this.colours.stairs;
      context.beginPath();
      context.roundRect(x - half, y - half, 2 * half, 2 * half, 3);
      context.fill();
      context.strokeStyle = this.colours.paper;
      context.lineWidth = Math.max(1.5, half / 6);
      context.beginPath();
      const sign = up ? 1 : -1;
      context.moveTo(x, y + sign * half * 0.6);
      context.lineTo(x, y - sign * half * 0.6);
      context.moveTo(x - half * 0.45, y - sign * half * 0.15);
      context.lineTo(x, y - sign * half * 0.6);
      context.lineTo(x + half * 0.45, y - sign * half * 0.15);
      context.stroke();
    }
  }

  drawZoneNames(context, { zones }, camera) {
    if (camera.scale < 34) return;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillStyle = this.colours.ink;
    context.globalAlpha = 0.75;
    for (const { name, centre } of zones) if (name !== "outside") context.fillText(name.replace(/^.*level \d+ /, ""), ...camera.toScreen(...centre));
    context.globalAlpha = 1;
  }

  /** The known part of the own way as a line, the part that is still to be found dashed. */
  drawWay(context) {
    const { app } = this;
    const { camera, state, scene } = app;
    const me = state.own === null ? null : state.place(state.own);
    if (!me || !state.way) return;
    const { known, rest } = state.way;
    context.strokeStyle = this.colours.way;
    context.lineCap = "round";
    let before = [me.x, me.y, me.level];
    const line = (to, dash) => {
      if (before[2] === app.level && to[2] === app.level) {
        context.setLineDash(dash);
        context.lineWidth = dash.length ? 1.5 : 2.5;
        context.globalAlpha = dash.length ? 0.45 : 0.6;
        context.beginPath();
        context.moveTo(...camera.toScreen(...scene.flip(before)));
        context.lineTo(...camera.toScreen(...scene.flip(to)));
        context.stroke();
      }
      before = to;
    };
    known.forEach((to) => line(to, []));
    if (rest) line(rest, [5, 6]);
    context.setLineDash([]);
    context.globalAlpha = 1;
    const goal = rest ?? known[known.length - 1];
    if (goal && goal[2] === app.level) this.drawGoal(context, ...camera.toScreen(...scene.flip(goal)));
  }

  drawGoal(context, x, y) {
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.moveTo(x - 10, y);
    context.lineTo(x + 10, y);
    context.moveTo(x, y - 10);
    context.lineTo(x, y + 10);
    context.stroke();
  }
}
