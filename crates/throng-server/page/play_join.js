/** Joining: a name and a team; a page that was reloaded or lost its connection gets its player back. */
import { byId, make } from "./dom.js";
import { teamMark, teamName } from "./play_shapes.js";

const NAME = "throng.name";
const KEY = "throng.game.key";

function stored(store, name) {
  try { return store.getItem(name); } catch { return null; }
}

function keep(store, name, value) {
  try {
    if (value === null) store.removeItem(name);
    else store.setItem(name, value);
  } catch { /* private window: the player is not found again after a reload */ }
}

export class Join {
  constructor(app) {
    this.app = app;
    this.form = byId("join");
    this.team = null;
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
  }

  /** Opens the form. */
  open() {
    this.render();
    this.form.hidden = false;
    this.form.querySelector("input").focus();
  }

  close() {
    this.form.hidden = true;
  }

  render() {
    const { app } = this;
    const name = this.form.querySelector("input")?.value ?? stored(localStorage, NAME) ?? "";
    const choice = (team, text, mark) => make("button", {
      type: "button", class: "choice", "aria-pressed": String(this.team === team),
      onclick: () => { this.team = team; this.render(); },
    }, mark, text);
    const teams = Array.from({ length: app.state.hello?.teams ?? 0 }, (_, team) => choice(team, teamName(team).replace("Team ", ""), teamMark(team, app.scheme.teams[team], 16)));
    this.form.replaceChildren(make("h2", {}, "Join the game"),
      make("p", {}, "Gather orbs and bring them to your team's base. Opponents who touch you can tag you: then you drop what you carry."),
      make("label", {}, "Your name", make("input", { type: "text", name: "name", maxlength: 20, required: true, autocomplete: "nickname", value: name })),
      make("fieldset", {}, make("legend", {}, "Your team"), choice(null, "any"), ...teams),
      make("footer", {}, make("button", { type: "button", class: "quiet", onclick: () => this.close() }, "Watch"), make("button", { class: "main" }, "Join")));
  }

  submit() {
    const name = this.form.querySelector("input").value.trim();
    if (!name) return;
    keep(localStorage, NAME, name);
    const fields = this.team === null ? { name } : { name, team: this.team };
    if (!this.app.link.send("join", fields)) this.app.say("No connection to the game yet: try again in a moment", "error");
  }

  /** The server's answer: this is who we are. */
  joined({ name, key, player }) {
    keep(sessionStorage, KEY, key);
    this.name = name;
    this.app.state.own = player;
    this.close();
  }

  /** After a new connection: the same player as before, if the server still has it. */
  resume() {
    const key = stored(sessionStorage, KEY);
    if (!key) return false;
    return this.app.link.send("join", { name: this.name ?? stored(localStorage, NAME) ?? "player", key });
  }

  forget() {
    keep(sessionStorage, KEY, null);
  }
}
