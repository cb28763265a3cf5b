/** The WebSocket to a world or a game: messages in order, requests out, and a new connection after a loss. */
import { byId } from "./dom.js";

/** How each state is shown; a recording has no link. */
const STATES = { connecting: "connecting", open: "live", lost: "reconnecting", recording: "recording" };
const RETRY_MS_FIRST = 400;
const RETRY_MS_MAX = 5000;
const RETRY_GROWTH = 1.6;

export class Link {
  /**
   * `path` is that of the socket on this host. `handlers`: `decode(buffer)` for binary messages, `frame(decoded)` for
   * those that it knows, `text(message)`, `state("connecting" | "open" | "lost")`.
   */
  constructor(path, handlers) {
    this.path = path;
    this.handlers = handlers;
    this.retry = RETRY_MS_FIRST;
    this.request = 0;
    this.bytes = 0;
    this.closed = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const token = new URLSearchParams(location.search).get("token");
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}${query}`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    this.handlers.state("connecting");
    socket.onopen = () => {
      this.retry = RETRY_MS_FIRST;
      this.handlers.state("open");
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => this.lost(socket);
  }

  receive(data) {
    this.bytes += data.byteLength ?? data.length;
    if (typeof data === "string") this.handlers.text(JSON.parse(data));
    else {
      const message = this.handlers.decode(data);
      if (message) this.handlers.frame(message);
    }
  }

  lost(socket) {
    if (this.closed || socket !== this.socket) return;
    this.handlers.state("lost");
    this.timer = setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(RETRY_MS_MAX, this.retry * RETRY_GROWTH);
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sends a message of a type; returns its request number, or 0 if there is no connection. */
  send(type, fields = {}) {
    if (!this.isOpen) return 0;
    this.request += 1;
    this.socket.send(JSON.stringify({ type, request: this.request, ...fields }));
    return this.request;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}

/** Shows a state in the header of the page. */
export function showLinkState(state) {
  const element = byId("link");
  element.dataset.state = state;
  element.textContent = STATES[state];
}
