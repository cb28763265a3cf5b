/** The WebSocket to a game: messages in order, requests out, and a new connection after a loss. */
import { decodeState } from "./play_protocol.js";

const RETRY_MS_FIRST = 400;
const RETRY_MS_MAX = 5000;

export class GameLink {
  /** `handlers`: `text(message)`, `frame(state)`, `state("connecting" | "open" | "lost")`. */
  constructor(game, handlers) {
    this.game = game;
    this.handlers = handlers;
    this.retry = RETRY_MS_FIRST;
    this.request = 0;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/games/${encodeURIComponent(this.game)}/ws`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    this.handlers.state("connecting");
    socket.onopen = () => {
      this.retry = RETRY_MS_FIRST;
      this.handlers.state("open");
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") return this.handlers.text(JSON.parse(data));
      const state = decodeState(data);
      return state && this.handlers.frame(state);
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.handlers.state("lost");
      setTimeout(() => this.open(), this.retry);
      this.retry = Math.min(RETRY_MS_MAX, this.retry * 1.6);
    };
  }

  /** Sends a message of a type; false if there is no connection. */
  send(type, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.request += 1;
    this.socket.send(JSON.stringify({ type, request: this.request, ...fields }));
    return true;
  }
}
