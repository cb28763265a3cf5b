/**
 * What the parts of the page share: the panes, the selection, the tool, and who draws marks.
 *
 * Events: "panes" (others are shown), "hello" (a world starts or restarts), "text" (a message of a pane),
 * "frame", "state", "selection", "tool", "theme".
 */
import { Pane } from "./pane.js";
import { byId } from "./dom.js";
import { toast } from "./toast.js";

export class App extends EventTarget {
  constructor() {
    super();
    this.panes = [];
    this.active = 0;
    this.selection = new Set();
    this.tool = "select";
    /** The order that the next click on the map gives, or null. */
    this.aim = null;
    /** How groups stand at the end of their way. */
    this.formation = "none";
    /** Functions (context, pane, now) that draw above the units and return whether they drew. */
    this.painters = [];
    this.panelOpen = innerWidth >= 1100;
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  on(type, handler) {
    this.addEventListener(type, (event) => handler(event.detail));
  }

  /** The pane that keys, minimap and inspector refer to. */
  get pane() { return this.panes[this.active] ?? this.panes[0]; }
  get comparing() { return this.panes.length > 1; }
  get recording() { return this.pane && !this.pane.link; }

  /** Replaces the panes by new ones for these worlds. */
  show(worlds) {
    for (const pane of this.panes) pane.close();
    this.active = 0;
    this.panes = worlds.map((world) => this.addPane(world));
    this.select([]);
    document.body.classList.toggle("comparing", this.comparing);
    document.body.classList.toggle("recorded", this.recording);
    this.emit("panes");
    return this.panes;
  }

  addPane(world) {
    const pane = new Pane();
    pane.selected = this.selection;
    pane.addEventListener("hello", (event) => this.greet(pane, event.detail));
    pane.addEventListener("map", () => this.fit(pane));
    pane.addEventListener("frame", () => this.emit("frame", pane));
    pane.addEventListener("state", (event) => this.emit("state", { pane, state: event.detail }));
    pane.addEventListener("text", (event) => this.hear(pane, event.detail));
    if (world !== null) pane.connect(world);
    return pane;
  }

  greet(pane, message) {
    this.select([]);
    this.emit("hello", { pane, message });
  }

  hear(pane, message) {
    if (message.type === "error") toast(message.message, "error");
    this.emit("text", { pane, message });
  }

  /** Sends to every world that is shown, so that compared worlds get the same orders. */
  broadcast(type, fields) {
    let sent = 0;
    for (const pane of this.panes) sent = pane.send(type, fields) || sent;
    if (!sent && !this.recording) toast("Not connected: the server will be tried again.", "error");
    return sent;
  }

  select(ids) {
    this.selection.clear();
    for (const id of ids) this.selection.add(id);
    for (const pane of this.panes) pane.changes++;
    this.emit("selection");
  }

  setTool(tool) {
    this.tool = tool;
    this.aim = null;
    this.emit("tool");
  }

  setAim(aim) {
    this.aim = aim;
    this.emit("tool");
  }

  /** Pixels at each side of a pane that panels cover. */
  insets() {
    if (this.comparing) return { left: 16, right: 16, top: 92, bottom: 20 };
    const right = this.panelOpen && innerWidth >= 1000 ? byId("panel").offsetWidth + 28 : 20;
    return { left: 76, right, top: 56, bottom: 20 };
  }

  fit(pane = null) {
    for (const each of pane ? [pane] : this.panes) {
      each.resize();
      each.camera.fit(this.insets());
    }
  }

  /** Changes a camera; compared worlds are shown from the same point. */
  moveCamera(pane, change) {
    change(pane.camera);
    for (const other of this.panes) if (other !== pane) other.camera.copy(pane.camera);
  }
}
