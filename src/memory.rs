//! The machine's memory: how much of it this process may still take, and
//! allocating the big tables.

use std::fmt;
use std::sync::LazyLock;
use std::thread::{Builder, Scope};
#[cfg(target_os = "linux")]
use std::{fs, path::Path};

/// Bytes that the big tables leave free: for the stack of the thread that
/// searches, and for the many small allocations, which cannot all be asked
/// whether they succeed.
#[cfg(target_os = "linux")]
const RESERVE: usize = SMALL_STACK + (14 << 20);

/// Bytes of stack for a thread that searches: far more than any search uses.
const STACK: usize = 64 << 20;

/// The same where address space is short. Deep searches have used 0.2 MiB, some
/// 3 KiB a ply; the limit of 999 plies would take 3 MiB.
pub const SMALL_STACK: usize = 8 << 20;

/// Smaller allocations come out of the reserve.
const BIG: usize = 1 << 20;

/// There is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// The bytes asked for.
    bytes: usize,
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = self.bytes.div_ceil(1 << 20);
        write!(f, "{mib} MiB of memory are not to be had")
    }
}

/// Bytes that big tables may still take, where the system tells (Linux does):
/// the least that the machine, the limits of this process (`ulimit -v`, `-d`)
/// and its control groups leave, less a reserve for everything small.
pub fn available() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        let files = ["meminfo", "self/limits", "self/status", "self/cgroup"];
        let [machine, limits, status, groups] =
            files.map(|file| fs::read_to_string(Path::new("/proc").join(file)).unwrap_or_default());
        let left = [
            kib(&machine, "MemAvailable:"),
            limit_left(&limits, "Max address space", kib(&status, "VmSize:")),
            limit_left(&limits, "Max data size", kib(&status, "VmData:")),
            left_in_groups(Path::new("/sys/fs/cgroup"), &groups),
        ];
        let least = left.into_iter().flatten().min()?;
        Some(least.saturating_sub(RESERVE))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Bytes of stack for a further thread that searches; `None`: there is no
/// address space for one.
pub fn stack() -> Option<usize> {
    static LIMITED: LazyLock<bool> = LazyLock::new(is_limited);
    if !*LIMITED {
        return Some(STACK);
    }
    match available() {
        Some(room) if room < SMALL_STACK => None,
        Some(room) if room < 4 * STACK => Some(SMALL_STACK),
        _ => Some(STACK),
    }
}

/// Begins a further thread that searches, of this name; `None`: there is no room for its
/// stack, or the system has no more threads.
pub fn helper<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() + Send + 'scope,
) -> Option<()> {
    let Some(stack) = stack() else {
        log::warn!("{name}: no room for the stack of a thread");
        return None;
    };
    let thread = Builder::new().name(name.clone()).stack_size(stack);
    let begun = thread.spawn_scoped(scope, work);
    begun
        .inspect_err(|why| log::warn!("{name}: {why}"))
        .ok()
        .map(drop)
}

/// Prepares this process for what the system allows it; to be called before
/// other threads start.
///
/// glibc reserves 64 MiB of address space for the small allocations of each
/// thread. Where address space is limited, all threads share what there is.
pub fn settle() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if is_limited() {
        // SAFETY: it only sets a number that glibc reads when a thread allocates
        // for the first time. std has no call for it.
        #[allow(unsafe_code)]
        let done = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
        log::debug!("one arena for all threads: {}", done == 1);
    }
}

/// Whether the system limits what this process may map, used or not.
fn is_limited() -> bool {
    #[cfg(target_os = "linux")]
    {
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        ["Max address space", "Max data size"]
            .iter()
            .any(|row| limit_left(&limits, row, None).is_some())
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// [`available`] in MiB.
pub fn available_mib() -> Option<usize> {
    available().map(|bytes| bytes >> 20)
}

/// Checks that so many bytes can be had.
///
/// # Errors
/// They cannot.
pub fn check(bytes: usize) -> Result<(), Short> {
    room::<u8>(bytes).map(drop)
}

/// Checks that a collection with room for so many entries can take one more. If it is
/// full, it is moved to where there is room for twice as many; `bytes`: what an entry
/// that is there takes then.
///
/// # Errors
/// There is not enough memory for that.
pub fn grows(used: usize, room: usize, bytes: usize) -> Result<(), Short> {
    match used < room {
        true => Ok(()),
        false => check(bytes * room),
    }
}

/// An empty vector with capacity for so many items, on large pages where the
/// system has them (Linux: transparent huge pages, 2 MiB instead of 4 KiB).
/// Random access then needs fewer page-table lookups.
///
/// # Errors
/// There is not enough memory.
pub fn room<T>(count: usize) -> Result<Vec<T>, Short> {
    let bytes = count.saturating_mul(size_of::<T>());
    let short = Short { bytes };
    // The system may grant more than there is, and end the process when it is
    // used.
    if bytes >= BIG && available().is_some_and(|available| bytes > available) {
        return Err(short);
    }
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| short)?;
    #[cfg(target_os = "linux")]
    prefer_large_pages(room.spare_capacity_mut());
    Ok(room)
}

/// So many zeros (or other defaults).
///
/// # Errors
/// There is not enough memory.
pub fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>, Short> {
    let mut zeros = room(count)?;
    zeros.resize(count, T::default());
    Ok(zeros)
}

/// The bytes in a row of `/proc`, which are given in KiB.
#[cfg(target_os = "linux")]
fn kib(text: &str, row: &str) -> Option<usize> {
    let row = text.lines().find_map(|line| line.strip_prefix(row))?;
    let kib: usize = row.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1 << 10)
}

/// What a limit in `/proc/self/limits` leaves of what is used; `None`: there is
/// no limit.
#[cfg(target_os = "linux")]
fn limit_left(limits: &str, row: &str, used: Option<usize>) -> Option<usize> {
    let row = limits.lines().find_map(|line| line.strip_prefix(row))?;
    let soft: usize = row.split_whitespace().next()?.parse().ok()?;
    Some(soft.saturating_sub(used.unwrap_or(0)))
}

/// The least that the memory limits of control groups leave, given where the
/// groups are mounted and `/proc/self/cgroup`; `None`: there is no limit. Both
/// versions of control groups; a limit holds for the groups inside as well.
#[cfg(target_os = "linux")]
fn left_in_groups(mounted: &Path, groups: &str) -> Option<usize> {
    let number = |file: &Path| -> Option<usize> {
        // Version 2 writes `max` where there is no limit, version 1 a number
        // beyond all memory.
        fs::read_to_string(file).ok()?.trim().parse().ok()
    };
    let left = |folder: &Path, [limit, used, cache]: [&str; 3]| -> Option<usize> {
        let limit = number(&folder.join(limit))?;
        let used = number(&folder.join(used)).unwrap_or(0);
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        // Cached files count as used but are given up when memory is short.
        let cached = stat
            .lines()
            .find_map(|line| line.strip_prefix(cache)?.trim().parse().ok());
        Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
    };
    let least = |line: &str| -> Option<usize> {
        // `number:controllers:path`
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let (mounted, files) = if controllers.is_empty() {
            (
                mounted.to_path_buf(),
                ["memory.max", "memory.current", "inactive_file "],
            )
        } else if controllers.split(',').any(|name| name == "memory") {
            let files = [
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file ",
            ];
            (mounted.join("memory"), files)
        } else {
            return None;
        };
        // Inside a container the path may be that of the host, and only the
        // mounted folder itself be there.
        let path = Path::new(path.trim_start_matches('/'));
        let folders = path.ancestors().map(|path| mounted.join(path));
        folders.filter_map(|folder| left(&folder, files)).min()
    };
    groups.lines().filter_map(least).min()
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
        let short = check(usize::MAX >> 2).expect_err("no machine has that");
        assert!(
            short
                .to_string()
                .ends_with(" MiB of memory are not to be had")
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_of_the_process_count_from_what_it_uses() {
        let limits = "Max data size             unlimited            unlimited            bytes\n\
                      Max address space         1048576000           unlimited            bytes\n";
        let used = kib("VmPeak:\t  5000 kB\nVmSize:\t  1024 kB\n", "VmSize:");
        assert_eq!(used, Some(1 << 20));
        let left = |row, used| limit_left(limits, row, used);
        assert_eq!(left("Max address space", used), Some(999 << 20));
        assert_eq!(left("Max address space", Some(usize::MAX)), Some(0));
        assert_eq!(left("Max data size", used), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_of_control_groups_are_found_in_both_versions() {
        let root = std::env::temp_dir().join(format!("quintet-groups-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let file = root.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("written");
        };
        let left = |groups| left_in_groups(&root, groups);
        // Version 2: the limit of the group around ours is the lower one.
        write("outer/memory.max", "268435456\n");
        write("outer/memory.current", "104857600\n");
        write("outer/memory.stat", "anon 1\ninactive_file 52428800\n");
        write("outer/ours/memory.max", "max\n");
        assert_eq!(left("0::/outer/ours\n"), Some(206 << 20));
        write("outer/ours/memory.max", "1048576\n");
        write("outer/ours/memory.current", "2097152\n");
        assert_eq!(left("0::/outer/ours\n"), Some(0));
        // A path of the host, and nothing mounted but the group itself.
        assert_eq!(left("0::/docker/0123\n"), None);
        write("memory.max", "1048576\n");
        assert_eq!(left("0::/docker/0123\n"), Some(1 << 20));
        // Version 1.
        write("memory/ours/memory.limit_in_bytes", "4194304\n");
        write("memory/ours/memory.usage_in_bytes", "3145728\n");
        write("memory/ours/memory.stat", "total_inactive_file 1048576\n");
        let groups = "4:cpu,cpuacct:/ours\n3:hugetlb,memory:/ours\nmalformed\n";
        assert_eq!(left(groups), Some(2 << 20));
        fs::remove_dir_all(&root).expect("removed");
    }
}
