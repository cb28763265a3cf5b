/** Draws the ground with WebGL2: one quad, with the map as a texture of colours. */
import { GROUND_FRAGMENT, GROUND_VERTEX } from "./shaders.js";
import { program, setView, texture } from "./gl.js";
import { rgb } from "./palette.js";

const MAP_UNIT = 0;
const LAYER_UNIT = 1;
/** The alpha of walls, which are drawn with a height, and of everything else. */
const [OPEN, WALL] = [255, 128];

export class GroundPass {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.empty = gl.createVertexArray();
    this.texture = texture(gl, MAP_UNIT);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
    texture(gl, LAYER_UNIT);
    this.hasLayer = false;
    this.drawn = { camera: -1, map: -1, changes: -1, width: 0, height: 0 };
    /** Rises with every change of layer or colours. */
    this.changes = 0;
  }

  setColours(scheme) {
    this.scheme = scheme;
    const unit3 = (hex) => new Float32Array(rgb(hex).map((each) => each / 255));
    this.outside = unit3(scheme.ground.outside);
    this.grid = unit3(scheme.marks.grid);
    this.mapVersion = -1;
    this.changes++;
  }

  setMap(map) {
    this.map = map;
    this.mapVersion = -1;
    this.cells = null;
    this.changes++;
  }

  setLayer(rgba) {
    this.hasLayer = Boolean(rgba);
    this.changes++;
    if (!rgba) return;
    const { gl, map } = this;
    gl.activeTexture(gl.TEXTURE0 + LAYER_UNIT);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, map.width, map.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  }

  /** Sends the whole map, or the rows that were edited since. */
  upload() {
    const { gl, map } = this;
    gl.activeTexture(gl.TEXTURE0 + MAP_UNIT);
    const isNew = this.mapVersion < 0;
    if (isNew) this.paletteWords = this.palette();
    const [top, bottom] = isNew ? [0, map.height] : map.takeEdited();
    if (isNew) map.takeEdited();
    this.mapVersion = map.version;
    if (bottom <= top) return;
    if (!this.cells) this.cells = new Uint32Array(map.width * map.height);
    for (let cell = top * map.width; cell < bottom * map.width; cell++) this.cells[cell] = this.paletteWords[map.cells[cell]];
    const bytes = new Uint8Array(this.cells.buffer, top * map.width * 4, (bottom - top) * map.width * 4);
    if (isNew) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, map.width, map.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    else gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, top, map.width, bottom - top, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    gl.generateMipmap(gl.TEXTURE_2D);
  }

  /** A colour for each terrain id, as the word of its four bytes. */
  palette() {
    const words = new Uint32Array(256).fill(0xffffffff);
    const bytes = new Uint8Array(words.buffer);
    const { terrain, ground } = this.scheme;
    for (const { id } of this.map.terrains) bytes.set([...rgb(terrain.get(id)), terrain.get(id) === ground.wall ? WALL : OPEN], id * 4);
    return words;
  }

  /** Draws the ground, unless view, map, layer and colours are those that were drawn last. */
  draw(camera, ratio) {
    if (!this.isChanged(camera)) return;
    const { gl, map } = this;
    const { made, uniforms } = this.program;
    if (this.mapVersion !== map.version) this.upload();
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.useProgram(made);
    gl.bindVertexArray(this.empty);
    setView(gl, uniforms, camera, ratio);
    gl.uniform1i(uniforms.u_map, MAP_UNIT);
    gl.uniform1i(uniforms.u_layer, LAYER_UNIT);
    gl.uniform2f(uniforms.u_world, map.width, map.height);
    gl.uniform1f(uniforms.u_layerOn, this.hasLayer ? 1 : 0);
    gl.uniform3fv(uniforms.u_outside, this.outside);
    gl.uniform3fv(uniforms.u_grid, this.grid);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  isChanged(camera) {
    const { drawn, gl, map, changes } = this;
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const same = drawn.camera === camera.version && drawn.map === map.version && drawn.changes === changes && drawn.width === width && drawn.height === height;
    if (!same) Object.assign(drawn, { camera: camera.version, map: map.version, changes, width, height });
    return !same;
  }
}
