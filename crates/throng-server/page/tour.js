/** The tour of the first visit: a few cards beside the parts of the page. It can be skipped and is remembered. */
import { byId, make } from "./dom.js";

const KEY = "throng.tour";
const STEPS = [
  [null, "This is a live world", "Each mark is a unit on its way. All of them plan together: nobody walks through anybody. Drag with the right mouse button to look around, turn the wheel to zoom."],
  ["tools", "Change the world", "Draw a wall across their way and watch them find another. The same rail paints terrain, erases, places buildings and spawns units."],
  [null, "Give orders", "Drag a box around some units, then right-click where they should go. Shift queues the order. The bar below has patrol, follow, guard, chase and formations."],
  ["panel", "Ask a unit why", "Click a unit. The panel tells its order, its plan, and why it waits. Overlays show reservations, distances and jams; plots show what it costs."],
  ["planner", "Switch the planner", "LRA* is what many games use: each unit plans alone. WHCA* plans in windows, as published. Switch and watch the units jam."],
  ["compare", "Compare both", "Two worlds with the same seed and the same orders, side by side: LRA*, WHCA* or throng on each."],
  ["time", "Time", "Pause, step, change the speed, or drag the line back into the past."],
  ["scenario", "Choose a scenario", "Doors, corridors, crossings, a warehouse, a maze: known hard cases. Press ? for all keys."],
];

function seen() {
  try { return localStorage.getItem(KEY) === "seen"; } catch { return true; }
}

/** Starts the tour on the first visit. */
export function offerTour() {
  if (!seen() && !navigator.webdriver) startTour();
}

export function startTour() {
  byId("tour")?.remove();
  let index = 0;
  const card = make("div", { id: "tour", class: "card tour", role: "dialog", "aria-label": "Tour" });
  const end = () => {
    card.remove();
    document.querySelectorAll(".toured").forEach((each) => each.classList.remove("toured"));
    try { localStorage.setItem(KEY, "seen"); } catch { /* private window: the tour is offered again */ }
  };
  const show = () => {
    const [target, title, text] = STEPS[index];
    document.querySelectorAll(".toured").forEach((each) => each.classList.remove("toured"));
    const last = index === STEPS.length - 1;
    card.replaceChildren(make("h3", {}, title), make("p", {}, text), make("footer", {},
      make("small", {}, `${index + 1} of ${STEPS.length}`),
      make("button", { class: "quiet", onclick: end }, last ? "Close" : "Skip"),
      last ? "" : make("button", { class: "main", onclick: () => { index++; show(); } }, "Next")));
    place(card, target && byId(target));
    card.querySelector("button.main, button")?.focus({ preventScroll: true });
  };
  document.body.append(card);
  show();
}

/** Puts the card beside its target, or in the middle of the stage. */
function place(card, target) {
  const bounds = target && !target.hidden ? target.getBoundingClientRect() : null;
  const { offsetWidth: width, offsetHeight: height } = card;
  let [x, y] = [(innerWidth - width) / 2, innerHeight * 0.62 - height / 2];
  if (bounds) {
    target.classList.add("toured");
    const right = bounds.right + 16;
    const left = bounds.left - width - 16;
    const tall = bounds.height > bounds.width;
    x = tall ? (right + width < innerWidth ? right : left) : Math.max(12, Math.min(innerWidth - width - 12, bounds.left));
    y = tall ? bounds.top : bounds.top > innerHeight / 2 ? bounds.top - height - 16 : bounds.bottom + 14;
  }
  card.style.left = `${Math.max(12, x)}px`;
  card.style.top = `${Math.max(60, y)}px`;
}
