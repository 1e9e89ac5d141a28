//! What a static value is the sum of.

/// A part of a static value, in centipawns from the point of view of the side
/// to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// One word.
    pub name: &'static str,
    /// What the side to move has of it.
    pub own: i32,
    /// What the other side has of it, usually below 0.
    pub other: i32,
}

/// What is left of a sum that is larger than a value may be.
const LIMIT: &str = "limit";

/// The terms of a static value, collected by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Units per centipawn.
    unit: i64,
    /// The sums of the side to move's terms and of the other side's.
    sums: Vec<(&'static str, [i64; 2])>,
}

impl Parts {
    /// No terms, in units of which `unit` make a centipawn. `names` are told in
    /// this order, those without a term too.
    pub fn new(unit: i64, names: &[&'static str]) -> Parts {
        Parts {
            unit,
            sums: names.iter().map(|&name| (name, [0; 2])).collect(),
        }
    }

    /// Adds a term of the side to move (`who` 0) or of the other side (1), from
    /// the point of view of the side to move. A new name comes last.
    pub fn add(&mut self, name: &'static str, who: usize, worth: impl Into<i64>) {
        let at = self.sums.iter().position(|part| part.0 == name);
        let at = at.unwrap_or_else(|| {
            self.sums.push((name, [0; 2]));
            self.sums.len() - 1
        });
        self.sums[at].1[who] += worth.into();
    }

    /// The parts in whole centipawns: each is less than one away from its terms,
    /// and they add up to `value`, which is the sum of all terms rounded towards
    /// 0. Where it was limited too, the last part is what that took away.
    pub fn of_value(&self, value: i32) -> Vec<Part> {
        let total: i64 = self.sums.iter().flat_map(|part| part.1).sum();
        // Sums of the terms so far, all rounded in the direction of the last.
        let rounded = |sum: i64| match total < 0 {
            false => sum.div_euclid(self.unit),
            true => -(-sum).div_euclid(self.unit),
        };
        let mut sum = 0;
        let mut share = |worth: i64| {
            let before = rounded(sum);
            sum += worth;
            (rounded(sum) - before) as i32
        };
        let mut parts: Vec<Part> = (self.sums.iter())
            .map(|&(name, [own, other])| Part {
                name,
                own: share(own),
                other: share(other),
            })
            .collect();
        let excess = value - rounded(total) as i32;
        if excess != 0 {
            parts.push(Part {
                name: LIMIT,
                own: excess,
                other: 0,
            });
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist;

    #[test]
    fn parts_add_up_and_change_sign_with_their_terms() {
        let mut random = 1;
        for unit in [1, 10, 16, 20, 362_880] {
            for _ in 0..200 {
                let mut terms = [Parts::new(unit, &["a", "b"]), Parts::new(unit, &["a", "b"])];
                let mut exact = [[0_i64; 2]; 3];
                for n in 0..12 {
                    random = zobrist::key(random);
                    let worth = (random >> 8) as i64 % (100 * unit) - 50 * unit;
                    let (part, who) = (n % 3, n / 3 % 2);
                    exact[part][who] += worth;
                    for (terms, sign) in terms.iter_mut().zip([1, -1]) {
                        terms.add(["a", "b", "c"][part], who, sign * worth);
                    }
                }
                let value = (exact.iter().flatten().sum::<i64>() / unit) as i32;
                let [parts, negated] = [terms[0].of_value(value), terms[1].of_value(-value)];
                assert_eq!(parts.iter().map(|p| p.own + p.other).sum::<i32>(), value);
                for (part, (negated, exact)) in parts.iter().zip(negated.iter().zip(exact)) {
                    assert_eq!((part.own, part.other), (-negated.own, -negated.other));
                    for (told, exact) in [part.own, part.other].into_iter().zip(exact) {
                        assert!((i64::from(told) * unit - exact).abs() < unit, "{part:?}");
                    }
                }
                assert_eq!(parts.iter().map(|p| p.name).collect::<String>(), "abc");
            }
        }
    }

    #[test]
    fn what_a_limit_takes_away_is_a_part() {
        let mut terms = Parts::new(2, &["a"]);
        terms.add("a", 1, -61);
        let part = |name, own, other| Part { name, own, other };
        let limited = [part("a", 0, -30), part("limit", 10, 0)];
        assert_eq!(terms.of_value(-20), limited);
        assert_eq!(terms.of_value(-30), limited[..1]);
    }
}
