/** Draws ground and units with WebGL2: one quad for the ground, one instanced quad per unit. */
import { GROUND_FRAGMENT, GROUND_VERTEX, UNIT_FRAGMENT, UNIT_VERTEX } from "./shaders.js";
import { INSTANCE_BYTES } from "./instances.js";
import { rgb } from "./palette.js";

const unit3 = (hex) => rgb(hex).map((each) => each / 255);

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const uniforms = {};
  const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
  for (let index = 0; index < count; index++) {
    const { name } = gl.getActiveUniform(made, index);
    uniforms[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
  }
  return { made, uniforms };
}

export class GlDrawer {
  /** Returns null where WebGL2 is missing. */
  static create(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
    return gl ? new GlDrawer(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    this.name = "WebGL2";
    this.canvas = canvas;
    this.gl = gl;
    this.map = null;
    this.layer = null;
    this.setUp();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.setUp());
  }

  setUp() {
    const { gl } = this;
    this.ground = program(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.units = program(gl, UNIT_VERTEX, UNIT_FRAGMENT);
    this.empty = gl.createVertexArray();
    this.array = gl.createVertexArray();
    this.buffer = gl.createBuffer();
    this.bufferBytes = 0;
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, INSTANCE_BYTES, 0);
    gl.vertexAttribDivisor(0, 1);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 4, gl.UNSIGNED_BYTE, INSTANCE_BYTES, 16);
    gl.vertexAttribDivisor(1, 1);
    this.textures = [0, 1, 2].map((place) => this.texture(place));
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.mapVersion = -1;
    if (this.scheme) this.setColours(this.scheme);
    this.setLayer(this.layer);
  }

  texture(place) {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + place);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of ["MIN", "MAG"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}_FILTER`], gl.NEAREST);
    for (const name of ["S", "T"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_WRAP_${name}`], gl.CLAMP_TO_EDGE);
    return texture;
  }

  setColours(scheme) {
    this.scheme = scheme;
    this.mapVersion = -1;
  }

  setMap(map) {
    this.map = map;
    this.mapVersion = -1;
  }

  /** An RGBA byte per cell and channel that is laid over the ground, or null. */
  setLayer(rgba) {
    this.layer = rgba;
    if (!rgba) return;
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE2);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, this.map.width, this.map.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  }

  upload() {
    const { gl, map, scheme } = this;
    this.mapVersion = map.version;
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.activeTexture(gl.TEXTURE0);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, map.width, map.height, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, map.cells);
    const palette = new Uint8Array(256 * 4).fill(255);
    for (const terrain of map.terrains) {
      palette.set([...rgb(scheme.terrain.get(terrain.id)), terrain.passable ? 255 : 128], terrain.id * 4);
    }
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, palette);
  }

  draw(camera, instances, ratio) {
    const { gl, map, scheme } = this;
    if (!map || !scheme) return;
    if (this.mapVersion !== map.version) this.upload();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    this.drawGround(camera, ratio);
    this.drawUnits(camera, instances, ratio);
  }

  view(uniforms, camera, ratio) {
    const { gl } = this;
    gl.uniform2f(uniforms.u_centre, camera.x, camera.y);
    gl.uniform2f(uniforms.u_viewport, this.canvas.width, this.canvas.height);
    gl.uniform1f(uniforms.u_scale, camera.scale * ratio);
  }

  drawGround(camera, ratio) {
    const { gl, scheme, map } = this;
    const { made, uniforms } = this.ground;
    gl.useProgram(made);
    gl.bindVertexArray(this.empty);
    gl.disable(gl.BLEND);
    this.view(uniforms, camera, ratio);
    gl.uniform1i(uniforms.u_cells, 0);
    gl.uniform1i(uniforms.u_palette, 1);
    gl.uniform1i(uniforms.u_layer, 2);
    gl.uniform2f(uniforms.u_world, map.width, map.height);
    gl.uniform1f(uniforms.u_layerOn, this.layer ? 1 : 0);
    gl.uniform3fv(uniforms.u_outside, unit3(scheme.ground.outside));
    gl.uniform3fv(uniforms.u_grid, unit3(scheme.marks.grid));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  drawUnits(camera, instances, ratio) {
    const { gl, scheme } = this;
    if (!instances.count) return;
    const { made, uniforms } = this.units;
    gl.useProgram(made);
    gl.bindVertexArray(this.array);
    gl.enable(gl.BLEND);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    if (this.bufferBytes < instances.bytes.length) {
      this.bufferBytes = instances.bytes.length;
      gl.bufferData(gl.ARRAY_BUFFER, this.bufferBytes, gl.STREAM_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, instances.bytes, 0, instances.count * INSTANCE_BYTES);
    this.view(uniforms, camera, ratio);
    gl.uniform3fv(uniforms.u_teams, scheme.teams.flatMap(unit3));
    gl.uniform3fv(uniforms.u_floor, unit3(scheme.ground.floor));
    gl.uniform3fv(uniforms.u_select, unit3(scheme.marks.select));
    gl.uniform3fv(uniforms.u_warn, unit3(scheme.marks.warn));
    gl.uniform1f(uniforms.u_dark, scheme.theme === "dark" ? 1 : 0);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, instances.count);
  }
}
