//! The people of a game: who may speak for which player, and who has gone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;
use throng_game::{Game, PlayerNumber};

use crate::error::Refusal;

/// A person who lost the connection has so long to come back, in ticks.
const BACK_TICKS: u64 = 300;
/// A person who does nothing for so long leaves, in ticks.
const IDLE_TICKS: u64 = 1_800;
/// No connection has this number.
const NO_SESSION: u64 = 0;
/// Bytes of a key.
const KEY_BYTES: usize = 16;

/// A person's seat.
#[derive(Clone, Debug)]
struct Seat {
    /// The connection that speaks for the player.
    session: u64,
    key: String,
    /// When the connection was lost.
    lost_at: Option<u64>,
}

/// A seat as it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedSeat {
    player: u16,
    key: String,
}

/// All seats, by player.
#[derive(Debug, Default)]
pub(super) struct Seats {
    seats: BTreeMap<PlayerNumber, Seat>,
}

impl Seats {
    /// A seat for a new player. The answer is the key with which it can come back.
    pub(super) fn take(&mut self, player: PlayerNumber, session: u64) -> Result<String, Refusal> {
        let mut bytes = [0; KEY_BYTES];
        let failed = |_| Refusal::busy("the system gives no random numbers; try again later");
        getrandom::fill(&mut bytes).map_err(failed)?;
        let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.seats.insert(player, Seat { session, key: key.clone(), lost_at: None });
        Ok(key)
    }

    /// What is saved: the keys with which people can come back.
    pub(super) fn save(&self) -> Vec<SavedSeat> {
        let saved = |(player, seat): (&PlayerNumber, &Seat)| SavedSeat {
            player: player.0,
            key: seat.key.clone(),
        };
        self.seats.iter().map(saved).collect()
    }

    /// The seats of the people who play. They have lost their connections, and as much time to come
    /// back as others who did.
    pub(super) fn restore(saved: &[SavedSeat], game: &Game) -> Self {
        let lost_at = Some(game.now());
        let seat = |saved: &SavedSeat| {
            let player = game.player(PlayerNumber(saved.player))?;
            let is_person = player.role().is_none() && saved.key.len() == 2 * KEY_BYTES;
            let seat = Seat { session: NO_SESSION, key: saved.key.clone(), lost_at };
            is_person.then(|| (player.number(), seat))
        };
        let seats: BTreeMap<PlayerNumber, Seat> = saved.iter().filter_map(seat).collect();
        Self { seats }
    }

    /// The player of a key, who is here again by another connection.
    pub(super) fn back(&mut self, key: &str, session: u64) -> Option<PlayerNumber> {
        let is_it = |seat: &Seat| bool::from(seat.key.as_bytes().ct_eq(key.as_bytes()));
        let (player, seat) = self.seats.iter_mut().find(|(_, seat)| is_it(seat))?;
        (seat.session, seat.lost_at) = (session, None);
        Some(*player)
    }

    /// Whether a connection speaks for a player.
    pub(super) fn check(&self, player: PlayerNumber, session: u64) -> Result<(), Refusal> {
        match self.seats.get(&player) {
            Some(seat) if seat.session == session => Ok(()),
            Some(_) => Err(Refusal::conflict(
                "another window plays this player; join here to play by this one",
            )),
            None => Err(Refusal::missing("this player has left the game: join again")),
        }
    }

    /// The connection is lost: the player stays for a while.
    pub(super) fn lose(&mut self, player: PlayerNumber, session: u64, tick: u64) {
        if let Some(seat) = self.seats.get_mut(&player).filter(|seat| seat.session == session) {
            seat.lost_at = Some(tick);
        }
    }

    pub(super) fn remove(&mut self, player: PlayerNumber) {
        self.seats.remove(&player);
    }

    /// Removes those who are gone or idle for long.
    pub(super) fn overdue(&mut self, game: &Game) -> Vec<PlayerNumber> {
        let now = game.now();
        let is_overdue = |(number, seat): &(&PlayerNumber, &Seat)| {
            let is_gone = seat.lost_at.is_some_and(|since| now >= since + BACK_TICKS);
            let idle = |player: &throng_game::Player| now >= player.commanded_at() + IDLE_TICKS;
            is_gone || game.player(**number).is_none_or(idle)
        };
        let overdue: Vec<_> = self.seats.iter().filter(is_overdue).map(|(it, _)| *it).collect();
        overdue.iter().for_each(|player| self.remove(*player));
        overdue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_game::GameOptions;

    #[test]
    fn a_key_brings_back_its_player_and_no_other() {
        let mut seats = Seats::default();
        let keys: Vec<String> =
            (0..3).map(|number| seats.take(PlayerNumber(number), 1).unwrap()).collect();
        assert_eq!(seats.back(&keys[1], 2), Some(PlayerNumber(1)));
        assert!(
            seats.check(PlayerNumber(1), 2).is_ok() && seats.check(PlayerNumber(1), 1).is_err()
        );
        for wrong in ["", "0", &keys[1][1..], &format!("{}0", keys[1]), &keys[1].to_uppercase()] {
            assert!(seats.back(wrong, 3).is_none(), "{wrong}");
        }
    }

    #[test]
    fn who_is_lost_or_idle_leaves() {
        let scene = throng::scene::town(1).validate().unwrap();
        let mut game = Game::new(scene, GameOptions::default()).unwrap();
        let mut seats = Seats::default();
        let [lost, idle] = ["lost", "idle"].map(|name| game.join(name, None).unwrap());
        seats.take(lost, 1).unwrap();
        seats.take(idle, 2).unwrap();
        seats.lose(lost, 9, 0);
        seats.lose(lost, 1, 0);
        let mut left = Vec::new();
        for _ in 0..IDLE_TICKS {
            game.tick();
            left.extend(seats.overdue(&game).into_iter().map(|player| (player, game.now())));
        }
        assert_eq!(left, [(lost, BACK_TICKS), (idle, IDLE_TICKS)]);
        assert!(seats.check(idle, 2).is_err());
    }
}
