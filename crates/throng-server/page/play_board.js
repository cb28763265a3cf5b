/** Scores, the feed of what happens, the line of the round, and the banner between rounds. */
import { byId, make } from "./dom.js";
import { teamMark, teamName } from "./play_shapes.js";

const FEED_MAX = 6;
const FEED_MS = 7000;
const EVERY_MS = 250;

export function startBoard(app) {
  setInterval(() => showRound(app), EVERY_MS);
  return {
    scores: () => showScores(app),
    event: (event) => showEvent(app, event),
  };
}

function showScores(app) {
  const { state, scheme } = app;
  const { scores, hello } = state;
  if (!scores || !hello) return;
  const rows = scores.teams.map((score, team) => ({ score, team })).sort((a, b) => b.score.delivered - a.score.delivered || a.team - b.team);
  const lines = rows.map(({ score, team }) => {
    const share = Math.min(100, (100 * score.delivered) / hello.orbs_to_win);
    return make("div", { class: `team ${team === state.team ? "own" : ""}`, style: `--dot:${scheme.teams[team]}`, "data-team": team },
      teamMark(team, scheme.teams[team]), make("span", {}, teamName(team).replace("Team ", "")), make("b", {}, score.delivered),
      make("span", { class: "share" }, make("i", { style: `width:${share}%` })));
  });
  const people = scores.people.map(({ player, delivered, tags }) => {
    const { name, team } = state.people.get(player) ?? {};
    if (name === undefined) return null;
    return make("div", { class: `person ${player === state.own ? "own" : ""}` }, teamMark(team, scheme.teams[team]), make("b", {}, name), `${delivered} · ${tags}`);
  });
  byId("board").replaceChildren(make("h2", {}, `Orbs brought home, of ${hello.orbs_to_win}`), ...lines,
    ...(people.length ? [make("h2", {}, "People: orbs · tags")] : []), ...people.filter(Boolean).slice(0, 8));
}

function showRound(app) {
  const { state } = app;
  const { newest, scores, hello } = state;
  const element = byId("round");
  if (!newest || !scores) return void (element.textContent = "…");
  const left = Math.max(0, Math.round((hello.round_ticks - newest.roundTick) / hello.tick_hz));
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  element.textContent = `Round ${scores.round} · ${newest.players.size} players · ${scores.over ? "over" : `${clock} left`}`;
  const banner = byId("banner");
  banner.hidden = !scores.over;
  if (!scores.over) return;
  const wait = Math.max(0, Math.ceil((scores.next_round_tick - newest.tick) / hello.tick_hz));
  const won = scores.winner === null ? "Nobody wins this round" : `${teamName(scores.winner)} wins the round`;
  banner.replaceChildren(scores.winner === state.team && state.team !== undefined ? `${won}: yours!` : won, make("small", {}, `The next one begins in ${wait} s.`));
}

/** What people did, or what happened to them; computer players are left out, except against people. */
function showEvent(app, { kind, player, by, count, name, computer, winner }) {
  const { state } = app;
  const is = (number) => state.people.get(number)?.computer === false;
  const [who, whom] = [state.nameOf(by ?? player), state.nameOf(player)];
  const texts = {
    joined: is(player) && `${whom} joined`,
    left: computer === false && `${name} left`,
    gathered: player === state.own && "You picked up an orb",
    delivered: (is(player) || count > 1) && `${whom} brought ${count} ${count === 1 ? "orb" : "orbs"} home`,
    tagged: (is(by) || is(player)) && `${who} tagged ${whom}`,
    no_path: player === state.own && "There is no way to that place",
    round_began: "A new round begins",
    round_over: winner === null ? "The round is over" : `${teamName(winner ?? 0)} wins`,
  };
  const text = texts[kind];
  if (!text) return;
  const own = player === state.own || by === state.own;
  const line = make("li", { class: own ? "own" : "" }, text);
  const feed = byId("feed");
  feed.append(line);
  while (feed.children.length > FEED_MAX) feed.firstChild.remove();
  setTimeout(() => line.remove(), FEED_MS);
}
