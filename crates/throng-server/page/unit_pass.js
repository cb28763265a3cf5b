/**
 * Draws all units with WebGL2 in one call, on a clear ground.
 *
 * The vertex shader reads the 16 bytes of each from a texture: six vertices per unit, or one point if units are
 * small. Instanced quads are as fast on a graphics card, but in software each instance costs as much as a call.
 */
import { POINT_FRAGMENT, POINT_VERTEX, UNIT_FRAGMENT, UNIT_VERTEX } from "./shaders.js";
import { INSTANCE_WORDS } from "./instances.js";
import { program, setView, texture } from "./gl.js";
import { rgb } from "./palette.js";

const DATA_UNIT = 2;
/** Units in a row of the texture; the shader has the same number. */
export const ROW = 1024;
const VERTICES = 6;
/** Below so many pixels per cell, units are dots without marks. */
const FAR_SCALE = 3;

export class UnitPass {
  constructor(gl) {
    this.gl = gl;
    this.near = program(gl, UNIT_VERTEX, UNIT_FRAGMENT);
    this.far = program(gl, POINT_VERTEX, POINT_FRAGMENT);
    this.empty = gl.createVertexArray();
    this.rows = 0;
    texture(gl, DATA_UNIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  setColours(scheme) {
    const unit3 = (hex) => rgb(hex).map((each) => each / 255);
    this.teams = new Float32Array(scheme.teams.flatMap(unit3));
    [this.floor, this.select, this.warn] = [scheme.ground.floor, scheme.marks.select, scheme.marks.warn].map((hex) => new Float32Array(unit3(hex)));
    this.dark = scheme.theme === "dark" ? 1 : 0;
  }

  upload(instances) {
    const { gl } = this;
    const rows = Math.ceil(instances.count / ROW);
    gl.activeTexture(gl.TEXTURE0 + DATA_UNIT);
    if (rows > this.rows) {
      this.rows = instances.words.length / INSTANCE_WORDS / ROW;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32UI, ROW, this.rows, 0, gl.RGBA_INTEGER, gl.UNSIGNED_INT, null);
    }
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, rows, gl.RGBA_INTEGER, gl.UNSIGNED_INT, instances.words);
  }

  draw(camera, instances, ratio) {
    const { gl } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!instances.count) return;
    this.upload(instances);
    const isFar = camera.scale * ratio < FAR_SCALE;
    const { made, uniforms } = isFar ? this.far : this.near;
    gl.useProgram(made);
    gl.bindVertexArray(this.empty);
    setView(gl, uniforms, camera, ratio);
    gl.uniform1i(uniforms.u_units, DATA_UNIT);
    gl.uniform3fv(uniforms.u_teams, this.teams);
    gl.uniform3fv(uniforms.u_floor, this.floor);
    gl.uniform3fv(uniforms.u_select, this.select);
    gl.uniform3fv(uniforms.u_warn, this.warn);
    gl.uniform1f(uniforms.u_dark, this.dark);
    if (isFar) gl.drawArrays(gl.POINTS, 0, instances.count);
    else gl.drawArrays(gl.TRIANGLES, 0, instances.count * VERTICES);
  }
}
