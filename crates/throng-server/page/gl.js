/** Short forms for WebGL2: programs with their uniforms, textures without filters. */

/** A linked program as `{ made, uniforms }`. A shader that does not compile is an Error with the driver's words. */
export function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  const uniforms = {};
  const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) ?? 0;
  for (let index = 0; index < count; index++) {
    const { name } = gl.getActiveUniform(made, index);
    uniforms[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
  }
  return { made, uniforms };
}

/** A texture that stays bound to this unit. */
export function texture(gl, unit) {
  const made = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const name of ["MIN", "MAG"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}_FILTER`], gl.NEAREST);
  for (const name of ["S", "T"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_WRAP_${name}`], gl.CLAMP_TO_EDGE);
  return made;
}

/** Sets the uniforms of the view: which world point is in the middle, and the scale in real pixels. */
export function setView(gl, uniforms, camera, ratio) {
  gl.uniform2f(uniforms.u_centre, camera.x, camera.y);
  gl.uniform2f(uniforms.u_viewport, gl.drawingBufferWidth, gl.drawingBufferHeight);
  gl.uniform1f(uniforms.u_scale, camera.scale * ratio);
}
