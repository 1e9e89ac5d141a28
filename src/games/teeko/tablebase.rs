//! The solved tables of this process. The table of a variant is made once, on
//! its own thread, and is then available to everyone.

use super::shapes::Variant;
use super::table::{Table, Unsolved};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a waiting thread checks whether to go on waiting.
const LOOK: Duration = Duration::from_millis(10);

/// One variant's table, or the work to get it.
pub struct Tablebase {
    variant: Variant,
    table: OnceLock<Table>,
    work: Mutex<Work>,
    /// Signals news or the end of the work.
    changed: Condvar,
    /// Whether to abandon the work.
    stop: AtomicBool,
}

/// The state of the work on a table.
struct Work {
    /// Whether the work is in progress.
    going_on: bool,
    thread: Option<JoinHandle<()>>,
    /// News since the last call of [`Tablebase::news`].
    news: Vec<String>,
    /// Whether it has been told that there was not enough memory.
    told_short: bool,
    /// The file that holds the table or, if writing failed, should hold it.
    kept: Option<PathBuf>,
}

static TABLEBASES: [Tablebase; 2] = [
    Tablebase::new(Variant::Standard),
    Tablebase::new(Variant::Advanced),
];

impl Tablebase {
    const fn new(variant: Variant) -> Tablebase {
        Tablebase {
            variant,
            table: OnceLock::new(),
            work: Mutex::new(Work {
                going_on: false,
                thread: None,
                news: Vec::new(),
                told_short: false,
                kept: None,
            }),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
        }
    }

    /// The tablebase of a variant.
    pub fn of(variant: Variant) -> &'static Tablebase {
        match variant {
            Variant::Standard => &TABLEBASES[0],
            Variant::Advanced => &TABLEBASES[1],
        }
    }

    /// The table, if it is ready.
    #[inline]
    pub fn table(&self) -> Option<&Table> {
        self.table.get()
    }

    /// Whether the table is not ready yet, or not yet in the file `cache`; an
    /// empty name means no file.
    pub fn is_missing(&self, cache: &str) -> bool {
        self.table().is_none() || !self.lock().keeps(cache)
    }

    /// Starts to make what is missing (see [`Tablebase::is_missing`]), unless
    /// work is in progress.
    pub fn begin(&'static self, threads: usize, cache: &str) {
        let mut work = self.lock();
        if work.going_on || (self.table().is_some() && work.keeps(cache)) {
            return;
        }
        self.stop.store(false, Relaxed);
        let cache = (!cache.is_empty()).then(|| PathBuf::from(cache));
        let made = thread::Builder::new()
            .name(format!("teeko {}", self.variant))
            .spawn(move || {
                let _end = End(self);
                self.make(threads, cache.as_deref());
                if !self.stop.load(Relaxed) {
                    self.lock().kept = cache;
                }
            });
        match made {
            Ok(thread) => {
                work.going_on = true;
                work.thread = Some(thread);
            }
            Err(why) => {
                if !std::mem::replace(&mut work.told_short, true) {
                    let text = format!("teeko {}: searched without the table: {why}", self.variant);
                    work.news.push(text);
                }
            }
        }
    }

    /// Takes the news since the last call.
    pub fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().news)
    }

    /// Passes on the news until no work is in progress, or until `stopped`
    /// returns true.
    pub fn wait(&self, stopped: impl Fn() -> bool, mut tell: impl FnMut(String)) {
        loop {
            let (mut work, _) = self
                .changed
                .wait_timeout_while(self.lock(), LOOK, |w| w.going_on && w.news.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            let news = std::mem::take(&mut work.news);
            let going_on = work.going_on;
            drop(work);
            news.into_iter().for_each(&mut tell);
            if !going_on || stopped() {
                return;
            }
        }
    }

    /// Abandons all work in progress and waits for its end.
    pub fn close_all() {
        for tablebase in &TABLEBASES {
            tablebase.stop.store(true, Relaxed);
            let thread = tablebase.lock().thread.take();
            if let Some(thread) = thread {
                // Its panic has already been reported.
                let _ = thread.join();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, text: String) {
        self.lock().news.push(text);
        self.changed.notify_all();
    }

    /// Reads the table or computes it, and writes it to its file if the file
    /// does not exist. The table becomes available only when it is also in its
    /// file.
    fn make(&self, threads: usize, cache: Option<&Path>) {
        let say = |text: String| self.say(format!("teeko {}: {text}", self.variant));
        let mut found = None;
        // Anything but a plain file is not touched.
        let mut cache = cache;
        if let Some(path) = cache {
            let name = path.display();
            match fs::metadata(path) {
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => {
                    say(format!("{name} is not used: {e}"));
                    cache = None;
                }
                Ok(data) if !data.is_file() => {
                    say(format!("{name} is not used: it is no file"));
                    cache = None;
                }
                Ok(_) => match Table::read(path, self.variant) {
                    Ok(table) => {
                        say(format!("read from {name}"));
                        found = Some(table);
                        cache = None;
                    }
                    // Somebody else's file is not ours to replace.
                    Err(why) if Table::is_foreign(path) => {
                        say(format!("{name} is not used: {why}"));
                        cache = None;
                    }
                    Err(why) => say(format!("{name} is not used and written anew: {why}")),
                },
            }
        }
        if found.is_none() && self.table().is_none() {
            let started = Instant::now();
            let stop = || self.stop.load(Relaxed);
            match Table::build(self.variant, threads, &mut |line| self.say(line), &stop) {
                Ok(table) => found = Some(table),
                Err(Unsolved::Stopped) => return,
                Err(Unsolved::Short) => {
                    // There may be more memory the next time.
                    if !std::mem::replace(&mut self.lock().told_short, true) {
                        let mib = Table::WORK >> 20;
                        say(format!(
                            "searched without the table, which takes {mib} MiB to make"
                        ));
                    }
                    return;
                }
            }
            say(format!("solved in {} ms", started.elapsed().as_millis()));
        }
        if let Some(table) = found.as_ref().or(self.table())
            && let Some(path) = cache
        {
            let name = path.display();
            match table.write(path) {
                Ok(()) => say(format!("written to {name}")),
                Err(why) => say(format!("{name} can't be written: {why}")),
            }
        }
        if let Some(table) = found {
            // It may already be set, if only the file was missing.
            let _ = self.table.set(table);
        }
    }
}

impl Work {
    fn keeps(&self, cache: &str) -> bool {
        cache.is_empty() || self.kept.as_deref() == Some(Path::new(cache))
    }
}

/// Reports the end of the work, however it ends.
struct End(&'static Tablebase);

impl Drop for End {
    fn drop(&mut self) {
        let mut work = self.0.lock();
        work.going_on = false;
        if thread::panicking() {
            work.news.push(format!(
                "teeko {}: the table could not be made",
                self.0.variant
            ));
        }
        drop(work);
        self.0.changed.notify_all();
    }
}
