/** Colours for a value per cell: a ramp from pale yellow to dark violet, and hues for numbered areas. */

/** Stops of a ramp that is even in lightness, so that it reads without colour too. */
const RAMP = [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]];

function ramp(part) {
  const at = Math.min(0.9999, Math.max(0, part)) * (RAMP.length - 1);
  const index = Math.floor(at);
  return RAMP[index].map((from, channel) => from + (RAMP[index + 1][channel] - from) * (at - index));
}

/** An RGBA layer from values between 0 and `most`; 0 and `none` stay clear. */
export function heat(values, cells, most, none = 0) {
  const layer = new Uint8Array(cells * 4);
  const table = Array.from({ length: 256 }, (_, index) => ramp(index / 255).map(Math.round));
  for (let cell = 0; cell < cells; cell++) {
    const value = values[cell];
    if (value === none || value === undefined) continue;
    const [r, g, b] = table[Math.min(255, Math.floor((value / most) * 255))];
    layer.set([r, g, b, none === 0 ? 50 + Math.min(170, (value / most) * 340) : 150], cell * 4);
  }
  return layer;
}

/** An RGBA layer with a hue per area number; 0xffff stays clear. */
export function hues(values, cells) {
  const layer = new Uint8Array(cells * 4);
  const seen = new Map();
  for (let cell = 0; cell < cells; cell++) {
    const value = values[cell];
    if (value === 0xffff || value === undefined) continue;
    if (!seen.has(value)) seen.set(value, hue((seen.size * 137.5) % 360));
    layer.set([...seen.get(value), 110], cell * 4);
  }
  return layer;
}

function hue(degrees) {
  const channel = (shift) => {
    const at = (shift + degrees / 30) % 12;
    return Math.round(255 * (0.55 - 0.4 * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
