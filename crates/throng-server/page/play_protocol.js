/** Decodes the state of the players' game. docs/protocol.md describes the message. */

const STATE = 1;
const HEAD = 16;
const PLAYER_BYTES = 16;
const ORB_BYTES = 12;
/** What players do, by their number in the protocol. */
export const DOING = { stands: 0, walks: 1, plans: 2, climbs: 3, tickled: 4 };
const IS_SAFE = 1;

/** `{ tick, roundTick, over, players: Map(number → player), orbs }`, or null if it is another message. */
export function decodeState(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength < HEAD || view.getUint8(0) !== STATE) return null;
  const [count, orbCount] = [view.getUint16(2, true), view.getUint16(12, true)];
  const players = new Map();
  let at = HEAD;
  for (let index = 0; index < count; index++, at += PLAYER_BYTES) {
    players.set(view.getUint16(at, true), {
      level: view.getUint8(at + 2), doing: view.getUint8(at + 3),
      x: view.getFloat32(at + 4, true), y: view.getFloat32(at + 8, true),
      dx: view.getInt8(at + 12) / 127, dy: view.getInt8(at + 13) / 127,
      carried: view.getUint8(at + 14), safe: (view.getUint8(at + 15) & IS_SAFE) !== 0,
    });
  }
  const orbs = [];
  for (let index = 0; index < orbCount; index++, at += ORB_BYTES) {
    orbs.push({ x: view.getFloat32(at, true), y: view.getFloat32(at + 4, true), level: view.getUint8(at + 8) });
  }
  return { tick: view.getUint32(4, true), roundTick: view.getUint32(8, true), over: view.getUint8(1) === 1, players, orbs };
}
