//! Which process, of which start of the system, made a lease.
//!
//! Read from `/proc` where there is one; elsewhere only the number of the process is known. A process number
//! alone says nothing, for it is used again; it is recorded for messages and never decides.

/// The process that asks, as far as the system tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The id of this start of the system; a lease of another one has ended.
    pub boot_id: Option<String>,
    /// The number of the process.
    pub pid: u32,
    /// When the process started, in the system's own units; tells apart processes that had one number.
    pub start_time: Option<u64>,
    /// The namespace of process numbers, for instance a container's.
    pub pid_namespace: Option<u64>,
}

impl Holder {
    /// This process.
    pub fn current() -> Self {
        let pid = std::process::id();
        Self {
            boot_id: read("/proc/sys/kernel/random/boot_id")
                .filter(|text| !text.is_empty() && text.len() <= 64),
            pid,
            start_time: read("/proc/self/stat").and_then(|stat| start_time(&stat)),
            pid_namespace: pid_namespace(),
        }
    }
}

fn read(path: &str) -> Option<String> {
    // Where there is no such file, nothing is known, which every reader of a lease allows for.
    fs_err::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// Field 22 of `/proc/PID/stat`. The second field is a name in parentheses that may itself hold any
/// character, so fields are counted from its end.
fn start_time(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(22 - 3)?.parse().ok()
}

/// The number in `pid:[4026531836]`.
#[cfg(unix)]
fn pid_namespace() -> Option<u64> {
    let link = fs_err::read_link("/proc/self/ns/pid").ok()?;
    link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?.parse().ok()
}

#[cfg(not(unix))]
fn pid_namespace() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_time_is_found_behind_any_name() {
        let fields: Vec<String> = (3..=52).map(|field| field.to_string()).collect();
        for name in ["cat", "a b", "x) 1 2 (y", ")"] {
            let stat = format!("4711 ({name}) {}", fields.join(" "));
            assert_eq!(start_time(&stat), Some(22), "{name}");
        }
        assert_eq!(start_time("4711 (cat) S 1"), None);
        assert_eq!(start_time(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_known() {
        let holder = Holder::current();
        assert_eq!(holder.pid, std::process::id());
        assert!(holder.boot_id.is_some_and(|id| id.len() == 36));
        assert!(holder.start_time.is_some() && holder.pid_namespace.is_some());
    }
}
