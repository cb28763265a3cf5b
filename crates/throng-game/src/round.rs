//! Rounds: a team wins, a pause, then everybody begins again at its base.

use crate::game::{Event, Game, Phase, TeamScore};
use crate::log::PlayLog;
use crate::options::PAUSE_TICKS;
use crate::player::Motion;

impl Game {
    /// Ends the round when a team has brought enough orbs home, or the time is up.
    pub(crate) fn end_round(&mut self) {
        let enough = self.options.orbs_to_win;
        let first = self.scores.iter().position(|score| score.delivered >= enough);
        let is_over = self.round_tick() >= self.options.round_ticks;
        if first.is_none() && !is_over {
            return;
        }
        let winner = first.or_else(|| TeamScore::leader(&self.scores)).map(|team| team as u32);
        self.phase = Phase::Over { winner, until: self.tick + PAUSE_TICKS };
        for player in &mut self.players {
            player.set_motion(Motion::Stands);
        }
        self.events.push(Event::RoundOver { winner });
    }

    /// Begins the next round: everybody at its base, all orbs on the ground, no scores, a new log.
    pub(crate) fn begin_round(&mut self) {
        self.round += 1;
        self.round_began = self.tick;
        self.phase = Phase::Playing;
        self.log = PlayLog::default();
        self.scores.fill(TeamScore::default());
        self.renew_bodies(false);
        for index in 0..self.players.len() {
            self.put_at_base(index);
            let player = &mut self.players[index];
            (player.carried, player.delivered, player.tags) = (0, 0, 0);
            (player.still_until, player.safe_until) = (0, 0);
            if let Some(computer) = &mut player.computer {
                computer.decides_at = 0;
            }
        }
        self.place_orbs();
        self.events.push(Event::RoundBegan { round: self.round });
    }
}
