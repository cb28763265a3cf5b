/** Which worlds are shown: one with a scenario and planner, or two side by side on the same seed. */
import * as api from "./api.js";
import { PLANNERS } from "./planners.js";
import { byId, icon, make } from "./dom.js";
import { remember, wanted } from "./address.js";
import { toast } from "./toast.js";

const MAIN = "main";

export class Worlds {
  constructor(app) {
    this.app = app;
    this.main = MAIN;
    /** Worlds made for a comparison, removed when it ends. */
    this.temporary = [];
    this.pair = ["lra", "throng"];
    this.planners = PLANNERS.map(({ name, title, about }) => make("button",
      { role: "radio", "data-planner": name, title: about, onclick: () => this.setPlanner(name) }, title));
    this.sides = ["left", "right"].map((side, index) => this.sideChoice(side, index));
    byId("pair").append(this.sides[0], make("span", {}, "beside"), this.sides[1]);
    byId("planner").append(...this.planners);
    byId("compare").append(icon("compare"), make("span", {}, "Compare"));
    byId("compare").addEventListener("click", () => this.toggleCompare());
    app.on("hello", ({ pane, message }) => this.greet(pane, message));
    app.on("text", ({ pane, message }) => { if (message.type === "status" && pane === app.pane) this.showPlanner(message.planner); });
    app.on("state", ({ state }) => { if (state === "lost" && app.comparing) this.recover(); });
    addEventListener("pagehide", () => this.dropTemporary());
    addEventListener("hashchange", () => this.open());
  }

  /** The choice of the planner on one side of a comparison. */
  sideChoice(side, index) {
    const choose = () => {
      const pair = this.sides.map((each) => each.value);
      return this.compare(this.current?.scenario, this.current?.seed, pair);
    };
    return make("select", { id: `pair-${side}`, "aria-label": `Planner on the ${side}`, onchange: choose },
      ...PLANNERS.map(({ name, title }) => make("option", { value: name, selected: name === this.pair[index] }, title)));
  }

  /** Opens what the address asks for. */
  async open() {
    const { scenario, planner, compare, seed, units, world } = wanted();
    if (compare) return this.compare(scenario, seed, compare.length === 2 ? compare : undefined, units);
    this.dropTemporary();
    const [pane] = this.app.show([world ?? MAIN]);
    if (scenario || planner || seed !== undefined) {
      pane.addEventListener("hello", ({ detail }) => {
        const current = detail.world;
        const same = (!scenario || current.scenario === scenario) && (!planner || current.planner === planner) && (seed === undefined || current.seed === seed);
        if (!same) pane.send("restart", { scenario, planner, seed, units });
      }, { once: true });
    }
    return undefined;
  }

  greet(pane, { world }) {
    byId("scenario-name").textContent = world.name ?? world.scenario ?? world.id;
    this.current = { scenario: world.scenario, seed: world.seed };
    if (pane !== this.app.pane) return;
    this.showPlanner(world.planner);
    document.title = `throng · ${world.name ?? world.scenario}`;
    const planner = world.planner === "throng" ? undefined : world.planner;
    if (this.app.comparing) remember({ compare: this.pair.join(","), scenario: world.scenario, seed: world.seed });
    else if (world.id !== MAIN && pane.link) remember({ world: world.id });
    else remember({ scenario: world.scenario, planner, seed: world.seed });
  }

  showPlanner(planner) {
    for (const button of this.planners) button.setAttribute("aria-checked", String(!this.app.comparing && button.dataset.planner === planner));
    byId("compare").setAttribute("aria-pressed", String(this.app.comparing));
    byId("planner").hidden = this.app.comparing;
    byId("pair").hidden = !this.app.comparing;
    this.sides.forEach((side, index) => { side.value = this.pair[index]; });
  }

  /** Switches the planner of the world, which starts again with the same seed. */
  setPlanner(name) {
    if (this.app.recording) return toast("A recording has no planner.");
    this.showPlanner(name);
    return this.app.broadcast("planner", { name });
  }

  /** Starts a scenario in the worlds that are shown. */
  async start(scenario, units) {
    if (this.app.comparing) return this.compare(scenario, this.current?.seed, this.pair, units);
    if (this.app.recording) await this.leaveRecording();
    if (this.app.pane.hello?.world.id !== MAIN) this.openWorld(MAIN);
    else return this.app.broadcast("restart", { scenario, units });
    return this.app.pane.addEventListener("hello", () => this.app.broadcast("restart", { scenario, units }), { once: true });
  }

  /** Shows another world of the server. */
  openWorld(id) {
    this.dropTemporary();
    this.app.show([id]);
  }

  /** Makes a world on a map that was opened, with units that cross it, and shows it. */
  async openMap(name, text, units) {
    const world = await api.createWorld({ map: text, units });
    this.openWorld(world.id);
    toast(`${name}: a world of its own with up to ${units} units. The list of scenarios has the way back.`);
  }

  async leaveRecording() {
    const [pane] = this.app.show([MAIN]);
    await new Promise((resolve) => { pane.addEventListener("hello", resolve, { once: true }); });
  }

  toggleCompare() {
    return this.app.comparing ? this.leaveCompare("throng") : this.compare(this.current?.scenario, this.current?.seed);
  }

  /** Makes two worlds on one seed and shows them side by side. */
  async compare(scenario = "door", seed = 1, pair = this.pair, units = undefined) {
    try {
      this.dropTemporary();
      this.pair = pair;
      const made = [];
      for (const planner of pair) made.push(await api.createWorld({ scenario, seed, planner, units }));
      this.temporary = made.map((world) => world.id ?? world.world?.id);
      const panes = this.app.show(this.temporary);
      await Promise.all(panes.map((pane) => new Promise((resolve) => { pane.addEventListener("hello", resolve, { once: true }); })));
      // Both begin at the same moment.
      this.app.broadcast("restart", { seed });
      this.showPlanner(null);
    } catch (error) {
      toast(`Comparison: ${error.message}`, "error");
    }
  }

  /** After the server restarted, compared worlds are gone: makes them again once it answers. */
  async recover() {
    if (this.recovering) return;
    this.recovering = true;
    try {
      while (this.app.comparing && this.app.panes.some((pane) => !pane.link?.isOpen)) {
        await new Promise((resolve) => { setTimeout(resolve, 1500); });
        const list = await api.worlds().catch(() => null);
        const known = list && (list.worlds ?? list).map((world) => world.id);
        if (known && this.temporary.some((id) => !known.includes(id))) await this.compare(this.current?.scenario, this.current?.seed, this.pair);
      }
    } finally {
      this.recovering = false;
    }
  }

  leaveCompare(planner) {
    const { scenario, seed } = this.current ?? {};
    remember({ scenario, planner: planner === "throng" ? undefined : planner, seed });
    return this.open();
  }

  dropTemporary() {
    for (const id of this.temporary) api.deleteWorld(id).catch(() => {});
    this.temporary = [];
  }
}
