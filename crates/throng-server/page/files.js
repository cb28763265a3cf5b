/** Save and load snapshots, download replays, show plans from files: the file menu, and files dropped on the page. */
import * as api from "./api.js";
import { byId, dialog, icon, make } from "./dom.js";
import { isMap, showRecording, showReplay } from "./recording.js";
import { toast } from "./toast.js";

/** The server takes no more. */
const BYTES_MAX = 8 * 1024 * 1024;
/** The first letters of a replay's file. */
const REPLAY = "throngRP";
/** How many units a world gets on a map that is opened. */
const UNITS_ON_MAP = 200;

export function startFiles(app, timebar, worlds) {
  const report = (task) => task.catch((error) => toast(error.message, "error"));
  const open = (list) => report(openFiles(app, timebar, worlds, [...list]));
  byId("files").append(icon("files"));
  byId("files").addEventListener("click", () => showMenu(app, worlds, report, open));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) open(event.dataTransfer.files);
  });
}

function showMenu(app, worlds, report, open) {
  const picker = make("input", { type: "file", multiple: true, hidden: true, id: "file-picker", onchange: () => { box.close(); open(picker.files); } });
  const entry = (title, hint, action) => make("button", { class: "scenario", onclick: action }, make("strong", {}, title), make("span", {}, hint));
  const box = dialog("Files", "menu", make("div", { class: "cards" },
    app.recording
      ? entry("Back to the live world", "Close this recording.", () => { box.close(); worlds.leaveRecording(); })
      : entry("Save the world", "A snapshot: it continues bit for bit.", () => { box.close(); report(save(app, "snapshot", "throng")); }),
    app.recording ? null : entry("Download the replay", "Every command since the start: open it here or elsewhere to see the run again.", () => { box.close(); report(save(app, "replay", "replay")); }),
    entry("Open a file", "A snapshot, a replay, a map, or a plan in any format that throng reads, with its map.", () => picker.click())), picker);
}

async function save(app, what, extension) {
  const { id, scenario } = app.pane.hello.world;
  const blob = await api[what](id);
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: `throng-${scenario || id}-${app.pane.history.last}.${extension}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function openFiles(app, timebar, worlds, list) {
  const large = list.find((file) => file.size > BYTES_MAX);
  if (large) throw new Error(`${large.name} has more than ${BYTES_MAX / 1024 / 1024} MiB.`);
  const files = await Promise.all(list.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
  if (files.length === 1 && !isText(files[0].bytes)) return openBinary(app, timebar, files[0]);
  const texts = files.map(({ name, bytes }) => ({ name, text: new TextDecoder().decode(bytes) }));
  if (texts.length === 1 && isMap(texts[0])) return worlds.openMap(texts[0].name, texts[0].text, UNITS_ON_MAP);
  return showRecording(app, timebar, texts);
}

async function openBinary(app, timebar, file) {
  const letters = new TextDecoder().decode(new Uint8Array(file.bytes, 0, Math.min(REPLAY.length, file.bytes.byteLength)));
  if (letters === REPLAY) return showReplay(app, timebar, file);
  if (app.recording) throw new Error("Go back to the live world first, then load the snapshot.");
  await api.restore(app.pane.hello.world.id, file.bytes);
  return toast(`${file.name} is loaded.`);
}

/** Text has no zero bytes; snapshots have many. */
function isText(bytes) {
  return !new Uint8Array(bytes, 0, Math.min(4096, bytes.byteLength)).includes(0);
}
