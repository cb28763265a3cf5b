/** Short forms for building and finding elements. */
import { ICONS } from "./icons.js";

export const byId = (id) => document.getElementById(id);

/** An element: `make("button", { class: "icon", onclick }, "text", child)`. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon of the page as inline SVG. */
export function icon(name) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">${ICONS[name]}</svg>`;
  return holder.content.firstChild;
}

/** A modal dialog with a title and a close button; it is removed when closed. */
export function dialog(title, className, ...children) {
  const close = make("button", { class: "icon", title: "Close (Esc)", "aria-label": "Close" }, icon("close"));
  const box = make("dialog", { class: `card ${className}`, "aria-label": title, autofocus: true },
    make("header", {}, make("h2", {}, title), close), ...children.filter(Boolean));
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A number for people: thin groups of thousands, at most `digits` decimals. */
export function format(value, digits = 0) {
  if (value === undefined || value === null || Number.isNaN(value)) return "–";
  return value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits }).replaceAll(",", "\u202f");
}
