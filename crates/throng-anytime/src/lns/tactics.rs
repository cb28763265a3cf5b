//! How groups are chosen and repaired: some settings, drawn by how much they have gained.
//!
//! Small groups and hasty searches gain most in a crowded first plan, larger groups and exact
//! searches once little is left to gain. Each setting has a few values. A value is drawn with a
//! probability proportional to what it has gained per expansion lately (adaptive large
//! neighbourhood search: S. Ropke, D. Pisinger, 2006). A flood is always exact and short, so the haste
//! and the limit of a search matter to A* only.

use super::random::Random;

/// Units per group.
const SIZES: [usize; 4] = [2, 4, 8, 16];
/// Weights of the heuristic beyond 1, in eighths: see `Query::greed`.
const GREEDS: [u32; 4] = [0, 2, 6, 16];
/// How the first unit is drawn.
const FIRSTS: [First; 3] = [First::Delayed, First::ByDelay, First::Follower];
/// Most expansions per unit of a group: hard searches are given up.
const EXPANSIONS_MAX: [u64; 4] = [250, 1_000, 4_000, 16_000];

/// How the first unit of a group is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Any unit that has a delay.
    Delayed,
    /// In proportion to the delays.
    ByDelay,
    /// A unit that follows right behind a path that was given up; by delay if there is none.
    Follower,
}

/// The settings of one group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tactic {
    size: usize,
    greed: usize,
    first: usize,
    expansions_max: usize,
}

impl Tactic {
    /// Units per group.
    pub(crate) fn size(self) -> usize {
        SIZES[self.size]
    }

    /// How hasty the searches are.
    pub(crate) fn greed(self) -> u32 {
        GREEDS[self.greed]
    }

    /// How the first unit is drawn.
    pub(crate) fn first(self) -> First {
        FIRSTS[self.first]
    }

    /// Most expansions for the repair of a group.
    pub(crate) fn expansions_max(self) -> u64 {
        self.size() as u64 * EXPANSIONS_MAX[self.expansions_max]
    }
}

/// What the values of all settings have gained.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tactics {
    sizes: Gains<{ SIZES.len() }>,
    greeds: Gains<{ GREEDS.len() }>,
    first: Gains<{ FIRSTS.len() }>,
    expansions_max: Gains<{ EXPANSIONS_MAX.len() }>,
}

impl Tactics {
    pub(crate) fn draw(&self, random: &mut Random) -> Tactic {
        let size = self.sizes.draw(random);
        let greed = self.greeds.draw(random);
        let first = self.first.draw(random);
        let expansions_max = self.expansions_max.draw(random);
        Tactic { size, greed, first, expansions_max }
    }

    /// Counts what a tactic has gained with some work.
    pub(crate) fn learn(&mut self, tactic: Tactic, gain: u64, work: u64) {
        self.sizes.learn(tactic.size, gain, work);
        self.greeds.learn(tactic.greed, gain, work);
        self.first.learn(tactic.first, gain, work);
        self.expansions_max.learn(tactic.expansions_max, gain, work);
    }
}

/// Work after which older gains count half.
const MEMORY: u64 = 1 << 20;
/// The least share of the work is one in this many.
const SHARE_MIN: u64 = 64;

/// Gain, work and number of repairs of the values of one setting.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    gain: u64,
    work: u64,
    repairs: u64,
}

impl Record {
    /// Gain per work, squared, so that most work goes to the best values.
    fn merit(self) -> u64 {
        let rate = ((self.gain << 16) / (self.work + 1)).min(1 << 20) + 1;
        rate * rate
    }

    /// How often to draw a value that is to get this share of the work.
    fn frequency(self, share: u64) -> u64 {
        let work = self.work / (self.repairs + 1) + 1;
        ((u128::from(share) << 20) / u128::from(work)).min(1 << 48) as u64 + 1
    }
}

/// The records of the values of one setting.
#[derive(Clone, Debug)]
struct Gains<const N: usize>([Record; N]);

impl<const N: usize> Default for Gains<N> {
    fn default() -> Self {
        Self([Record::default(); N])
    }
}

impl<const N: usize> Gains<N> {
    fn draw(&self, random: &mut Random) -> usize {
        let least = self.0.iter().map(|record| record.merit()).sum::<u64>() / SHARE_MIN + 1;
        let frequencies = self.0.map(|record| record.frequency(record.merit().max(least)));
        let mut drawn = random.below(frequencies.iter().sum());
        for (value, &frequency) in frequencies.iter().enumerate() {
            if drawn < frequency {
                return value;
            }
            drawn -= frequency;
        }
        0
    }

    fn learn(&mut self, value: usize, gain: u64, work: u64) {
        let record = &mut self.0[value];
        record.gain += gain << 8;
        record.work += work;
        record.repairs += 1;
        if record.work > MEMORY {
            record.gain /= 2;
            record.work /= 2;
            record.repairs /= 2;
        }
    }
}
