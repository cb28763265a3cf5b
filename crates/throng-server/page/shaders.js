/** The WebGL2 shaders: the ground with walls and overlay, and one quad per unit. */

export const GROUND_VERTEX = `#version 300 es
const vec2 CORNERS[4] = vec2[4](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));
out vec2 v_screen;
void main() {
  vec2 corner = CORNERS[gl_VertexID];
  v_screen = vec2(corner.x, -corner.y) * 0.5;
  gl_Position = vec4(corner, 0, 1);
}`;

/** Walls get a front face at their lower edge, the floor below a soft shadow, near views a faint grid. */
export const GROUND_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D u_map;
uniform sampler2D u_layer;
uniform vec2 u_centre, u_viewport, u_world;
uniform float u_scale, u_layerOn;
uniform vec3 u_outside, u_grid;
in vec2 v_screen;
out vec4 colour;

vec4 terrain(ivec2 cell) { return texelFetch(u_map, clamp(cell, ivec2(0), ivec2(u_world) - 1), 0); }
bool inside(vec2 at) { return all(greaterThanEqual(at, vec2(0))) && all(lessThan(at, u_world)); }

vec3 near_ground(vec2 at) {
  ivec2 cell = ivec2(floor(at));
  vec2 part = at - floor(at);
  vec4 here = terrain(cell);
  bool wall = here.a < 0.75;
  vec3 shade = here.rgb;
  if (wall) {
    bool open_below = cell.y + 1 < int(u_world.y) && terrain(cell + ivec2(0, 1)).a >= 0.75;
    if (open_below) shade *= mix(1.0, 0.72, smoothstep(0.68, 0.72, part.y));
  } else {
    bool wall_above = cell.y > 0 && terrain(cell - ivec2(0, 1)).a < 0.75;
    if (wall_above) shade *= mix(0.86, 1.0, smoothstep(0.0, 0.34, part.y));
    float line = min(min(part.x, 1.0 - part.x), min(part.y, 1.0 - part.y)) * u_scale;
    float strength = clamp((u_scale - 12.0) / 24.0, 0.0, 1.0) * 0.07;
    shade = mix(shade, u_grid, strength * (1.0 - smoothstep(0.3, 0.9, line)));
  }
  return shade;
}
vec3 far_ground(vec2 at) {
  float step = 0.25 / u_scale;
  vec3 sum = vec3(0);
  for (int i = 0; i < 4; i++) {
    vec2 shift = vec2(i & 1, i >> 1) * 2.0 - 1.0;
    sum += terrain(ivec2(floor(at + shift * step))).rgb;
  }
  return sum / 4.0;
}
void main() {
  vec2 at = u_centre + v_screen * u_viewport / u_scale;
  if (!inside(at)) { colour = vec4(u_outside, 1); return; }
  vec3 shade;
  if (u_scale > 3.0) shade = near_ground(at);
  else if (u_scale > 1.0) shade = far_ground(at);
  // A pixel has several cells: smaller copies of the map have their mean.
  else shade = textureLod(u_map, at / u_world, -log2(u_scale)).rgb;
  if (u_layerOn > 0.0) {
    vec4 layer = texelFetch(u_layer, ivec2(floor(at)), 0);
    shade = mix(shade, layer.rgb, layer.a);
  }
  colour = vec4(shade, 1);
}`;

/** Reads a unit from the texture and finds its colours; the status numbers are those of palette.js. */
const READ_UNIT = `
precision highp float;
precision highp usampler2D;
uniform usampler2D u_units;
uniform vec2 u_centre, u_viewport;
uniform float u_scale, u_dark;
uniform vec3 u_teams[8];
uniform vec3 u_floor;
flat out float v_pixels;
flat out vec3 v_fill;
flat out int v_status, v_flags;
uvec4 read_unit(int number) {
  uvec4 unit = texelFetch(u_units, ivec2(number & 1023, number >> 10), 0);
  v_pixels = max(float(unit.z & 255u) * 0.5 * u_scale, 1.6);
  v_status = int((unit.z >> 16) & 255u);
  v_flags = int(unit.z >> 24);
  v_fill = mix(u_teams[(unit.z >> 8) & 7u], u_floor, v_status == 2 ? 0.66 : v_status == 0 ? 0.25 : 0.0);
  return unit;
}
vec2 middle(uvec4 unit) { return (uintBitsToFloat(unit.xy) + float(unit.z & 255u) * 0.5 - u_centre) * u_scale; }
vec4 place(vec2 pixel) { return vec4(pixel.x / u_viewport.x * 2.0, -pixel.y / u_viewport.y * 2.0, 0, 1); }
`;

/** Units of a few pixels: points without marks. */
export const POINT_VERTEX = `#version 300 es
${READ_UNIT}
void main() {
  uvec4 unit = read_unit(gl_VertexID);
  gl_Position = place(middle(unit));
  gl_PointSize = v_pixels * 2.0 + 1.0;
}`;
export const POINT_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 u_select, u_warn;
uniform float u_dark;
flat in float v_pixels;
flat in vec3 v_fill;
flat in int v_status, v_flags;
out vec4 colour;
void main() {
  vec3 ink = vec3(u_dark > 0.5 ? 0.05 : 1.0);
  vec3 shade = v_status == 4 ? u_warn : v_status == 3 ? mix(v_fill, ink, 0.4) : v_fill;
  if ((v_flags & 1) != 0) shade = u_select;
  float away = length(gl_PointCoord - 0.5) * (v_pixels * 2.0 + 1.0);
  float cover = clamp(v_pixels * 0.9 + 0.5 - away, 0.0, 1.0);
  colour = vec4(shade * cover, cover);
}`;

export const UNIT_VERTEX = `#version 300 es
${READ_UNIT}
const vec2 CORNERS[6] = vec2[6](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));
out vec2 v_at;
flat out vec2 v_turn;
flat out vec3 v_edge;
/** How far the marks of a unit reach from its middle, in its radius: no fragment beyond is drawn. */
float reach() {
  if ((v_flags & 1) != 0) return 1.14;
  if (v_status == 4) return 0.99;
  if (v_status == 5) return 0.76;
  return v_status == 1 || v_status == 3 ? 0.98 : 0.76;
}
void main() {
  int number = gl_VertexID / 6;
  uvec4 unit = read_unit(number);
  v_at = CORNERS[gl_VertexID - 6 * number] * (reach() + 1.5 / v_pixels);
  float angle = float(unit.w & 255u) * 0.02454369;
  v_turn = vec2(cos(angle), sin(angle));
  vec3 team = u_teams[(unit.z >> 8) & 7u];
  v_edge = v_status == 2 ? mix(team, u_floor, 0.15) : mix(team, vec3(u_dark * 0.3), 0.35);
  gl_Position = place(middle(unit) + v_at * v_pixels);
}`;

/** Shapes by status, so that no status depends on colour; see STATUSES in palette.js. */
export const UNIT_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 u_floor, u_select, u_warn;
uniform float u_dark;
in vec2 v_at;
flat in float v_pixels;
flat in vec2 v_turn;
flat in vec3 v_fill;
flat in vec3 v_edge;
flat in int v_status, v_flags;
out vec4 colour;

float box(vec2 p, float half_size, float round_by) {
  vec2 d = abs(p) - half_size + round_by;
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - round_by;
}
float segment(vec2 p, vec2 a, vec2 b, float thick) {
  vec2 ab = b - a;
  float along = clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0);
  return length(p - a - ab * along) - thick;
}
float nose(vec2 p) {
  p.y = abs(p.y);
  return max(dot(p - vec2(0.98, 0.0), vec2(0.735, 0.678)), 0.529 - p.x);
}
void main() {
  int status = v_status;
  float soft = 1.0 / v_pixels;
  vec2 p = v_at;
  vec2 q = vec2(v_turn.x * p.x + v_turn.y * p.y, -v_turn.y * p.x + v_turn.x * p.y);
  float away = length(p);
  float body = away - 0.76;
  if (status == 1 || status == 3) body = min(body + 0.04, nose(q));
  if (status == 5) body = box(p, 0.76, 0.16);
  // Most fragments of a square are outside of the round body.
  bool ringed = status == 4 || (v_flags & 1) != 0;
  if (body > soft && !ringed) { colour = vec4(0); return; }
  vec3 fill = v_fill;
  vec3 ink = mix(vec3(1), vec3(0.05), u_dark);
  float rim = status == 2 ? 0.14 : 0.12;
  if (status >= 6) fill = mix(fill, u_floor, smoothstep(soft, -soft, away - 0.44));
  vec3 shade = mix(fill, v_edge, smoothstep(-rim - soft, -rim + soft, body));
  if (status == 3 || status == 4 || status == 6) {
    float glyph;
    if (status == 3) glyph = min(box(p * vec2(1.0, 0.48) - vec2(-0.2, 0), 0.15, 0.04), box(p * vec2(1.0, 0.48) - vec2(0.2, 0), 0.15, 0.04));
    else if (status == 4) glyph = min(segment(p, vec2(-0.32), vec2(0.32), 0.11), segment(p, vec2(-0.32, 0.32), vec2(0.32, -0.32), 0.11));
    else glyph = segment(p, vec2(-0.5, 0.5), vec2(0.5, -0.5), 0.1);
    float show = smoothstep(2.2, 4.0, v_pixels);
    shade = mix(shade, status == 6 ? v_edge : ink, smoothstep(soft, -soft, glyph) * show);
    if (status == 3) shade = mix(shade, ink, 0.4 * (1.0 - show));
    if (status == 4) shade = mix(shade, u_warn, 1.0 - show);
  }
  float alpha = smoothstep(soft, -soft, body);
  if (status == 4) {
    float cover = smoothstep(soft, -soft, abs(away - 0.9) - 0.09);
    shade = mix(shade, u_warn, cover);
    alpha = max(alpha, cover);
  }
  if ((v_flags & 1) != 0) {
    float cover = smoothstep(soft, -soft, abs(away - 1.06) - clamp(0.07, soft, 1.6 * soft));
    shade = mix(shade, u_select, cover);
    alpha = max(alpha, cover);
  }
  colour = vec4(shade * alpha, alpha);
}`;
