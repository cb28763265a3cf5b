/** What the page knows of the game: who plays, scores, and the last states, between which it draws. */
import { PlaybackClock } from "./clock.js";

/** States that are kept: two seconds. */
const KEPT = 20;
/** A longer step between two states is a jump, in units: nothing is drawn between its ends. */
const JUMP = 1;

export class GameState {
  constructor() {
    this.clock = new PlaybackClock();
    this.states = [];
    /** By number: `{ player, name, team, computer }`. */
    this.people = new Map();
    this.scores = null;
    this.hello = null;
    this.own = null;
    this.way = null;
  }

  begin(hello) {
    this.hello = hello.game;
    this.clock.rate = hello.game.tick_hz;
    this.states = [];
  }

  add(state, now) {
    if (this.newest && state.tick <= this.newest.tick) this.states = [];
    this.states.push(state);
    if (this.states.length > KEPT) this.states.shift();
    this.clock.frame(state.tick, now);
  }

  get newest() {
    return this.states[this.states.length - 1];
  }

  /** The own player as in the newest state. */
  get me() {
    return this.own === null ? undefined : this.newest?.players.get(this.own);
  }

  get team() {
    return this.people.get(this.own)?.team;
  }

  nameOf(number) {
    return this.people.get(number)?.name ?? "somebody";
  }

  /** Calls `each(number, player, x, y)` for everybody, at the moment that is drawn. */
  forEach(each) {
    const { before, after, share } = this.moment();
    if (!after) return;
    for (const [number, player] of after.players) {
      const [x, y] = between(before.players.get(number), player, share);
      each(number, player, x, y);
    }
  }

  /** Where a player is at the moment that is drawn. */
  place(number) {
    const { before, after, share } = this.moment();
    const player = after?.players.get(number);
    if (!player) return null;
    const [x, y] = between(before.players.get(number), player, share);
    return { x, y, level: player.level };
  }

  /** The states around the drawn moment, and how far it is from the first to the second. */
  moment() {
    const { states, clock } = this;
    let index = states.length - 1;
    while (index > 0 && states[index - 1].tick >= clock.time) index--;
    const after = states[index];
    const before = states[Math.max(0, index - 1)];
    const span = after ? after.tick - before.tick : 0;
    const share = span > 0 ? Math.min(1, Math.max(0, (clock.time - before.tick) / span)) : 1;
    return { before, after, share };
  }
}

function between(before, after, share) {
  if (!before || before.level !== after.level || Math.hypot(after.x - before.x, after.y - before.y) > JUMP) return [after.x, after.y];
  return [before.x + (after.x - before.x) * share, before.y + (after.y - before.y) * share];
}
