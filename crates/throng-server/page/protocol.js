/** Decodes the server's binary messages. docs/protocol.md describes them. */

export const KIND = { full: 1, delta: 2, map: 3, edit: 4 };
const RECORD_BYTES = 20;
const FRAME_HEAD = 20;

/** One binary message as an object with `kind`, or null if it is not one that this page knows. */
export function decode(buffer) {
  const view = new DataView(buffer);
  const kind = view.byteLength > 0 ? view.getUint8(0) : 0;
  if (kind === KIND.full || kind === KIND.delta) return decodeFrame(view, kind);
  if (kind === KIND.map) return decodeMap(view, buffer);
  if (kind === KIND.edit) return decodeEdit(view);
  return null;
}

function decodeFrame(view, kind) {
  const units = view.getUint32(12, true);
  const removed = view.getUint32(16, true);
  const gone = new Uint32Array(removed);
  const after = FRAME_HEAD + units * RECORD_BYTES;
  for (let index = 0; index < removed; index++) gone[index] = view.getUint32(after + 4 * index, true);
  return { kind, tick: view.getUint32(4, true), frame: view.getUint32(8, true), units, view, gone };
}

/** Calls `each(id, x, y, toX, toY, done, total, size, team, status, profile)` for every record of a frame. */
export function forEachRecord({ view, units }, each) {
  for (let index = 0, at = FRAME_HEAD; index < units; index++, at += RECORD_BYTES) {
    each(view.getUint32(at, true),
      view.getUint16(at + 4, true), view.getUint16(at + 6, true),
      view.getUint16(at + 8, true), view.getUint16(at + 10, true),
      view.getUint8(at + 12), view.getUint8(at + 13), view.getUint8(at + 14),
      view.getUint8(at + 15), view.getUint8(at + 16), view.getUint8(at + 17));
  }
}

function decodeMap(view, buffer) {
  const width = view.getUint32(4, true);
  const height = view.getUint32(8, true);
  return { kind: KIND.map, width, height, cells: new Uint8Array(buffer.slice(12, 12 + width * height)) };
}

function decodeEdit(view) {
  const count = view.getUint32(4, true);
  const cells = new Uint32Array(count);
  for (let index = 0; index < count; index++) cells[index] = view.getUint32(8 + 4 * index, true);
  return { kind: KIND.edit, terrain: view.getUint8(1), cells };
}

/** Bytes from base64 text. */
export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
