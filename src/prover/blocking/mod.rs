//! Blocking: can one side close every window of the other? Who can does not
//! lose, whatever his own stones could win, and of the position only the open
//! windows matter (`state.rs`): far fewer states than the game has positions.
//! (In the words of the theory: he wins as Breaker in the Maker-Breaker game.)

mod forced;
mod pairs;
mod search;
mod state;
mod strategy;

pub(super) use search::Blocking;
pub(super) use state::Maps;
pub(super) use strategy::write;

#[cfg(test)]
mod tests {
    use super::super::numbers::NumberTable;
    use super::state::{closes, random};
    use super::*;

    #[test]
    fn the_search_agrees_with_a_plain_one_and_its_zones_suffice() {
        let maps = Maps::new(&[(0..64).collect()]);
        let mut closed = 0;
        for seed in 0..600 {
            let windows = random(seed);
            for attacks in [true, false] {
                let table = NumberTable::new(1).expect("memory");
                let (mut searched, mut written) = (0, 0);
                let mut budget = |status: &super::super::search::Status| {
                    match status.writing {
                        None => searched += 1,
                        Some(writing) => {
                            assert!(!writing.attacks && writing.positions >= written);
                            written = writing.positions;
                        }
                    }
                    assert!(searched > 0);
                    false
                };
                let search = Blocking::new(&windows, attacks, &maps, &table, &mut budget);
                let mut search = search.expect("few windows");
                let found = search.settle().expect("time");
                assert_eq!(found, closes(&windows, attacks, !0), "{windows:x?}");
                if found {
                    let (_, zone) = write(&mut search).expect("a strategy");
                    assert!(closes(&windows, attacks, zone), "{windows:x?}");
                    closed += 1;
                }
            }
        }
        assert!((300..900).contains(&closed), "{closed}");
    }
}
