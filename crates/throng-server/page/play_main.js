/** Starts the page of the players' game: makes its parts and connects them. */
import { Camera } from "./camera.js";
import { Drawer } from "./play_draw.js";
import { GameState } from "./play_state.js";
import { InterestOverlay } from "./play_interest.js";
import { Join } from "./play_join.js";
import { Link, showLinkState } from "./link.js";
import { PlayScene } from "./play_scene.js";
import { byId, icon } from "./dom.js";
import { colours } from "./palette.js";
import { decodeState } from "./play_protocol.js";
import { showHelp } from "./play_help.js";
import { startActions } from "./play_actions.js";
import { startBoard } from "./play_board.js";
import { startInput } from "./play_input.js";
import { startMinimap } from "./play_minimap.js";
import { startTheme } from "./theme.js";
import { toast } from "./toast.js";

/** Pixels per unit when the view follows the own player. */
const PLAY_SCALE = 44;
const SECONDS_MAX = 0.25;
/** How fast the view follows, per second. */
const FOLLOW = 6;

class PlayApp {
  constructor() {
    this.game = new URLSearchParams(location.hash.slice(1)).get("game") ?? "main";
    this.state = new GameState();
    this.camera = new Camera();
    this.scene = null;
    this.level = 0;
    this.mode = "path";
    this.follows = true;
    this.zones = false;
    this.theme = "light";
    this.frames = 0;
    this.drawer = new Drawer(this, byId("view"));
    this.interest = new InterestOverlay(this);
    this.join = new Join(this);
    this.board = startBoard(this);
    this.link = new Link(`/v1/games/${encodeURIComponent(this.game)}/ws`, {
      decode: decodeState,
      text: (message) => this.take(message),
      frame: (state) => this.frame(state),
      state: showLinkState,
    });
  }

  get otherMode() {
    return this.mode === "path" ? "straight" : "path";
  }

  take(message) {
    const taken = {
      hello: () => this.begin(message),
      players: () => {
        this.state.people = new Map(message.players.map((player) => [player.player, player]));
        if (this.state.own !== null && !this.state.people.has(this.state.own)) this.gone();
        this.board.scores();
      },
      scores: () => { this.state.scores = message; this.board.scores(); },
      events: () => message.events.forEach((event) => this.board.event(event)),
      way: () => { this.state.way = message; },
      joined: () => this.joined(message),
      interest: () => this.interest.take(message),
      status: () => { this.status = message; },
      error: () => toast(message.message, "error"),
    }[message.type];
    taken?.();
  }

  async begin(hello) {
    this.state.begin(hello);
    this.state.own = null;
    const resumes = this.join.resume();
    const response = await fetch(`/v1/games/${encodeURIComponent(this.game)}/scene`);
    if (!response.ok) return toast("The scene of the game cannot be read: reload the page", "error");
    const first = !this.scene;
    this.scene = new PlayScene(await response.json());
    this.camera.world = { width: this.scene.width, height: this.scene.height };
    if (first) this.fit();
    this.board.scores();
    if (first && !resumes) this.join.open();
    return undefined;
  }

  frame(state) {
    this.frames++;
    this.state.add(state, performance.now());
    const { me } = this.state;
    if (me && me.level !== this.seenLevel) {
      this.seenLevel = me.level;
      this.setLevel(me.level);
    }
  }

  joined(message) {
    const back = this.state.own === message.player;
    this.join.joined(message);
    this.seenLevel = undefined;
    this.state.way = null;
    this.board.scores();
    if (!back) this.setFollow(true);
    if (this.camera.scale < PLAY_SCALE) this.camera.scale = PLAY_SCALE;
    byId("view").focus({ preventScroll: true });
  }

  /** The server says that we play no more: we left, or were idle for long. */
  gone() {
    this.state.own = null;
    this.state.way = null;
    this.join.forget();
    toast("You have left the game. Join again when you like.");
  }

  toggleJoin() {
    if (this.state.own === null) return this.offerJoin();
    return this.link.send("leave");
  }

  offerJoin() {
    this.join.open();
  }

  go(x, y, mode) {
    const { me } = this.state;
    // Straight is on the own level only.
    const how = me && me.level !== this.level ? "path" : mode;
    this.link.send("go", { x, y, level: this.level, how });
  }

  tag() {
    if (this.state.own !== null) this.link.send("tag");
  }

  stop() {
    if (this.state.own !== null) this.link.send("stop");
  }

  opponentInReach() {
    const { me, team, people, hello, newest } = this.state;
    if (!me || me.safe) return false;
    return [...newest.players].some(([number, { level, x, y, safe }]) => !safe && level === me.level && people.get(number)?.team !== team && Math.hypot(x - me.x, y - me.y) <= hello.reach);
  }

  setLevel(level) {
    this.level = Math.min((this.scene?.levels.length ?? 1) - 1, Math.max(0, level));
    this.interest.renew();
  }

  setFollow(follows) {
    this.follows = follows;
  }

  say(text, kind) {
    toast(text, kind);
  }

  /** The whole town. */
  fit() {
    const narrow = this.camera.width < 700;
    this.setFollow(false);
    this.camera.fit({ left: narrow ? 12 : 190, right: 24, top: 16, bottom: 76 });
  }

  /** The middle of the view for a place: at the edges of the town the view stops, beside the panels. */
  inView(x, y) {
    const { width, height, scale } = this.camera;
    const narrow = width < 700;
    const inside = (at, size, most, before, after) => {
      const [least, largest] = [(size / 2 - before) / scale, most - (size / 2 - after) / scale];
      return least > largest ? (least + largest) / 2 : Math.min(largest, Math.max(least, at));
    };
    return [inside(x, width, this.scene.width, narrow ? 12 : 190, 24), inside(y, height, this.scene.height, 16, 76)];
  }

  draw(seconds, now) {
    this.drawer.resize();
    this.state.clock.advance(seconds, now, 0);
    const me = this.state.own === null ? null : this.state.place(this.state.own);
    if (this.follows && me && this.scene) {
      const [x, y] = this.inView(...this.scene.flip([me.x, me.y]));
      const share = Math.min(1, FOLLOW * seconds);
      this.camera.moveTo(this.camera.x + (x - this.camera.x) * share, this.camera.y + (y - this.camera.y) * share);
    }
    this.drawer.draw();
  }
}

function start() {
  const app = new PlayApp();
  window.throng = app;
  const toggleTheme = startTheme((theme) => {
    byId("theme").replaceChildren(icon(theme === "dark" ? "sun" : "moon"));
    app.theme = theme;
    app.scheme = colours(theme, []);
    app.board.scores();
  });
  const help = () => showHelp(app.game);
  const actions = {
    tag: () => app.tag(), stop: () => app.stop(), join: () => app.toggleJoin(), theme: toggleTheme, help,
    mode: () => { app.mode = app.otherMode; }, follow: () => app.setFollow(!app.follows), zones: () => { app.zones = !app.zones; },
    interest: () => app.interest.toggle(), level: (by) => app.setLevel(app.level + by), fit: () => app.fit(),
    zoom: (factor) => app.camera.zoomAt(app.camera.width / 2, app.camera.height / 2, factor),
  };
  startActions(app, actions);
  startInput(app, byId("view"), actions);
  startMinimap(app, byId("minimap"));
  byId("help").append(icon("help"));
  byId("help").addEventListener("click", help);
  byId("theme").addEventListener("click", toggleTheme);
  byId("log").append(icon("files"));
  byId("log").href = `/v1/games/${encodeURIComponent(app.game)}/log`;
  let before = performance.now();
  const frame = (now) => {
    const seconds = Math.min(SECONDS_MAX, (now - before) / 1000);
    before = now;
    app.draw(seconds, now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

start();
