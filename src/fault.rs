//! Failures on demand, for the tests that show that the engine survives them
//! or does without.

/// A place where a test can ask for a panic: the first time the place is
/// reached, if the environment variable `QUINTET_FAULT` names it. Builds
/// without debug assertions, such as release builds, never fail here.
#[inline]
pub fn point(place: &str) {
    #[cfg(debug_assertions)]
    {
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        static PASSED: AtomicBool = AtomicBool::new(false);
        if !PASSED.load(Relaxed)
            && std::env::var_os("QUINTET_FAULT").is_some_and(|asked| asked == place)
            && !PASSED.swap(true, Relaxed)
        {
            panic!("asked for at {place}");
        }
    }
    #[cfg(not(debug_assertions))]
    let _ = place;
}

/// Whether a test asks to do without something the machine has: the environment
/// variable `QUINTET_FAULT` is `no` and its name. Never in builds without debug
/// assertions.
#[inline]
pub fn lacks(what: &str) -> bool {
    #[cfg(debug_assertions)]
    {
        use std::sync::LazyLock;
        static ASKED: LazyLock<String> =
            LazyLock::new(|| std::env::var("QUINTET_FAULT").unwrap_or_default());
        ASKED.strip_prefix("no ") == Some(what)
    }
    #[cfg(not(debug_assertions))]
    {
        let _ = what;
        false
    }
}
