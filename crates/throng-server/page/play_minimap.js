/** The whole town in a corner: walls, bases, orbs, players, and the part in view. A click looks there. */

const LONGEST = 164;
const EVERY_MS = 200;

export function startMinimap(app, canvas) {
  const context = canvas.getContext("2d");
  setInterval(() => draw(app, canvas, context), EVERY_MS);
  const aim = (event) => {
    if (event.buttons !== 1 || !app.scene) return;
    const bounds = canvas.getBoundingClientRect();
    app.setFollow(false);
    app.camera.moveTo(((event.clientX - bounds.left) / bounds.width) * app.scene.width, ((event.clientY - bounds.top) / bounds.height) * app.scene.height);
  };
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); aim(event); });
  canvas.addEventListener("pointermove", aim);
}

function draw(app, canvas, context) {
  const { scene, state, camera, scheme, level } = app;
  if (!scene || !canvas.offsetParent) return;
  const scale = LONGEST / Math.max(scene.width, scene.height);
  const [width, height] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
  const ratio = Math.min(2, devicePixelRatio || 1);
  if (canvas.width !== width * ratio) {
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  }
  const { colours } = app.drawer;
  context.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
  context.fillStyle = colours.outside;
  context.fillRect(0, 0, scene.width, scene.height);
  for (const { name, path } of scene.levels[level].zones) {
    context.fillStyle = colours.room;
    if (name !== "outside") context.fill(path);
  }
  context.fillStyle = colours.wall;
  context.fill(scene.levels[level].shapes.get("wall"));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const spot = ({ x, y }, colour, radius) => {
    const [px, py] = scene.flip([x, y]);
    context.fillStyle = colour;
    context.beginPath();
    context.arc(px * scale, py * scale, radius, 0, 2 * Math.PI);
    context.fill();
  };
  state.newest?.orbs.forEach((orb) => spot(orb, colours.orb, 1.8));
  state.forEach((number, player) => spot(player, scheme.teams[state.people.get(number)?.team ?? 0], 2.2));
  if (state.me) {
    spot(state.me, colours.ink, 4.5);
    spot(state.me, scheme.teams[state.team], 3);
  }
  const [x0, y0] = camera.toWorld(0, 0);
  const [x1, y1] = camera.toWorld(camera.width, camera.height);
  context.strokeStyle = colours.ink;
  context.strokeRect(x0 * scale + 0.5, y0 * scale + 0.5, (x1 - x0) * scale - 1, (y1 - y0) * scale - 1);
}
