//! A published tick of a game: immutable, shared by all of its connections.
//!
//! `docs/protocol.md` has the layout of the binary message.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use serde_json::{Value, json};
use throng::scene::Location;
use throng_game::{CARRIED_MAX, Doing, Event, Game, Phase, Player, PlayerNumber, REACH, TICK_MS};

use super::tick_times::TickMilliseconds;

/// The kind of the binary message.
const STATE: u8 = 1;
const IS_SAFE: u8 = 1;
const IS_COMPUTER: u8 = 2;

/// A person's way ahead, and which edition of it this is.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) edition: u32,
    pub(crate) json: Arc<Value>,
}

/// What is published after a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameFrame {
    pub(crate) tick: u64,
    /// Where everybody and every orb is.
    pub(crate) state: Bytes,
    /// Who plays; the same until somebody joins or leaves.
    pub(crate) players: Arc<Value>,
    /// Round and scores; the same until one changes.
    pub(crate) scores: Arc<Value>,
    /// What happened in the tick.
    pub(crate) events: Arc<Vec<Value>>,
    /// The ways of people.
    pub(crate) ways: Arc<BTreeMap<PlayerNumber, Way>>,
    pub(crate) times: TickMilliseconds,
}

/// What a connection is told first.
pub(super) fn hello(id: &str, game: &Game) -> Value {
    let (scene, options) = (game.scene(), game.options());
    json!({
        "type": "hello", "protocol": 1,
        "game": {
            "id": id, "scene": scene.name(), "width": scene.width(), "height": scene.height(),
            "levels": scene.levels().count(), "tick_hz": 1000.0 / TICK_MS as f64,
            "teams": options.teams, "bases": game.bases().iter().map(place).collect::<Vec<_>>(),
            "radius": options.body.radius, "reach": REACH, "carried_max": CARRIED_MAX,
            "orbs_to_win": options.orbs_to_win, "round_ticks": options.round_ticks,
        },
    })
}

fn place(location: &Location) -> Value {
    json!([location.at.x, location.at.y, location.level.0])
}

/// Who plays.
pub(super) fn players(game: &Game) -> Value {
    let one = |player: &Player| {
        json!({
            "player": player.number().0, "name": player.name(), "team": player.team(),
            "computer": player.role().is_some(),
        })
    };
    json!({ "type": "players", "players": game.players().iter().map(one).collect::<Vec<_>>() })
}

/// The round, its winner, the score of each team, and of each person.
pub(super) fn scores(game: &Game) -> Value {
    let (is_over, winner, until) = match game.phase() {
        Phase::Playing => (false, None, None),
        Phase::Over { winner, until } => (true, winner, Some(until)),
    };
    let team = |score: &throng_game::TeamScore| json!({ "delivered": score.delivered, "gathered": score.gathered, "tags": score.tags });
    let people = game.players().iter().filter(|player| player.role().is_none());
    let person = |player: &Player| json!({ "player": player.number().0, "delivered": player.delivered(), "tags": player.tags() });
    json!({
        "type": "scores", "round": game.round(), "over": is_over, "winner": winner, "next_round_tick": until,
        "teams": game.scores().iter().map(team).collect::<Vec<_>>(),
        "people": people.map(person).collect::<Vec<_>>(),
    })
}

/// The ways of people: those that are known are taken over.
pub(super) fn ways(
    game: &Game,
    before: &BTreeMap<PlayerNumber, Way>,
) -> BTreeMap<PlayerNumber, Way> {
    let people = game.players().iter().filter(|player| player.role().is_none());
    let way = |player: &Player| {
        let edition = player.route_edition();
        let known = before.get(&player.number()).filter(|way| way.edition == edition);
        let way = known.cloned().unwrap_or_else(|| {
            let (known, rest) = player.way();
            let known: Vec<Value> = known.iter().map(place).collect();
            let rest = rest.as_ref().map(place);
            let json = json!({ "type": "way", "known": known, "rest": rest });
            Way { edition, json: Arc::new(json) }
        });
        (player.number(), way)
    };
    people.map(way).collect()
}

/// An event as JSON; `None` for what concerns computer players only.
pub(super) fn event(event: &Event, game: &Game) -> Option<Value> {
    let is_person =
        |number: PlayerNumber| game.player(number).is_some_and(|player| player.role().is_none());
    Some(match event {
        Event::Joined { player } => json!({ "kind": "joined", "player": player.0 }),
        Event::Left { player, name, is_person } => {
            json!({ "kind": "left", "player": player.0, "name": name, "computer": !is_person })
        }
        Event::Gathered { player } => json!({ "kind": "gathered", "player": player.0 }),
        Event::Delivered { player, count } => {
            json!({ "kind": "delivered", "player": player.0, "count": count })
        }
        Event::Tagged { by, player } => {
            json!({ "kind": "tagged", "by": by.0, "player": player.0 })
        }
        Event::NoPath { player } if is_person(*player) => {
            json!({ "kind": "no_path", "player": player.0 })
        }
        Event::RoundOver { winner } => json!({ "kind": "round_over", "winner": winner }),
        Event::RoundBegan { round } => json!({ "kind": "round_began", "round": round }),
        _ => return None,
    })
}

/// Where everybody and every orb is.
pub(super) fn state(game: &Game) -> Bytes {
    let (players, orbs) = (game.players(), game.orbs());
    let mut bytes = Vec::with_capacity(16 + players.len() * 16 + orbs.len() * 12);
    let is_over = game.phase() != Phase::Playing;
    bytes.extend([STATE, u8::from(is_over)]);
    // Numbers of players and orbs have limits, and games do not last for years.
    bytes.extend((players.len() as u16).to_le_bytes());
    bytes.extend((game.now() as u32).to_le_bytes());
    bytes.extend((game.round_tick() as u32).to_le_bytes());
    bytes.extend((orbs.len() as u16).to_le_bytes());
    bytes.extend([0, 0]);
    for player in players {
        add_player(&mut bytes, player, game.now());
    }
    for orb in orbs {
        bytes.extend((orb.at.x as f32).to_le_bytes());
        bytes.extend((orb.at.y as f32).to_le_bytes());
        bytes.extend([orb.level.0, 0, 0, 0]);
    }
    bytes.into()
}

fn add_player(bytes: &mut Vec<u8>, player: &Player, tick: u64) {
    let (location, heading) = (player.location(), player.heading());
    let doing = match player.doing(tick) {
        Doing::Stands => 0,
        Doing::Walks => 1,
        Doing::Plans => 2,
        Doing::Climbs => 3,
        Doing::Tickled => 4,
    };
    let safe = if player.is_safe(tick) { IS_SAFE } else { 0 };
    let computer = if player.role().is_some() { IS_COMPUTER } else { 0 };
    let share = |length: f64| ((length * 127.0) as i8).to_le_bytes()[0];
    bytes.extend(player.number().0.to_le_bytes());
    bytes.extend([location.level.0, doing]);
    bytes.extend((location.at.x as f32).to_le_bytes());
    bytes.extend((location.at.y as f32).to_le_bytes());
    bytes.extend([share(heading.x), share(heading.y), player.carried(), safe | computer]);
}
