//! How the limits of a command are shared out among the searches that it makes.

use crate::control::Control;
use crate::limits::Limits;

/// What some searches may take together. What one of them leaves is for those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// Up to so many nodes of all searches of the command.
    nodes: Option<u64>,
    /// Up to so many milliseconds of all that count.
    time: Option<i64>,
}

impl Share {
    /// So many nodes and milliseconds from now on; `None`: no limit.
    pub fn new(nodes: Option<u64>, time: Option<i64>, control: &Control) -> Share {
        Share {
            nodes: nodes.map(|n| n.saturating_add(control.progress.nodes())),
            time: time.map(|n| n.max(0).saturating_add(used(control))),
        }
    }

    /// One of so many equal parts.
    pub fn part(&self, of: usize, control: &Control) -> Share {
        Share::new(
            self.nodes_left(control).map(|n| n / of as u64),
            self.time_left(control).map(|n| n / of as i64),
            control,
        )
    }

    /// A quarter; but where that is less than so many nodes or milliseconds, as many, or
    /// half of all.
    pub fn quarter(&self, nodes: u64, time: i64, control: &Control) -> Share {
        Share::new(
            self.nodes_left(control)
                .map(|n| (n / 4).max(nodes.min(n / 2))),
            self.time_left(control)
                .map(|n| (n / 4).max(time.min(n / 2))),
            control,
        )
    }

    /// How many parts of at least so many nodes and milliseconds there are, `most` at
    /// most, one at least.
    pub fn parts(&self, nodes: u64, time: i64, most: usize, control: &Control) -> usize {
        let by_nodes = self.nodes_left(control).map(|n| n / nodes);
        let by_time = self.time_left(control).map(|n| n as u64 / time as u64);
        let parts = [by_nodes, by_time].into_iter().flatten().min();
        parts.map_or(most, |n| n.clamp(1, most as u64) as usize)
    }

    /// Whether nothing is left.
    pub fn is_used_up(&self, control: &Control) -> bool {
        self.nodes_left(control) == Some(0) || self.is_late(control)
    }

    /// Whether its time is over.
    pub fn is_late(&self, control: &Control) -> bool {
        self.time_left(control) == Some(0)
    }

    /// The limits of one search that may take all of it, for one line; what else limits
    /// it is taken from `limits`. Its time counts from the beginning of all searches.
    pub fn limits(&self, limits: &Limits, control: &Control) -> Limits {
        Limits {
            move_time: self.time,
            nodes: self.nodes_left(control),
            multi_pv: 1,
            ..limits.clone()
        }
    }

    fn nodes_left(&self, control: &Control) -> Option<u64> {
        self.nodes
            .map(|n| n.saturating_sub(control.progress.nodes()))
    }

    fn time_left(&self, control: &Control) -> Option<i64> {
        self.time.map(|n| n.saturating_sub(used(control)).max(0))
    }
}

/// The milliseconds that count against the limits so far.
fn used(control: &Control) -> i64 {
    control.used().as_millis() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes of one search within this share, of which it takes so many.
    fn search(share: Share, takes: u64, control: &Control) -> u64 {
        let limits = share.limits(&Limits::default(), control);
        let nodes = limits.nodes.expect("a limit").min(takes);
        control.progress.next_search();
        control.progress.count(nodes);
        nodes
    }

    #[test]
    fn what_a_search_leaves_is_for_the_others() {
        let control = Control::default();
        let all = Share::new(Some(100), None, &control);
        assert_eq!(search(all.part(4, &control), u64::MAX, &control), 25);
        assert_eq!(search(all.part(3, &control), 5, &control), 5);
        assert_eq!(search(all.part(2, &control), u64::MAX, &control), 35);
        assert!(!all.is_used_up(&control));
        assert_eq!(search(all.part(1, &control), u64::MAX, &control), 35);
        assert!(all.is_used_up(&control));
        // The next share begins where this one has ended.
        let next = Share::new(Some(8), None, &control);
        assert_eq!(search(next, u64::MAX, &control), 8);
    }

    #[test]
    fn there_are_no_more_parts_than_are_worth_it() {
        let control = Control::default();
        let parts =
            |nodes, time| Share::new(nodes, time, &control).parts(1_000, 60_000, 4, &control);
        assert_eq!(parts(None, None), 4);
        assert_eq!(
            [0, 999, 2_500, u64::MAX].map(|n| parts(Some(n), None)),
            [1, 1, 2, 4]
        );
        assert_eq!(
            [i64::MIN, 0, 1 << 40, i64::MAX].map(|n| parts(None, Some(n))),
            [1, 1, 4, 4]
        );
        assert_eq!(parts(Some(u64::MAX), Some(0)), 1);
    }

    #[test]
    fn a_quarter_is_not_too_little_and_not_all() {
        let control = Control::default();
        let quarter = |nodes| {
            let share = Share::new(Some(nodes), None, &control).quarter(100, 100, &control);
            share.limits(&Limits::default(), &control).nodes
        };
        assert_eq!(
            [0, 100, 300, 4_000].map(quarter),
            [0, 50, 100, 1_000].map(Some)
        );
    }
}
