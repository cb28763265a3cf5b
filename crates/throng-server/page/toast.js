/** Short messages that go away by themselves. */
import { byId, make } from "./dom.js";

const SHOWN_MS = 6000;
const SHOWN_MAX = 4;

/** Shows a message; `kind` is "note" or "error". The same text is not shown twice at once. */
export function toast(message, kind = "note") {
  const list = byId("toasts");
  if ([...list.children].some((each) => each.textContent === message)) return;
  const entry = make("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" }, message);
  entry.addEventListener("click", () => entry.remove());
  list.append(entry);
  while (list.children.length > SHOWN_MAX) list.firstChild.remove();
  setTimeout(() => entry.remove(), SHOWN_MS);
}
