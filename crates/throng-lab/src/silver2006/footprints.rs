//! "Reservation Table Revisited": figures 5 and 6, drawn from the claims of a space.

use throng::model::{Cell, DiagonalCost, Map, MovementProfile};
use throng::spacetime::{
    Action, FootprintRules, Grain, GridSpace, Manoeuvre, PassingRule, Position, Space,
};
use throng_draw::{Disc, Picture, Point, svg, unit_colour};

use crate::harness::svg_layout::{below, beside};
use crate::harness::{Rule, Statement, Study, Values, row};
use crate::{LabError, Table, Value};

/// Side of the map around an action, in cells.
const SIDE: u16 = 4;
/// Squares per side of a cell in the figures.
const FINE: u16 = 2;

/// An action to draw.
struct Example {
    name: &'static str,
    movement: MovementProfile,
    rules: FootprintRules,
    from: Cell,
    to: Cell,
}

impl Example {
    fn space(&self) -> Result<GridSpace, LabError> {
        let map = Map::empty(u32::from(SIDE), u32::from(SIDE))?;
        Ok(GridSpace::new(&map, self.movement.clone(), &self.rules)?)
    }

    /// The claims of the action.
    fn claims(&self) -> Result<Claims, LabError> {
        let space = self.space()?;
        let lost = || LabError::Figure("6", format!("{}: no such action", self.name));
        let from = space.position(self.from).ok_or_else(lost)?;
        let to = space.position(self.to).ok_or_else(lost)?;
        let mut found = None;
        space.for_each_move(from, |step| {
            if step.to == to && found.is_none_or(|(_, ticks)| step.ticks >= ticks) {
                found = Some((step.action, step.ticks));
            }
        });
        let (action, ticks) = found.ok_or_else(lost)?;
        Ok(Claims::new(&space, from, action, ticks))
    }

    /// The entries at each tick, and the body that moves over them.
    fn picture(&self) -> Result<String, LabError> {
        let claims = self.claims()?;
        let map = Map::empty(u32::from(SIDE * FINE), u32::from(SIDE * FINE))?;
        let last = claims.at.len() - 1;
        let mut ticks = Vec::new();
        for (tick, held) in claims.at.iter().enumerate() {
            let values: Vec<_> = map.cells().map(|raster| self.value(held, raster)).collect();
            let caption = if tick == 0 { self.name.to_owned() } else { format!("+{tick}") };
            let centre = self.body(tick, last);
            let side = self.movement.footprint * FINE as u8;
            let body = Disc { centre, footprint: side, colour: unit_colour(0) };
            let picture = Picture::new(&map).heat("held", &values)?.disc(body);
            ticks.push(svg(&picture.caption(&caption)));
        }
        let rows: Vec<String> = ticks.chunks(TICKS_BESIDE).map(beside).collect();
        Ok(below(&rows))
    }

    /// The centre of the body at a tick: on the straight line to the end, or on the curve.
    fn body(&self, tick: usize, last: usize) -> Point {
        let side = self.movement.footprint * FINE as u8;
        let place = |x: u16, y: u16| Point::centre(Cell::new(x, y), side);
        if let [first, second] = *CURVE.get(tick.wrapping_sub(1)).unwrap_or(&[(0, 0); 2])
            && self.name == CURVED
            && (1..last).contains(&tick)
        {
            return place(first.0, first.1).towards(place(second.0, second.1), 0.5);
        }
        let [from, to] = [self.from, self.to].map(|at| place(at.x * FINE, at.y * FINE));
        from.towards(to, tick as f64 / last.max(1) as f64)
    }

    /// Whether a square of the figure lies in an entry that is held.
    fn value(&self, held: &[u32], raster: Cell) -> Option<f64> {
        let scaled = |by: u16| (raster.x / by, raster.y / by);
        let ((x, y), columns) = match self.rules.grain {
            Grain::Cell => (scaled(FINE), SIDE),
            Grain::Coarser(by) => (scaled(FINE * u16::from(by)), SIDE.div_ceil(u16::from(by))),
            Grain::Finer(_) => (scaled(1), SIDE * FINE),
        };
        let entry = u32::from(y) * u32::from(columns) + u32::from(x);
        held.contains(&entry).then_some(1.0)
    }
}

/// The entries that an action holds, by tick from its beginning.
struct Claims {
    at: Vec<Vec<u32>>,
}

impl Claims {
    fn new(space: &GridSpace, from: Position, action: Action, ticks: u32) -> Self {
        let mut at = vec![Vec::new(); ticks as usize + 1];
        space.standing(from, |entry| {
            at[0].push(entry.0);
            true
        });
        space.footprint(from, action, |entry, tick| {
            if let Some(held) = at.get_mut(tick as usize)
                && !held.contains(&entry.0)
            {
                held.push(entry.0);
            }
            true
        });
        Self { at }
    }

    /// The claims after the first tick.
    fn count(&self) -> usize {
        self.at.iter().skip(1).map(Vec::len).sum()
    }
}

const CURVED: &str = "curved";
/// A quarter circle, from facing down to facing right: for each tick, the two positions in half
/// cells between which the body is.
const CURVE: [[(u16, u16); 2]; 3] = [[(0, 0), (0, 1)], [(0, 2), (1, 3)], [(2, 4), (3, 4)]];

fn curve() -> Manoeuvre {
    let square = |(x, y): (u16, u16), tick| {
        let halves = [(0, 0), (1, 0), (0, 1), (1, 1)];
        halves.into_iter().map(move |(dx, dy)| ((i32::from(x) + dx, i32::from(y) + dy), tick))
    };
    let under_way = (1..)
        .zip(CURVE)
        .flat_map(|(tick, places)| places.into_iter().flat_map(move |place| square(place, tick)));
    Manoeuvre {
        to: (2, 2),
        ticks: 4,
        cost: throng::model::Cost(4 * throng::model::STRAIGHT),
        over: vec![(0, 1), (0, 2), (1, 2)],
        holds: under_way.chain(square((4, 4), 4)).collect(),
    }
}

/// Examples per row of the figure.
const ROWS: [usize; 5] = [2, 2, 2, 1, 1];
/// Ticks of one example beside each other: more would make the page shrink the picture.
const TICKS_BESIDE: usize = 4;

fn examples() -> Vec<Example> {
    let movement =
        MovementProfile { diagonal: DiagonalCost::OneTick, ..MovementProfile::eight_connected() };
    let rules = FootprintRules::default();
    let plain = |name, to: (u16, u16)| Example {
        name,
        movement: movement.clone(),
        rules: rules.clone(),
        from: Cell::new(1, 1),
        to: to.into(),
    };
    let double = FootprintRules { passing: PassingRule::DoubleClaims, ..rules.clone() };
    let coarse = FootprintRules { grain: Grain::Coarser(2), ..rules.clone() };
    let fine = FootprintRules { grain: Grain::Finer(2), ..rules.clone() };
    let curved = FootprintRules { manoeuvres: vec![curve()], ..fine.clone() };
    let origin = Cell::new(0, 0);
    vec![
        plain("straight", (2, 1)),
        plain("diagonal", (2, 2)),
        Example { rules: double, ..plain("diagonal, twice", (2, 2)) },
        Example {
            movement: MovementProfile { footprint: 3, ..movement.clone() },
            from: origin,
            ..plain("large", (1, 0))
        },
        Example { rules: coarse, ..plain("coarse table", (2, 1)) },
        Example { rules: fine, ..plain("fine table", (2, 1)) },
        Example {
            movement: MovementProfile { pace: 3, ..movement.clone() },
            ..plain("slow", (2, 1))
        },
        Example { rules: curved, from: origin, ..plain(CURVED, (2, 2)) },
    ]
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let examples = examples();
    let claims: Vec<(&str, Claims)> = examples
        .iter()
        .map(|example| Ok((example.name, example.claims()?)))
        .collect::<Result<_, LabError>>()?;
    let text =
        "Entries of the reservation table that an action holds, drawn from the table itself.";
    study.section("Figures 5 and 6: reservation table revisited", text);
    study.table(table(&claims));
    judge(&claims, study);
    let pictures: Vec<String> = examples.iter().map(Example::picture).collect::<Result<_, _>>()?;
    let mut rest = pictures.as_slice();
    let rows = ROWS.map(|count| {
        let (row, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        beside(row)
    });
    let caption = "Figure 5: cells of space-time of A a slow unit and B a fast one, C in the table. \
                   Columns are places, rows are ticks.";
    study.figure_beside("figure-5", caption, beside(&speeds()?));
    let caption = "Figure 6: entries that are held at each tick of an action, shaded. The paper's A \
                   is \"diagonal, twice\", B \"large\", C \"curved\", D \"slow\".";
    study.figure_beside("figure-6", caption, below(&rows));
    Ok(())
}

fn table(claims: &[(&str, Claims)]) -> Table {
    let mut table = Table::new(
        "footprints",
        "Entries of the reservation table that an action holds",
        &["action", "ticks", "standing", "+1", "+2", "+3", "+4", "to look up"],
    );
    for (name, claims) in claims {
        let mut row = row![*name, claims.at.len() - 1];
        row.extend(claims.at.iter().map(|held| Value::from(held.len())));
        row.resize(7, Value::Missing);
        row.push(claims.count().into());
        table.push(row);
    }
    table
}

/// A figure's footprint: the action, its entries by tick, what the article says.
const SAID: [(&str, &[usize], Statement); 7] = [
    (
        "straight",
        &[1, 1],
        said("Figure 5B", "\"a fast unit would have much shorter time-steps\"", "shorter"),
    ),
    (
        "diagonal, twice",
        &[4, 4],
        said("Figure 6A", "a diagonal move \"might include a cube of eight cells\"", "8 entries"),
    ),
    (
        "large",
        &[9, 9],
        said(
            "Figure 6B",
            "\"a large unit's actions would have a wider footprint at each time-step\"",
            "wider",
        ),
    ),
    (
        CURVED,
        &[4, 10, 11, 8, 4],
        said(
            "Figure 6C",
            "\"curved actions would include all entries intersected by the motion\"",
            "all of them",
        ),
    ),
    (
        "slow",
        &[1, 2, 2, 1],
        said(
            "Figures 5A and 6D",
            "\"slow actions would have a footprint lasting for more time-steps\"",
            "more time-steps",
        ),
    ),
    (
        "coarse table",
        &[1, 1],
        said("Reservation table revisited", "a coarse table has fewer entries to check", "fewer"),
    ),
    (
        "fine table",
        &[4, 4],
        said(
            "Reservation table revisited",
            "\"a fine-grained reservation table will require more lookups\"",
            "more",
        ),
    ),
];

const fn said(place: &'static str, says: &'static str, paper: &'static str) -> Statement {
    Statement::new(place, says, paper, Rule::is_so()).because("other entries are held")
}

fn judge(claims: &[(&str, Claims)], study: &mut Study<'_>) {
    for (name, expected, statement) in &SAID {
        let found = claims.iter().find(|(known, _)| known == name);
        let found: Vec<usize> =
            found.map_or(Vec::new(), |(_, claims)| claims.at.iter().map(Vec::len).collect());
        let is_so = Values::so(found == *expected);
        study.judge_with(statement, &is_so, &format!("{found:?} entries by tick"));
    }
}

/// Ticks of figure 5.
const TICKS: u16 = 6;
/// Cells of its corridor.
const CORRIDOR: u16 = 8;
/// The fast unit stops here, before the slow one.
const STOP: u16 = 3;

/// Figure 5: a slow unit's cells of space-time, a fast one's, and the table of both. Columns
/// are places, rows are ticks, from the top.
fn speeds() -> Result<[String; 3], LabError> {
    let slow = space_time(3, 0, 2)?;
    let fast = space_time(1, CORRIDOR - 1, STOP)?;
    let both = slow.iter().zip(&fast).map(|(slow, fast)| slow.or(*fast)).collect();
    let map = Map::empty(u32::from(CORRIDOR), u32::from(TICKS) + 1)?;
    let picture = |caption: &str, values: Vec<Option<f64>>| -> Result<String, LabError> {
        Ok(svg(&Picture::new(&map).heat("held", &values)?.caption(caption)))
    };
    Ok([
        picture("A: 3 ticks per step, one row per tick", slow)?,
        picture("B: 1 tick per step, then it waits", fast)?,
        picture("C: the table that they share", both)?,
    ])
}

/// The entries of a unit that walks along a corridor and waits at its end.
fn space_time(pace: u8, from: u16, to: u16) -> Result<Vec<Option<f64>>, LabError> {
    let map = Map::empty(u32::from(CORRIDOR), 1)?;
    let movement = MovementProfile { pace, ..MovementProfile::four_connected() };
    let space = GridSpace::new(&map, movement, &FootprintRules::default())?;
    let mut held = vec![None; usize::from(CORRIDOR) * (usize::from(TICKS) + 1)];
    let mut hold = |entry: u32, tick: u32| {
        if let Some(place) = held.get_mut((tick * u32::from(CORRIDOR) + entry) as usize) {
            *place = Some(f64::from(pace));
        }
    };
    let goal = Position(u32::from(to));
    let (mut at, mut tick) = (Position(u32::from(from)), 0);
    hold(at.0, 0);
    while tick < u32::from(TICKS) {
        let (mut action, mut next, mut ticks) = (Action::PAUSE, at, 1);
        space.for_each_move(at, |step| {
            if space.estimate(step.to, goal) < space.estimate(at, goal) {
                (action, next, ticks) = (step.action, step.to, step.ticks);
            }
        });
        space.footprint(at, action, |entry, later| {
            hold(entry.0, tick + later);
            true
        });
        (at, tick) = (next, tick + ticks);
    }
    Ok(held)
}
