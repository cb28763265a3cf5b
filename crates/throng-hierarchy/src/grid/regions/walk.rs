//! Steps inside of a region, along the arrows that lead to its doors.

use throng_model::Cell;

use super::Regions;
use super::region::Region;

impl Regions {
    /// Replaces the steps by those from a cell of a region to one of its doors, both
    /// included. `None` cannot happen while the regions show the ground.
    pub(super) fn walk(
        &self,
        region: &Region,
        row: usize,
        from: Cell,
        steps: &mut Vec<Cell>,
    ) -> Option<()> {
        let door = region.door(row)?;
        steps.clear();
        let mut at = from;
        while at != door {
            steps.push(at);
            let number = self.number_at(u32::from(at.x), u32::from(at.y));
            let (dx, dy) = region.back(row, number)?;
            at = at.offset(dx, dy)?;
        }
        steps.push(door);
        Some(())
    }

    /// What it costs to walk from a cell to a door.
    pub(super) fn cost_out(
        &self,
        region: &Region,
        row: usize,
        from: Cell,
        steps: &mut Vec<Cell>,
    ) -> Option<u64> {
        self.walk(region, row, from, steps)?;
        Some(u64::from(self.plane.cost_within(steps)))
    }

    /// What it costs to walk from a door to a cell.
    pub(super) fn cost_in(
        &self,
        region: &Region,
        row: usize,
        to: Cell,
        steps: &mut Vec<Cell>,
    ) -> Option<u64> {
        self.walk(region, row, to, steps)?;
        steps.reverse();
        Some(u64::from(self.plane.cost_within(steps)))
    }
}
