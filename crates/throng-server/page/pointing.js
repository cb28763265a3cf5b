/**
 * Mouse and touch on the panes: pan, zoom, select, order, and the strokes of the tools.
 *
 * Mouse: left selects or draws, right orders (dragged: pans), middle pans, wheel zooms. Touch: one finger
 * pans, a tap selects or orders, two fingers zoom, a long press orders.
 */
import { beginStroke, hover } from "./strokes.js";
import { pointer } from "./marks.js";
import { complete } from "./orders.js";
import { selectAt, selectBox, selectKind } from "./selection.js";

const DRAG_PIXELS = 6;
const LONG_PRESS_MS = 500;
const DOUBLE_MS = 350;

export function startPointing(app) {
  const gestures = new Gestures(app);
  app.on("panes", () => app.panes.forEach((pane, index) => gestures.attach(pane, index)));
}

const cellObject = ([x, y]) => ({ x, y });

class Gestures {
  constructor(app) {
    this.app = app;
    this.touches = new Map();
    this.drag = null;
    this.lastClick = { at: 0, px: 0, py: 0 };
  }

  attach(pane, index) {
    const area = pane.element;
    const place = (event) => {
      const bounds = area.getBoundingClientRect();
      return [event.clientX - bounds.left, event.clientY - bounds.top];
    };
    area.addEventListener("pointerdown", (event) => {
      this.app.active = index;
      area.setPointerCapture(event.pointerId);
      this.down(pane, event, ...place(event));
    });
    area.addEventListener("pointermove", (event) => this.move(pane, event, ...place(event)));
    area.addEventListener("pointerup", (event) => this.up(pane, event, ...place(event)));
    area.addEventListener("pointercancel", (event) => this.cancel(event));
    area.addEventListener("pointerleave", () => { pointer.brush = null; pointer.preview = null; });
    area.addEventListener("contextmenu", (event) => event.preventDefault());
    area.addEventListener("wheel", (event) => this.wheel(pane, event, ...place(event)), { passive: false });
  }

  cell(pane, px, py) {
    return pane.camera.toWorld(px, py).map(Math.floor);
  }

  wheel(pane, event, px, py) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) return this.app.moveCamera(pane, (camera) => camera.panBy(-(event.deltaX || event.deltaY) * lines, 0));
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016));
    return this.app.moveCamera(pane, (camera) => camera.zoomAt(px, py, factor));
  }

  down(pane, event, px, py) {
    if (event.pointerType === "touch") {
      this.touches.set(event.pointerId, [px, py]);
      if (this.touches.size === 2) return this.beginPinch(pane);
      if (this.touches.size > 2) return undefined;
    }
    this.drag = { pane, startX: px, startY: py, lastX: px, lastY: py, moved: false, kind: this.kindOf(event), since: performance.now() };
    if (this.drag.kind === "order" && this.app.selection.size > 1) pointer.preview = cellObject(this.cell(pane, px, py));
    if (this.drag.kind === "stroke") this.drag.stroke = beginStroke(this.app, pane, this.cell(pane, px, py));
    return undefined;
  }

  kindOf(event) {
    if (event.button === 1) return "pan";
    if (event.button === 2) return "order";
    if (this.app.tool !== "select") return "stroke";
    if (this.app.aim) return "aim";
    return event.pointerType === "touch" ? "touch" : "select";
  }

  beginPinch(pane) {
    this.drag = null;
    pointer.box = null;
    this.pinch = { pane, points: [...this.touches.values()] };
  }

  move(pane, event, px, py) {
    if (this.touches.has(event.pointerId)) this.touches.set(event.pointerId, [px, py]);
    if (this.pinch && this.touches.size === 2) return this.movePinch();
    if (!this.drag) return this.hover(pane, px, py);
    const { drag } = this;
    const far = Math.hypot(px - drag.startX, py - drag.startY) > DRAG_PIXELS;
    drag.moved ||= far;
    if (drag.kind === "stroke") drag.stroke.move(this.cell(drag.pane, px, py));
    else if (drag.moved) this.dragOn(drag, px, py);
    [drag.lastX, drag.lastY] = [px, py];
    return undefined;
  }

  dragOn(drag, px, py) {
    if (drag.kind === "select") {
      const [x0, y0] = drag.pane.camera.toWorld(drag.startX, drag.startY);
      const [x1, y1] = drag.pane.camera.toWorld(px, py);
      pointer.box = { x0, y0, x1, y1 };
    } else if (drag.kind !== "aim") {
      this.app.moveCamera(drag.pane, (camera) => camera.panBy(px - drag.lastX, py - drag.lastY));
    }
  }

  movePinch() {
    const { pane, points } = this.pinch;
    const now = [...this.touches.values()];
    const middle = (pair) => [(pair[0][0] + pair[1][0]) / 2, (pair[0][1] + pair[1][1]) / 2];
    const spread = (pair) => Math.hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]) || 1;
    const [from, to] = [middle(points), middle(now)];
    this.app.moveCamera(pane, (camera) => {
      camera.panBy(to[0] - from[0], to[1] - from[1]);
      camera.zoomAt(to[0], to[1], spread(now) / spread(points));
    });
    this.pinch.points = now;
  }

  hover(pane, px, py) {
    const cell = this.cell(pane, px, py);
    pointer.preview = this.app.tool === "select" && this.app.selection.size > 1 && this.app.aim?.needs === "cell" ? cellObject(cell) : null;
    if (this.app.tool !== "select" && pane.hello) hover(this.app, pane, cell);
  }

  up(pane, event, px, py) {
    this.touches.delete(event.pointerId);
    if (this.pinch) {
      if (!this.touches.size) this.pinch = null;
      return;
    }
    const { drag } = this;
    this.drag = null;
    const { box } = pointer;
    pointer.box = null;
    pointer.preview = null;
    if (!drag) return;
    if (drag.kind === "stroke") drag.stroke.end(this.cell(drag.pane, px, py));
    else if (drag.moved && drag.kind === "select" && box) selectBox(this.app, drag.pane, box, event.shiftKey);
    else if (!drag.moved) this.click(drag, event, px, py);
  }

  click(drag, event, px, py) {
    const { app } = this;
    const { pane, kind } = drag;
    if (kind === "order" || kind === "aim") return complete(app, pane, px, py, event.shiftKey);
    if (kind === "pan") return undefined;
    const now = performance.now();
    const double = now - this.lastClick.at < DOUBLE_MS && Math.hypot(px - this.lastClick.px, py - this.lastClick.py) < 12;
    this.lastClick = { at: now, px, py };
    if (kind === "touch" && app.selection.size && (now - drag.since > LONG_PRESS_MS || pane.unitAt(px, py) === null)) {
      return complete(app, pane, px, py, false);
    }
    return double ? selectKind(app, pane, px, py) : selectAt(app, pane, px, py, event.shiftKey);
  }

  cancel(event) {
    this.touches.delete(event.pointerId);
    this.drag = null;
    this.pinch = null;
    pointer.box = null;
  }
}
