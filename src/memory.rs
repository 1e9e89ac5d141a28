//! The machine's memory.

use std::collections::TryReserveError;

/// MiB available on this machine, if the system reports it (Linux does).
pub fn available_mib() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// An empty vector with capacity for so many items, on large pages where the
/// system has them (Linux: transparent huge pages, 2 MiB instead of 4 KiB).
/// Random access then needs fewer page-table lookups.
///
/// # Errors
/// There is not enough memory.
pub fn room<T>(count: usize) -> Result<Vec<T>, TryReserveError> {
    let mut room = Vec::new();
    room.try_reserve_exact(count)?;
    #[cfg(target_os = "linux")]
    prefer_large_pages(room.spare_capacity_mut());
    Ok(room)
}

/// Requests large pages for memory that has not been touched yet. Without them
/// everything works as before.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prefer_large_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    const LARGE: usize = 2 << 20;
    let bytes = size_of_val(memory);
    let start = memory.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(LARGE);
    let whole = bytes.saturating_sub(before) / LARGE * LARGE;
    if whole > 0 {
        // SAFETY: the range is inside `memory`; the advice changes only how it
        // is mapped, not its contents.
        let refused =
            unsafe { libc::madvise(start.add(before).cast(), whole, libc::MADV_HUGEPAGE) != 0 };
        if refused {
            log::debug!("no large pages: {}", std::io::Error::last_os_error());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_empty_and_as_large_as_asked_for() {
        for count in [0, 1, 1000, 5 << 20] {
            let mut room = room::<u16>(count).expect("a little memory");
            assert!(room.is_empty() && room.capacity() >= count);
            room.resize(count, 7);
            assert!(room.iter().all(|&item| item == 7));
        }
        assert!(room::<u64>(usize::MAX).is_err());
    }
}
