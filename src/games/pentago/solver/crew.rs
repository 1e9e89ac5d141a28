//! Threads that share one piece of work after another. A solution has hundreds
//! of pieces, many of which take less time than starting a thread.

use std::any::Any;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard};
use std::thread::{self, Builder, JoinHandle};

/// A piece of work: called with the number of the member that works on a share.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// How often a thread polls before it goes to sleep: for about 100
/// microseconds, about as long as the longest share of a piece takes.
const LOOKS: usize = 2_000;

/// The number of processors that threads of this process may run on: more
/// threads would only wait for each other.
pub static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

/// The state shared by the members, under the lock.
#[derive(Default)]
struct Orders {
    /// The piece of work, as long as members may join.
    open: Option<&'static Work<'static>>,
    /// The maximum number of members that take part in it.
    wanted: usize,
    /// The number of members asleep until there is another piece.
    asleep: usize,
    /// The panic of a member.
    panic: Option<Box<dyn Any + Send>>,
    /// Whether there will be no more pieces.
    over: bool,
}

#[derive(Default)]
struct Shared {
    orders: Mutex<Orders>,
    /// The number of the current piece, to be checked without the lock.
    piece: AtomicUsize,
    /// The number of members at work besides the caller; changed under the
    /// lock.
    working: AtomicUsize,
    more: Condvar,
    done: Condvar,
}

/// Threads that work for any caller and sleep in between: waking a thread is
/// about 100 microseconds faster than starting one.
pub struct Crew {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// A crew of so many members, including the caller, or of fewer if the
    /// system has no more threads.
    pub fn new(size: usize) -> Crew {
        let shared = Arc::new(Shared::default());
        let mut threads = Vec::new();
        for member in 1..size {
            let shared = shared.clone();
            let spawned = Builder::new()
                .name(format!("solver {member}"))
                .spawn(move || shared.serve(member));
            match spawned {
                Ok(thread) => threads.push(thread),
                Err(why) => {
                    log::warn!("solver thread {member}: {why}");
                    break;
                }
            }
        }
        Crew { shared, threads }
    }

    /// The number of members, including the caller; members are numbered from
    /// 0.
    pub fn size(&self) -> usize {
        self.threads.len() + 1
    }

    /// Tells the members that there will be work soon: waking up takes them as
    /// long as a small piece.
    pub fn rouse(&self) {
        if self.size() > 1 {
            let orders = self.shared.orders();
            self.shared.piece.fetch_add(1, Relaxed);
            let asleep = orders.asleep > 0;
            drop(orders);
            if asleep {
                self.shared.more.notify_all();
            }
        }
    }

    /// Has at most `wanted` members, including the caller (number 0), work on a
    /// piece, and returns when all that took part have finished. A late member
    /// is not waited for, so a share is whatever is left to do. A panic in a
    /// share is propagated. Only one caller at a time.
    pub fn work(&self, wanted: usize, work: &Work) {
        if wanted.min(self.size()) <= 1 {
            return work(0);
        }
        // SAFETY: only the lifetime changes. `Close` takes the reference back
        // and waits for every member that has it, even if `work` panics here,
        // before this function and so the borrow ends.
        #[allow(unsafe_code)]
        let open = unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) };
        let mut orders = self.shared.orders();
        orders.open = Some(open);
        orders.wanted = wanted;
        orders.panic = None;
        self.shared.piece.fetch_add(1, Relaxed);
        let asleep = orders.asleep > 0;
        drop(orders);
        let close = Close(&self.shared);
        if asleep {
            self.shared.more.notify_all();
        }
        work(0);
        drop(close);
        let panic = self.shared.orders().panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Calls `task` for each item; the members share the items.
    pub fn each<I: Iterator + Send>(&self, items: I, task: impl Fn(I::Item) + Sync) {
        let items = Mutex::new(items);
        let next = || items.lock().unwrap_or_else(|e| e.into_inner()).next();
        self.work(self.size(), &|_| {
            while let Some(item) = next() {
                task(item);
            }
        });
    }
}

impl Shared {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The main loop of a member.
    fn serve(&self, member: usize) {
        let mut seen = 0;
        loop {
            for _ in 0..LOOKS {
                if self.piece.load(Relaxed) != seen {
                    break;
                }
                spin_loop();
            }
            let mut orders = self.orders();
            while self.piece.load(Relaxed) == seen && !orders.over {
                orders.asleep += 1;
                orders = self.more.wait(orders).unwrap_or_else(|e| e.into_inner());
                orders.asleep -= 1;
            }
            if orders.over {
                return;
            }
            seen = self.piece.load(Relaxed);
            let Some(work) = orders.open.filter(|_| member < orders.wanted) else {
                continue;
            };
            self.working.fetch_add(1, Relaxed);
            drop(orders);
            let result = catch_unwind(AssertUnwindSafe(|| work(member)));
            // Under the lock, which publishes what the member wrote.
            let mut orders = self.orders();
            if let Err(panic) = result {
                orders.panic = Some(panic);
            }
            if self.working.fetch_sub(1, Relaxed) == 1 {
                self.done.notify_one();
            }
        }
    }
}

/// Ends a piece of work: no more members may join, and those at work are waited
/// for.
struct Close<'a>(&'a Shared);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        let shared = self.0;
        shared.orders().open = None;
        for _ in 0..LOOKS {
            if shared.working.load(Relaxed) == 0 {
                break;
            }
            spin_loop();
        }
        let mut orders = shared.orders();
        while shared.working.load(Relaxed) > 0 {
            orders = shared.done.wait(orders).unwrap_or_else(|e| e.into_inner());
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.orders().over = true;
        self.shared.piece.fetch_add(1, Relaxed);
        self.shared.more.notify_all();
        for thread in self.threads.drain(..) {
            // It ends in any case, even by a panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_share_is_done_when_the_piece_is() {
        let crew = Crew::new(4);
        // Miri takes a thousand times as long.
        let pieces = if cfg!(miri) { 40 } else { 2_000 };
        for piece in 1..pieces {
            let mut numbers = vec![0_usize; piece % 37 + 1];
            crew.each(numbers.iter_mut(), |number| *number = piece);
            assert!(numbers.iter().all(|&number| number == piece));
        }
    }

    #[test]
    fn members_that_have_slept_come_when_there_is_work() {
        let crew = Crew::new(2);
        for round in 0..4 {
            thread::sleep(Duration::from_millis(5));
            if round % 2 == 1 {
                crew.rouse();
            }
            let seen = Mutex::new([false; 2]);
            let both = || seen.lock().is_ok_and(|seen| *seen == [true; 2]);
            crew.work(2, &|member| {
                seen.lock().unwrap_or_else(|e| e.into_inner())[member] = true;
                while member == 0 && !both() {
                    thread::yield_now();
                }
            });
            assert!(both());
        }
        crew.work(1, &|member| assert_eq!(member, 0));
    }

    #[test]
    fn a_panic_in_a_share_reaches_the_caller_and_the_crew_goes_on() {
        let crew = Crew::new(2);
        for _ in 0..3 {
            let result = catch_unwind(AssertUnwindSafe(|| {
                crew.work(2, &|_| panic!("a share"));
            }));
            assert!(result.is_err());
        }
        let done = AtomicUsize::new(0);
        crew.each(0..100, |_| {
            done.fetch_add(1, Relaxed);
        });
        assert_eq!(done.into_inner(), 100);
    }
}
