//! Certificates of a folder. What a file claims is believed only after a walk
//! through its strategy, when a game of its rules first needs it.

use super::file::{self, Written};
use super::forms::Forms;
use super::walk::{Bounds, Claimed, Fault, walk};
use super::walked::Walk;
use crate::board::Setup;
use crate::game::Game;
use crate::options::{OptionValues, under_rules};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The most bytes that the files of a folder, or a guide, may unpack to.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// A proof, and what the walk through it has found.
pub(super) struct Proof {
    /// The name of its file.
    pub file: String,
    /// Its text.
    pub written: Written,
    /// What it claims.
    pub claimed: Claimed,
    /// The walk; the error: the claim is not kept.
    walk: OnceLock<Result<Walk, String>>,
    /// How long the longest walk took that was stopped, in milliseconds.
    stopped_after: AtomicU64,
}

/// The proofs of a folder; those of none by default. Clones share them, with what
/// walks through them have found.
#[derive(Clone, Default)]
pub struct Books {
    proofs: Arc<Vec<Proof>>,
}

/// Whether they were read at the same time, or there are none: files change.
impl PartialEq for Books {
    fn eq(&self, other: &Books) -> bool {
        Arc::ptr_eq(&self.proofs, &other.proofs)
            || self.proofs.is_empty() && other.proofs.is_empty()
    }
}

/// Says what is claimed, given the words of rules, position and claim, or why
/// they make no sense.
pub type Reads<'a> = &'a dyn Fn(&str, &str, &str) -> Result<Claimed, String>;

impl Books {
    /// Reads the certificates `NAME.proof` of a folder.
    ///
    /// # Errors
    /// Says why the folder or a file cannot be read, or how one is damaged.
    pub fn open(folder: &str, claimed: Reads) -> Result<Books, String> {
        let entries = std::fs::read_dir(folder)
            .map_err(|why| format!("cannot read the folder '{folder}': {why}"))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".proof")).collect();
        names.sort();
        let (mut left, mut proofs) = (MOST_BYTES, Vec::new());
        for file in names {
            let refuse = |why| format!("cannot use {file}: {why}");
            let path = Path::new(folder).join(&file);
            let (read, bytes) = file::read_proofs(&path, left).map_err(refuse)?;
            left = left.saturating_sub(bytes);
            for written in read {
                let heading = &written.heading;
                let claimed = claimed(&heading.rules, &heading.position, &written.claim);
                proofs.push(Proof::new(&file, claimed.map_err(refuse)?, written));
            }
        }
        Ok(Books {
            proofs: Arc::new(proofs),
        })
    }

    /// The proofs for a game with these rules.
    pub(super) fn of_rules<G: Game>(&self, rules: &OptionValues) -> Vec<&Proof> {
        let fits = |proof: &&Proof| {
            let own = proof.rules::<G>();
            own.is_some_and(|own| G::same_rules(&own, rules))
        };
        self.proofs.iter().filter(fits).collect()
    }
}

impl Proof {
    /// A proof of this file, which claims this.
    pub fn new(file: &str, claimed: Claimed, written: Written) -> Proof {
        Proof {
            file: file.to_string(),
            written,
            claimed,
            walk: OnceLock::new(),
            stopped_after: AtomicU64::new(0),
        }
    }

    /// The rules of its game, if it is that.
    pub fn rules<G: Game>(&self) -> Option<OptionValues> {
        let (name, words) = split_rules(&self.written.heading.rules);
        let rules = (name == G::NAME).then(|| under_rules(G::NAME, G::OPTIONS, words))?;
        rules.ok()
    }

    /// The walk, if there has been one and the claim is kept.
    pub fn walk(&self) -> Option<&Walk> {
        self.walk.get()?.as_ref().ok()
    }

    /// Whether nobody has walked through it yet.
    pub fn is_new(&self) -> bool {
        self.walk.get().is_none()
    }

    /// Whether a walk of so long may come to an end where those before have not;
    /// `None`: of any length.
    pub fn is_worth(&self, time: Option<Duration>) -> bool {
        let stopped_after = Duration::from_millis(self.stopped_after.load(Relaxed));
        time.is_none_or(|time| time >= 2 * stopped_after)
    }

    /// Walks through it, unless that has been done or `stop` returns true.
    ///
    /// # Errors
    /// The claim is not kept, which is told but once.
    pub fn check<G: Game>(
        &self,
        rules: &OptionValues,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        if !self.is_new() {
            return Ok(());
        }
        let claim = &self.written.claim;
        if self.claimed.blocks {
            let why = format!("{} is not used: '{claim}' is not for play", self.file);
            let _ = self.walk.set(Err(why.clone()));
            return Err(why);
        }
        let begun = Instant::now();
        let found = match self.try_out::<G>(rules, (Bounds::PLAY, stop), &mut |_, _| ()) {
            Ok(walk) => Ok(walk),
            Err(Fault::Stopped) => {
                let took = begun.elapsed().as_millis() as u64;
                self.stopped_after.fetch_max(took, Relaxed);
                return Ok(());
            }
            Err(Fault::Wrong(why)) => Err(why),
        };
        let told = found.as_ref().map(drop).map_err(Clone::clone);
        // Another thread may have done the same meanwhile.
        let _ = self.walk.set(found);
        told
    }

    /// Walks through it, within `limits`: the most moves to play, and whether to
    /// stop; `met` is told of its positions as by [`walk`].
    ///
    /// # Errors
    /// The claim is not kept, or `stop` returned true.
    pub fn try_out<G: Game>(
        &self,
        rules: &OptionValues,
        limits: (Bounds, &dyn Fn() -> bool),
        met: &mut dyn FnMut(&G::Position, u32),
    ) -> Result<Walk, Fault> {
        let Written { heading, bytes, .. } = &self.written;
        let fen = &heading.position;
        let found = Setup::read_fen(G::dimensions(rules), &G::SIDES, G::EXTRA, fen)
            .and_then(|setup| G::set_up(rules, &setup))
            .map_err(Fault::Wrong)
            .and_then(|position| {
                let forms = Forms::new::<G>(rules);
                walk::<G>(position, self.claimed, bytes, &forms, limits, met)
            });
        let (file, claim) = (&self.file, &self.written.claim);
        found.map_err(|fault| match fault {
            Fault::Wrong(why) => Fault::Wrong(format!(
                "{file} is not used: '{claim}' is not proven: {why}"
            )),
            Fault::Stopped => Fault::Stopped,
        })
    }
}

/// `gomoku size 7` -> `gomoku`, `size 7`.
fn split_rules(rules: &str) -> (&str, &str) {
    rules.split_once(' ').unwrap_or((rules, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gomoku::Gomoku;
    use std::thread::sleep;

    /// A walk for which the time was too short is not begun again before there is much
    /// more of it.
    #[test]
    fn what_took_too_long_is_left_to_longer_searches() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check/proofs");
        let words = "width 6 height 5 line 4";
        let rules = under_rules(Gomoku::NAME, Gomoku::OPTIONS, words).expect("rules");
        let read = file::read_proofs(&Path::new(folder).join("gomoku-6-5-4.proof"), MOST_BYTES);
        let (written, bytes) = read.expect("a certificate");
        assert!(bytes > written.iter().map(|w| w.bytes.len() as u64).sum());
        let written = written.into_iter().next().expect("a proof");
        let claimed = Claimed::read(&written.claim, &Gomoku::SIDES).expect("a claim");
        let proof = Proof::new("one", claimed, written);
        let short = Some(Duration::from_millis(1));
        assert!(proof.is_worth(short) && proof.is_worth(None));
        let late = || {
            sleep(Duration::from_millis(10));
            true
        };
        proof.check::<Gomoku>(&rules, &late).expect("stopped");
        assert!(proof.is_new() && !proof.is_worth(short));
        assert!(proof.is_worth(Some(Duration::from_secs(3600))) && proof.is_worth(None));
        proof.check::<Gomoku>(&rules, &|| false).expect("it holds");
        assert!(proof.walk().is_some());
    }
}
