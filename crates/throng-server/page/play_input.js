/** Mouse, touch and keys of the game. The page only says where the player wants to go. */

const DRAG_PIXELS = 7;
const KEY_STEP = 1.2;
const KEY_EVERY_MS = 150;
/** So near to an opponent, in pixels, a click means the opponent. */
const TAG_PIXELS = 16;

/** Rows of the help: key, what it does. */
export const KEY_HELP = [
  ["Click, tap", "go there, around walls"], ["Right-click, Shift+click", "go straight there, as in the paper"],
  ["Click stairs", "climb them"], ["Click an opponent in reach", "tag"],
  ["Drag, wheel, pinch", "look around, zoom"], ["arrows", "walk straight"], ["Space, T", "tag the nearest opponent in reach"],
  ["X", "stop"], ["M", "path or straight"], ["F", "follow yourself"], ["PageUp, PageDown", "look at another level"],
  ["Z", "zones"], ["I", "interest map"], ["+ −", "zoom"], ["Home", "whole town"], ["J", "join or leave"], ["L", "light or dark"], ["?", "rules and keys"],
];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function startInput(app, canvas, actions) {
  new Pointers(app, canvas);
  startKeys(app, actions);
}

class Pointers {
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    this.down = new Map();
    this.moved = false;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.down.delete(event.pointerId));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  place({ clientX, clientY }) {
    const bounds = this.canvas.getBoundingClientRect();
    return [clientX - bounds.left, clientY - bounds.top];
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    if (!this.down.size) this.moved = false;
    const at = this.place(event);
    this.down.set(event.pointerId, { start: at, last: at });
  }

  move(event) {
    const pointer = this.down.get(event.pointerId);
    if (!pointer) return;
    const at = this.place(event);
    if (!this.moved && Math.hypot(at[0] - pointer.start[0], at[1] - pointer.start[1]) < DRAG_PIXELS) return;
    this.moved = true;
    const before = this.spread();
    const last = pointer.last;
    pointer.last = at;
    if (this.down.size > 1) {
      const [x, y, distance] = this.spread();
      this.app.camera.zoomAt(x, y, distance / Math.max(1, before[2]));
    }
    this.app.setFollow(false);
    this.app.camera.panBy((at[0] - last[0]) / this.down.size, (at[1] - last[1]) / this.down.size);
  }

  /** The middle of two fingers and their distance. */
  spread() {
    const [a, b] = [...this.down.values()].map((pointer) => pointer.last);
    return b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, Math.hypot(a[0] - b[0], a[1] - b[1])] : [...a, 1];
  }

  release(event) {
    const known = this.down.delete(event.pointerId);
    if (!known || this.moved || this.down.size) return;
    const other = event.button === 2 || event.shiftKey;
    clickAt(this.app, this.place(event), other);
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.app.camera.zoomAt(...this.place(event), Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)));
  }
}

/** A click: tags an opponent there, or goes there; `other` takes the other way to go. */
function clickAt(app, [px, py], other) {
  const { camera, scene, state } = app;
  if (!scene) return;
  if (state.own === null) return void app.offerJoin();
  if (!other && opponentAt(app, px, py)) return void app.tag();
  const [x, y] = scene.flip(camera.toWorld(px, py));
  if (x < 0 || y < 0 || x > scene.width || y > scene.height) return;
  app.go(x, y, other ? app.otherMode : app.mode);
}

function opponentAt(app, px, py) {
  const { camera, scene, state, level } = app;
  const { me } = state;
  let found = false;
  state.forEach((number, player, x, y) => {
    if (player.level !== level || !me || state.people.get(number)?.team === state.team) return;
    const [ox, oy] = camera.toScreen(...scene.flip([x, y]));
    const near = Math.hypot(player.x - me.x, player.y - me.y) <= state.hello.reach;
    if (near && Math.hypot(ox - px, oy - py) <= TAG_PIXELS) found = true;
  });
  return found;
}

function startKeys(app, actions) {
  const held = new Set();
  let timer = null;
  const table = {
    " ": actions.tag, t: actions.tag, x: actions.stop, m: actions.mode, f: actions.follow, z: actions.zones, i: actions.interest,
    j: actions.join, l: actions.theme, "?": actions.help, PageUp: () => actions.level(1), PageDown: () => actions.level(-1),
    "+": () => actions.zoom(1.25), "=": () => actions.zoom(1.25), "-": () => actions.zoom(0.8), Home: actions.fit,
  };
  const steer = () => walk(app, [...held]);
  addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.closest?.("button, a")) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      if (held.has(event.key)) return;
      held.add(event.key);
      steer();
      timer ??= setInterval(steer, KEY_EVERY_MS);
      return;
    }
    const action = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  const stop = (keys) => {
    keys.forEach((key) => held.delete(key));
    if (held.size || timer === null) return;
    clearInterval(timer);
    timer = null;
    if (app.state.own !== null) app.link.send("stop");
  };
  addEventListener("keyup", (event) => { if (event.key in ARROWS) stop([event.key]); });
  addEventListener("blur", () => stop([...held]));
}

/** The arrow keys: straight on for a little; they move the view for somebody who watches. */
function walk(app, keys) {
  const [dx, dy] = keys.reduce(([x, y], key) => [x + ARROWS[key][0], y + ARROWS[key][1]], [0, 0]);
  if (!dx && !dy) return;
  const { me } = app.state;
  if (!me) return void app.camera.panBy(-dx * 60, dy * 60);
  const length = KEY_STEP / Math.hypot(dx, dy);
  const inside = (value, most) => Math.min(most, Math.max(0, value));
  const { width, height } = app.scene;
  app.setLevel(me.level);
  app.link.send("go", { x: inside(me.x + dx * length, width), y: inside(me.y + dy * length, height), how: "straight" });
}
