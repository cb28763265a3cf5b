/**
 * Draws ground and units with WebGL2 on two canvases, one over the other.
 *
 * The ground has many more pixels than the units and seldom changes: it is drawn only when it does.
 */
import { GroundPass } from "./ground_pass.js";
import { UnitPass } from "./unit_pass.js";

export class GlDrawer {
  /** Returns null where WebGL2 is missing. */
  static create(below, above) {
    const common = { antialias: false, depth: false, powerPreference: "high-performance" };
    const ground = below.getContext("webgl2", { ...common, alpha: false });
    const units = ground && above.getContext("webgl2", common);
    return units ? new GlDrawer(ground, units) : null;
  }

  constructor(ground, units) {
    this.name = "WebGL2";
    this.map = this.scheme = this.layer = null;
    this.setUp(ground, "ground", GroundPass);
    this.setUp(units, "units", UnitPass);
  }

  /** Builds what a canvas needs, and builds it again after the browser took its memory away. */
  setUp(gl, name, Pass) {
    this[name] = new Pass(gl);
    gl.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    gl.canvas.addEventListener("webglcontextrestored", () => {
      this[name] = new Pass(gl);
      if (this.map) this.setMap(this.map);
      if (this.scheme) this.setColours(this.scheme);
      this.setLayer(this.layer);
    });
  }

  setColours(scheme) {
    this.scheme = scheme;
    this.ground.setColours(scheme);
    this.units.setColours(scheme);
  }

  setMap(map) {
    this.map = map;
    this.ground.setMap(map);
  }

  /** An RGBA byte per cell and channel that is laid over the ground, or null. */
  setLayer(rgba) {
    this.layer = rgba;
    this.ground.setLayer(rgba);
  }

  /** Makes the next frame draw the ground, whatever has changed. */
  redraw() {
    this.ground.changes++;
  }

  draw(camera, instances, ratio) {
    if (!this.map || !this.scheme) return;
    this.ground.draw(camera, ratio);
    this.units.draw(camera, instances, ratio);
  }
}
