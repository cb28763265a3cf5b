/**
 * Which moment of a world is drawn: one tick behind the newest frame, moving evenly between frames, or a
 * moment of the past that the user chose.
 */

/** How fast a difference to the wanted time is corrected, per second. */
const CORRECTION = 5;
/** A larger difference, in ticks, is not caught up but jumped over. */
const JUMP = 6;

export class PlaybackClock {
  constructor() {
    this.time = 0;
    this.rate = 10;
    this.paused = false;
    this.newest = 0;
    this.arrived = 0;
    /** True while the drawn moment follows the newest frame. */
    this.live = true;
    /** True while a past moment moves forward by itself. */
    this.playing = false;
  }

  /** A frame of this tick came in at `now` (milliseconds). */
  frame(tick, now) {
    if (tick < this.newest) this.time = tick;
    this.newest = tick;
    this.arrived = now;
  }

  /** Shows a moment of the past. */
  seek(time) {
    this.live = false;
    this.time = time;
  }

  goLive() {
    this.live = true;
    this.playing = false;
  }

  /** Moves the drawn moment on by `seconds`; `last` is the end of the recorded past. */
  advance(seconds, now, last) {
    if (!this.live) {
      if (!this.playing) return;
      this.time = Math.min(last, this.time + seconds * this.rate);
      if (this.time >= last) this.playing = false;
      return;
    }
    const since = Math.min(1, ((now - this.arrived) / 1000) * this.rate);
    const wanted = this.newest - 1 + since;
    if (!this.paused) this.time += seconds * this.rate;
    const difference = wanted - this.time;
    if (Math.abs(difference) > JUMP) this.time = wanted;
    else this.time += difference * Math.min(1, CORRECTION * seconds);
    this.time = Math.min(this.time, this.newest);
  }
}
