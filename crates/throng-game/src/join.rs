//! Who plays: people join and leave, computer players fill the teams.

use throng_scene::{Bodies, Point};

use crate::game::{Event, Game};
use crate::options::{GameError, NAME_CHARACTERS_MAX, PEOPLE_MAX};
use crate::player::{Computer, Motion, Player, PlayerNumber, Role};

/// Names of computer players; further ones get a number.
const NAMES: [&str; 32] = [
    "Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ivo", "June", "Kai", "Lea", "Max",
    "Nora", "Otto", "Pia", "Quin", "Rosa", "Sam", "Tess", "Udo", "Vera", "Will", "Xena", "Yan",
    "Zoe", "Amir", "Bea", "Carl", "Dora", "Emil", "Faye",
];

impl Game {
    /// A person joins: in a team, or in the one with the fewest people. It takes the place of a
    /// computer player if there is one in that team. A name that is taken gets a number.
    ///
    /// # Errors
    /// When the name cannot be used, there is no such team, or the game is full.
    pub fn join(&mut self, name: &str, team: Option<u32>) -> Result<PlayerNumber, GameError> {
        let name = checked_name(name)?;
        let team = match team {
            Some(team) if team >= self.options.teams => {
                return Err(GameError::Team { given: team, last: self.options.teams - 1 });
            }
            Some(team) => team,
            None => self.team_with_fewest(Player::is_person),
        };
        if self.people() >= PEOPLE_MAX {
            return Err(GameError::Full);
        }
        if self.players.len() >= self.options.players as usize {
            self.remove_computer(team);
        }
        Ok(self.add(self.free_name(&name), team, None))
    }

    /// A player leaves: its orbs fall to the ground, and a computer player may take its place.
    pub fn leave(&mut self, number: PlayerNumber) {
        if let Some(index) = self.index_of(number) {
            self.remove(index);
            self.fill();
        }
    }

    /// How many people play.
    #[must_use]
    pub fn people(&self) -> usize {
        self.players.iter().filter(|player| player.is_person()).count()
    }

    /// Adds computer players to the smallest teams until there are enough players.
    pub(crate) fn fill(&mut self) {
        while self.players.len() < self.options.players as usize {
            let team = self.team_with_fewest(|_| true);
            let number = self.players.iter().filter(|player| player.team == team).count();
            let role = Role::of_number(number);
            let index = self.next_name % NAMES.len();
            self.next_name += 1;
            let name = self.free_name(NAMES[index]);
            // Not all decide in the same tick.
            let computer = Computer { role, decides_at: self.tick + number as u64 % 7 };
            self.add(name, team, Some(computer));
        }
    }

    /// The team with the fewest players that count; of equally small ones the one with the fewest
    /// players, then the first.
    fn team_with_fewest(&self, counts: impl Fn(&Player) -> bool) -> u32 {
        let size = |team: u32| {
            let of_team = self.players.iter().filter(|player| player.team == team);
            (of_team.clone().filter(|player| counts(player)).count(), of_team.count())
        };
        (0..self.options.teams).min_by_key(|&team| size(team)).unwrap_or(0)
    }

    /// Removes a computer player: of a team, or else of the largest one.
    fn remove_computer(&mut self, team: u32) {
        let last = |wanted: Option<u32>| {
            self.players.iter().rposition(|player| {
                !player.is_person() && wanted.is_none_or(|wanted| player.team == wanted)
            })
        };
        if let Some(index) = last(Some(team)).or_else(|| last(None)) {
            self.remove(index);
        }
    }

    fn remove(&mut self, index: usize) {
        self.drop_orbs(index);
        let player = self.players.remove(index);
        if let (Some(bodies), Some(body)) = (&mut self.bodies, player.body) {
            bodies.remove(body);
        }
        let is_person = player.is_person();
        self.events.push(Event::Left { player: player.number, name: player.name, is_person });
    }

    fn add(&mut self, name: String, team: u32, computer: Option<Computer>) -> PlayerNumber {
        let number = self.free_number();
        self.players.push(Player {
            number,
            name,
            team,
            computer,
            location: self.bases[team as usize],
            heading: Point::new(0.0, -1.0),
            body: None,
            motion: Motion::Stands,
            carried: 0,
            delivered: 0,
            tags: 0,
            still_until: 0,
            safe_until: 0,
            obstructed: 0,
            commanded_at: self.tick,
            route_edition: 0,
        });
        self.put_at_base(self.players.len() - 1);
        self.events.push(Event::Joined { player: number });
        number
    }

    /// Puts a player at a free place near its base.
    pub(crate) fn put_at_base(&mut self, index: usize) {
        let (team, me) = (self.players[index].team as usize, self.players[index].body);
        let radius = self.options.body.radius;
        let is_open = |place: &&throng_scene::Location| {
            let bodies = self.bodies.as_ref();
            bodies.is_none_or(|bodies| !bodies.is_near(place.at, place.level, radius, me))
        };
        let open = self.starts[team].iter().find(is_open);
        let place = open.or(self.starts[team].first()).copied().unwrap_or(self.bases[team]);
        self.players[index].location = place;
        self.players[index].set_motion(Motion::Stands);
        self.set_body(index);
    }

    /// Tells the other bodies where a player is.
    pub(crate) fn set_body(&mut self, index: usize) {
        let player = &mut self.players[index];
        let Some(bodies) = &mut self.bodies else { return };
        match player.body {
            Some(body) => bodies.set(body, player.location),
            None => {
                player.body = bodies.add(player.location, self.options.body.radius).ok();
                if player.body.is_none() {
                    self.renew_bodies(true);
                }
            }
        }
    }

    /// Begins with a new set of bodies: a set takes a bounded number of them in its life.
    pub(crate) fn renew_bodies(&mut self, is_full: bool) {
        let Some(bodies) = &mut self.bodies else { return };
        *bodies = Bodies::new(&self.ground.scene);
        for player in &mut self.players {
            let body = is_full.then(|| bodies.add(player.location, self.options.body.radius).ok());
            player.body = body.flatten();
        }
    }

    /// The next number that no player has. Numbers go around.
    fn free_number(&mut self) -> PlayerNumber {
        loop {
            let number = PlayerNumber(self.next_number);
            self.next_number = self.next_number.wrapping_add(1);
            if self.index_of(number).is_none() {
                return number;
            }
        }
    }

    /// The name, with a number if it is taken.
    fn free_name(&self, name: &str) -> String {
        let is_taken = |wanted: &str| {
            self.players.iter().any(|player| player.name.to_lowercase() == wanted.to_lowercase())
        };
        if !is_taken(name) {
            return name.to_owned();
        }
        let numbered = (2_u32..).map(|number| format!("{name} {number}"));
        numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
    }
}

/// A name with its spaces in order.
pub(crate) fn checked_name(name: &str) -> Result<String, GameError> {
    // A longer text is not worth the work.
    let short = name.len() <= 4 * NAME_CHARACTERS_MAX + 64;
    let name =
        if short { name.split_whitespace().collect::<Vec<_>>().join(" ") } else { String::new() };
    let is_good = |character: char| character.is_alphanumeric() || " -_.'".contains(character);
    match (1..=NAME_CHARACTERS_MAX).contains(&name.chars().count()) && name.chars().all(is_good) {
        true => Ok(name),
        false => Err(GameError::Name),
    }
}
