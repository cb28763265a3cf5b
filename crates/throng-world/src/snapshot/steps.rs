//! Paths in few bytes: steps and pauses one after the other, equal ones together.

use throng_model::Cell;

/// The action of staying, after the eight directions.
pub(super) const PAUSE: u8 = 8;
/// Most equal ones in a byte.
const RUN: usize = 16;
/// The directions, numbered as the actions of a [`throng_spacetime::GridSpace`].
const DIRECTIONS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

pub(super) fn pack(steps: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut run = RUN;
    for step in steps {
        match bytes.last_mut() {
            Some(last) if *last >> 4 == step && run < RUN => *last += 1,
            _ => {
                run = 0;
                bytes.push(step << 4);
            }
        }
        run += 1;
    }
    bytes
}

pub(super) fn unpack(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.iter().flat_map(|&byte| std::iter::repeat_n(byte >> 4, usize::from(byte & 15) + 1))
}

/// Which step leads from a cell to its neighbour, or to itself.
pub(super) fn between(from: Cell, to: Cell) -> Option<u8> {
    let delta = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let direction = DIRECTIONS.iter().position(|&direction| direction == delta);
    direction.map(|direction| direction as u8).or((delta == (0, 0)).then_some(PAUSE))
}

/// Where a step leads.
pub(super) fn end(from: Cell, step: u8) -> Option<Cell> {
    if step == PAUSE {
        return Some(from);
    }
    let &(dx, dy) = DIRECTIONS.get(usize::from(step))?;
    from.offset(dx, dy)
}

/// Where a step comes from.
pub(super) fn start(to: Cell, step: u8) -> Option<Cell> {
    if step == PAUSE {
        return Some(to);
    }
    let &(dx, dy) = DIRECTIONS.get(usize::from(step))?;
    to.offset(-dx, -dy)
}

#[cfg(test)]
mod tests {
    use throng_model::{Map, MovementProfile};
    use throng_spacetime::{FootprintRules, GridSpace, Space};

    use super::*;

    #[test]
    fn steps_are_numbered_as_the_actions_of_a_grid() {
        let map = Map::empty(3, 3).unwrap();
        let rules = FootprintRules::default();
        let space = GridSpace::new(&map, MovementProfile::eight_connected(), &rules).unwrap();
        let middle = Cell::new(1, 1);
        let mut seen = 0;
        space.for_each_move(space.position(middle).unwrap(), |step| {
            let to = space.cell(step.to);
            assert_eq!(between(middle, to).map(u16::from), Some(step.action.0));
            assert_eq!(end(middle, step.action.0 as u8), Some(to));
            seen += 1;
        });
        assert_eq!(seen, 8);
        assert_eq!(end(middle, PAUSE), Some(middle));
        assert_eq!(end(middle, 9), None);
        assert_eq!(end(Cell::new(0, 0), 0), None);
    }

    #[test]
    fn equal_steps_share_a_byte() {
        let steps = [[3; 40].as_slice(), &[PAUSE; 2], &[3, 0, 7]].concat();
        let packed = pack(steps.iter().copied());
        assert_eq!(packed.len(), 7);
        assert!(unpack(&packed).eq(steps));
    }
}
