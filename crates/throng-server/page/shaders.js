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
precision highp usampler2D;
uniform usampler2D u_cells;
uniform sampler2D u_palette;
uniform sampler2D u_layer;
uniform vec2 u_centre, u_viewport, u_world;
uniform float u_scale, u_layerOn;
uniform vec3 u_outside, u_grid;
in vec2 v_screen;
out vec4 colour;

vec4 terrain(ivec2 cell) {
  cell = clamp(cell, ivec2(0), ivec2(u_world) - 1);
  return texelFetch(u_palette, ivec2(texelFetch(u_cells, cell, 0).r, 0), 0);
}
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
  vec3 shade = u_scale > 3.0 ? near_ground(at) : far_ground(at);
  if (u_layerOn > 0.0) {
    vec4 layer = texelFetch(u_layer, ivec2(floor(at)), 0);
    shade = mix(shade, layer.rgb, layer.a);
  }
  colour = vec4(shade, 1);
}`;

export const UNIT_VERTEX = `#version 300 es
const vec2 CORNERS[4] = vec2[4](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));
layout(location = 0) in vec4 a_place;
layout(location = 1) in uvec4 a_look;
uniform vec2 u_centre, u_viewport;
uniform float u_scale;
out vec2 v_at;
flat out float v_pixels;
flat out float v_angle;
flat out uvec4 v_look;
const float REACH = 1.3;
void main() {
  vec2 corner = CORNERS[gl_VertexID];
  float radius = max(a_place.z * 0.5 * u_scale, 1.6);
  vec2 middle = (a_place.xy + a_place.z * 0.5 - u_centre) * u_scale;
  vec2 pixel = middle + corner * radius * REACH;
  v_at = corner * REACH;
  v_pixels = radius;
  v_angle = a_place.w;
  v_look = a_look;
  gl_Position = vec4(pixel.x / u_viewport.x * 2.0, -pixel.y / u_viewport.y * 2.0, 0, 1);
}`;

/** Shapes by status, so that no status depends on colour; see STATUSES in palette.js. */
export const UNIT_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 u_teams[8];
uniform vec3 u_floor, u_select, u_warn;
uniform float u_dark;
in vec2 v_at;
flat in float v_pixels;
flat in float v_angle;
flat in uvec4 v_look;
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
  uint status = v_look.y;
  bool selected = (v_look.z & 1u) != 0u;
  float soft = 1.0 / v_pixels;
  vec2 p = v_at;
  float c = cos(v_angle), s = sin(v_angle);
  vec2 q = vec2(c * p.x + s * p.y, -s * p.x + c * p.y);
  vec3 team = u_teams[v_look.x & 7u];
  float body = length(p) - 0.76;
  if (status == 1u || status == 3u) body = min(body + 0.04, nose(q));
  if (status == 5u) body = box(p, 0.76, 0.16);
  vec3 fill = team;
  vec3 ink = mix(vec3(1), vec3(0.05), u_dark);
  float rim = 0.12;
  if (status == 2u) { fill = mix(team, u_floor, 0.66); rim = 0.14; }
  if (status == 0u) fill = mix(team, u_floor, 0.25);
  if (status == 7u || status == 6u) fill = mix(fill, u_floor, smoothstep(soft, -soft, length(p) - 0.44));
  vec3 edge = status == 2u ? mix(team, u_floor, 0.15) : mix(team, mix(vec3(0), vec3(1), u_dark * 0.3), 0.35);
  vec3 shade = mix(fill, edge, smoothstep(-rim - soft, -rim + soft, body));
  float glyph = 1.0;
  if (status == 3u) glyph = min(box(p * vec2(1.0, 0.48) - vec2(-0.2, 0), 0.15, 0.04), box(p * vec2(1.0, 0.48) - vec2(0.2, 0), 0.15, 0.04));
  if (status == 4u) glyph = min(segment(p, vec2(-0.32), vec2(0.32), 0.11), segment(p, vec2(-0.32, 0.32), vec2(0.32, -0.32), 0.11));
  if (status == 6u) glyph = segment(p, vec2(-0.5, 0.5), vec2(0.5, -0.5), 0.1);
  float show = smoothstep(2.2, 4.0, v_pixels);
  vec3 glyph_ink = status == 6u ? edge : ink;
  shade = mix(shade, glyph_ink, smoothstep(soft, -soft, glyph) * show);
  if (status == 3u) shade = mix(shade, ink, 0.4 * (1.0 - show));
  if (status == 4u) shade = mix(shade, u_warn, 1.0 - show);
  float alpha = smoothstep(soft, -soft, body);
  if (status == 4u) {
    float ring = abs(length(p) - 0.9) - 0.09;
    float cover = smoothstep(soft, -soft, ring);
    shade = mix(shade, u_warn, cover);
    alpha = max(alpha, cover);
  }
  if (selected) {
    float ring = abs(length(p) - 1.06) - clamp(0.07, 1.0 * soft, 1.6 * soft);
    float cover = smoothstep(soft, -soft, ring);
    shade = mix(shade, u_select, cover);
    alpha = max(alpha, cover);
  }
  if (alpha < 0.01) discard;
  colour = vec4(shade, alpha);
}`;
