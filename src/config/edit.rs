//! Changes one key in the user's config file and leaves every other byte as it is.
//!
//! The value is checked before the file is touched. Only the lines of the key are rewritten; where a
//! value is a scalar on the key's own line, only the value. The result is parsed again, and unless
//! every other entry is unchanged and this one is as wanted, nothing is written. The write is a
//! rename within the folder, so a reader sees the old file or the new one. Two edits at the same
//! moment are not merged: the later one wins.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::ConfigError;
use super::file::{self, MAX_FILE_BYTES};
use super::keys::Key;
use super::value::Value;
use super::yaml::{self, Entry, Node, Raw};
use super::{Origin, check, conflicts, load, table};

/// The mark that some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The most links from one to the next that an edit follows; Linux follows as many.
const MAX_LINKS: usize = 40;

/// What an edit did.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The key.
    pub key: &'static Key,
    /// The value that the file had; nothing when it had none, or one that is not allowed.
    pub old: Option<Value>,
    /// What the file had when that is not allowed, in words that are ready to be shown and repeat no
    /// secret: a text in backticks, or `a list`. With `old` also nothing, the key was absent.
    pub old_refused: Option<String>,
    /// The value that the file has now.
    pub new: Option<Value>,
}

/// Sets `key` to the value that `text` stands for. The file and its folder are created when they do
/// not exist; folders are written as typed, and mean a place relative to the file.
///
/// # Errors
/// An unknown key, a value that is not allowed or excludes another one in the file, a file that
/// cannot be read, written, or edited without touching other keys.
pub fn set(file: &Path, key: &str, text: &str) -> Result<Change, ConfigError> {
    let (key, value) = parsed(key, text)?;
    edit(file, key, Some(value))
}

/// The value that [`set`] would write for `text`.
///
/// # Errors
/// An unknown key, or a value that is not allowed.
pub fn parse(key: &str, text: &str) -> Result<Value, ConfigError> {
    parsed(key, text).map(|(_, value)| value)
}

fn parsed(key: &str, text: &str) -> Result<(&'static Key, Value), ConfigError> {
    let key = table::find(key).ok_or_else(|| load::unknown(key, None))?;
    let value = check::from_text(key, text).map_err(|problem| load::invalid(key, None, problem))?;
    Ok((key, value))
}

/// Takes `key` out of the file, so that its default holds again. A file without it is left alone.
///
/// # Errors
/// As for [`set`].
pub fn unset(file: &Path, key: &str) -> Result<Change, ConfigError> {
    let key = table::find(key).ok_or_else(|| load::unknown(key, None))?;
    edit(file, key, None)
}

fn edit(file: &Path, key: &'static Key, new: Option<Value>) -> Result<Change, ConfigError> {
    let whole = file::read(file, false, Origin::UserFile)?;
    let text = whole.as_deref().unwrap_or_default();
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", text),
    };
    let before = yaml::parse_file(file, text)?;
    let index = before.iter().position(|(name, _)| name.value == key.name);
    let (old, old_refused) = match index.map(|index| value_or_words(key, &before[index].1.value)) {
        None => (None, None),
        Some(Ok(value)) => (Some(value), None),
        Some(Err(words)) => (None, Some(words)),
    };
    let refused = || ConfigError::NotEditable { key: key.name, file: file.to_owned() };
    let edited = match (index, &new) {
        (None, None) => return Ok(Change { key, old, old_refused, new }),
        (None, Some(value)) => appended(text, &before, key, value),
        (Some(index), Some(value)) => replaced(text, &before, index, value).ok_or_else(refused)?,
        (Some(index), None) => removed(text, &before, index).ok_or_else(refused)?,
    };
    let after = yaml::parse_file(file, &edited).map_err(|_| refused())?;
    if !only_this_changed(key, &before, &after, new.as_ref()) {
        return Err(refused());
    }
    conflicts_in(file, &after)?;
    let edited = format!("{mark}{edited}");
    if edited.len() as u64 > MAX_FILE_BYTES {
        return Err(ConfigError::TooLarge { file: file.to_owned(), limit: MAX_FILE_BYTES });
    }
    if whole.as_deref() != Some(&edited) {
        write(file, &edited).map_err(|source| ConfigError::Write { file: file.to_owned(), source })?;
    }
    Ok(Change { key, old, old_refused, new })
}

/// The value, or what stands in its place. A problem with one item says nothing of a whole list.
fn value_or_words(key: &Key, raw: &Raw) -> Result<Value, String> {
    check::from_raw(key, raw).map_err(|problem| match raw {
        Raw::List(_) | Raw::Map(_) => check::describe(raw),
        _ => problem.found,
    })
}

/// The text with one more line, indented like the entries before it.
fn appended(text: &str, entries: &[Entry], key: &Key, value: &Value) -> String {
    let newline = newline_of(text);
    let column = entries.first().map_or(1, |(name, _)| name.referenced.column());
    let indent = " ".repeat(usize::try_from(column.saturating_sub(1)).unwrap_or(0));
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    format!("{text}{gap}{indent}{}: {}{newline}", key.name, value.to_yaml())
}

/// The text with another value for the entry at `index`; nothing when its lines hold more than it.
fn replaced(text: &str, entries: &[Entry], index: usize, value: &Value) -> Option<String> {
    let lines = entry_lines(text, entries, index)?;
    if let Some(bytes) = scalar_bytes(&entries[index].1, text, &lines) {
        return Some(format!("{}{}{}", &text[..bytes.start], value.to_yaml(), &text[bytes.end..]));
    }
    let first = text[lines.clone()].lines().next().unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    let ending = if text[lines.clone()].ends_with('\n') { newline_of(text) } else { "" };
    Some(format!(
        "{}{indent}{}: {}{}{ending}{}",
        &text[..lines.start],
        entries[index].0.value,
        value.to_yaml(),
        comment_of(first),
        &text[lines.end..],
    ))
}

/// The text without the lines of the entry at `index`; nothing when they hold more than it.
fn removed(text: &str, entries: &[Entry], index: usize) -> Option<String> {
    let lines = entry_lines(text, entries, index)?;
    Some(format!("{}{}", &text[..lines.start], &text[lines.end..]))
}

/// The bytes of the lines from an entry's key to the last line of its value. Blank lines and comments
/// after it belong to what follows. Nothing when something else stands before the key on its line,
/// or when the next entry begins on the same line.
fn entry_lines(text: &str, entries: &[Entry], index: usize) -> Option<Range<usize>> {
    let line_of = |entry: &Entry| usize::try_from(entry.0.referenced.line()).ok();
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    let first = line_of(&entries[index])?.checked_sub(1)?;
    let mut last = match entries.get(index + 1) {
        Some(next) => line_of(next)?.checked_sub(1)?,
        None => starts.len() - 1,
    };
    let line = |number: usize| text.get(*starts.get(number)?..*starts.get(number + 1)?);
    let key_at = usize::try_from(entries[index].0.referenced.span().byte_offset()?).ok()?;
    let stands_first = text.get(*starts.get(first)?..key_at)?.trim().is_empty();
    if !stands_first || last <= first {
        return None;
    }
    let marker = |number| line(number).is_some_and(|line| line.starts_with("---") || line.starts_with("..."));
    last = (first + 1..last).find(|&number| marker(number)).unwrap_or(last);
    while last > first + 1 {
        let content = line(last - 1)?.trim();
        if !content.is_empty() && !content.starts_with('#') {
            break;
        }
        last -= 1;
    }
    Some(starts[first]..*starts.get(last)?)
}

/// The bytes of a scalar that begins and ends on the one line of its entry.
fn scalar_bytes(node: &Node, text: &str, lines: &Range<usize>) -> Option<Range<usize>> {
    if matches!(node.value, Raw::Null | Raw::List(_) | Raw::Map(_)) {
        return None;
    }
    let span = node.referenced.span();
    let start = usize::try_from(span.byte_offset()?).ok()?;
    let end = start.checked_add(usize::try_from(span.byte_len()?).ok()?)?;
    let inside = lines.start < start && start < end && end <= lines.end;
    let one_line = !text.get(lines.clone())?.trim_end().contains('\n');
    (inside && one_line && text.is_char_boundary(start) && text.is_char_boundary(end)).then_some(start..end)
}

/// The comment at the end of a line, with the blanks before it. A quote opens only where a value can
/// begin, so that the apostrophe of a plain word hides nothing.
fn comment_of(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, character) in line.char_indices() {
        match quote {
            Some(open) if character == open && before != '\\' => quote = None,
            None if "\"'".contains(character) && " \t[{,:".contains(before) => quote = Some(character),
            None if character == '#' && " \t".contains(before) => {
                let blank = line[..at].len() - line[..at].trim_end().len();
                return line[at - blank..].trim_end();
            }
            _ => {}
        }
        before = character;
    }
    ""
}

fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Whether `after` differs from `before` in `key` alone, which holds `new`.
fn only_this_changed(key: &'static Key, before: &[Entry], after: &[Entry], new: Option<&Value>) -> bool {
    let is_ours = |entry: &&Entry| entry.0.value == key.name;
    let mut ours = after.iter().filter(is_ours);
    let value = ours.next().and_then(|(_, node)| check::from_raw(key, &node.value).ok());
    if value.as_ref() != new || ours.next().is_some() {
        return false;
    }
    let mut others = before.iter().filter(|entry| !is_ours(entry));
    after
        .iter()
        .filter(|entry| !is_ours(entry))
        .all(|entry| others.next().is_some_and(|other| yaml::same_entry(entry, other)))
        && others.next().is_none()
}

/// Refuses values of one file that exclude each other. Entries that are wrong in themselves are
/// passed over, so that a file with several mistakes can be mended one key at a time.
fn conflicts_in(file: &Path, entries: &[Entry]) -> Result<(), ConfigError> {
    let mut settings = load::defaults();
    for (name, node) in entries {
        let Some(index) = table::position(&name.value) else { continue };
        if let Ok(value) = check::from_raw(settings[index].key, &node.value) {
            settings[index].value = value;
            settings[index].origin = Origin::UserFile(file.to_owned(), name.referenced.line());
        }
    }
    conflicts::check(&settings)
}

/// Replaces the file in one step. A symbolic link stays a link, also one to a file that does not exist
/// yet, and its target keeps its permissions.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let existing = fs_err::canonicalize(file).ok();
    let target = match &existing {
        Some(target) => target.clone(),
        None => end_of_links(file)?,
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs_err::create_dir_all(folder)?;
    if existing.is_some() {
        // A file that may not be written is not to be replaced by one that may.
        drop(fs_err::OpenOptions::new().write(true).open(&target)?);
    }
    let mut staged = tempfile::NamedTempFile::new_in(folder)?;
    staged.write_all(text.as_bytes())?;
    if existing.is_some() {
        staged.as_file().set_permissions(fs_err::metadata(&target)?.permissions())?;
    }
    staged.as_file().sync_all()?;
    staged.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// The path that the links at `file` lead to, where nothing exists yet.
fn end_of_links(file: &Path) -> io::Result<PathBuf> {
    let mut target = file.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs_err::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies `change` to a file with `text` and gives back its bytes.
    fn edited(text: &str, change: impl Fn(&Path) -> Result<Change, ConfigError>) -> Result<String, String> {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config.yaml");
        fs_err::write(&file, text).unwrap();
        let outcome = change(&file);
        let after = fs_err::read_to_string(&file).unwrap();
        if outcome.is_err() {
            assert_eq!(after, text, "a failed edit left the file changed");
        }
        assert_eq!(fs_err::read_dir(home.path()).unwrap().count(), 1, "a staged file was left behind");
        outcome.map(|_| after).map_err(|error| error.to_string())
    }

    #[test]
    fn set_rewrites_one_value_and_keeps_the_rest() {
        for (text, key, value, expected) in [
            ("", "maxActiveSkills", "5", "maxActiveSkills: 5\n"),
            ("# mine\n", "maxActiveSkills", "5", "# mine\nmaxActiveSkills: 5\n"),
            ("minRouteScore: 8", "maxActiveSkills", "5", "minRouteScore: 8\nmaxActiveSkills: 5\n"),
            ("a: 1\r\n", "maxActiveSkills", "5", "a: 1\r\nmaxActiveSkills: 5\r\n"),
            ("\u{feff}minRouteScore: 8\n", "minRouteScore", "9", "\u{feff}minRouteScore: 9\n"),
            (
                "# top\n\nmaxActiveSkills:   3  # three\n# about routes\nminRouteScore: 8\n",
                "maxActiveSkills",
                "5",
                "# top\n\nmaxActiveSkills:   5  # three\n# about routes\nminRouteScore: 8\n",
            ),
            ("'maxActiveSkills': 3\r\nx: y\r\n", "maxActiveSkills", "5", "'maxActiveSkills': 5\r\nx: y\r\n"),
            ("maxActiveSkills: # why\nx: y\n", "maxActiveSkills", "5", "maxActiveSkills: 5 # why\nx: y\n"),
            ("maxActiveSkills:\n  # deep\n  3\nx: y\n", "maxActiveSkills", "5", "maxActiveSkills: 5\nx: y\n"),
            (
                "remoteTrustedOwners: # it's ours\n  - a # why\n  - b\n\n# next\nx: y\n",
                "remoteTrustedOwners",
                "c,b",
                "remoteTrustedOwners: [b, c] # it's ours\n\n# next\nx: y\n",
            ),
            (
                "customRoots: ['#1', \"a # b\"]   # two\n",
                "customRoots",
                "~/s",
                "customRoots: [\"~/s\"]   # two\n",
            ),
            (
                "remoteDiscovery: \"automatic\" # x\n",
                "remoteDiscovery",
                "off",
                "remoteDiscovery: \"off\" # x\n",
            ),
            ("  x: y\n", "maxActiveSkills", "5", "  x: y\n  maxActiveSkills: 5\n"),
            (
                "{\n  \"maxActiveSkills\": 3,\n  \"x\": 1\n}\n",
                "maxActiveSkills",
                "5",
                "{\n  \"maxActiveSkills\": 5,\n  \"x\": 1\n}\n",
            ),
            ("---\nmaxActiveSkills: 3\n...\n", "maxActiveSkills", "5", "---\nmaxActiveSkills: 5\n...\n"),
            ("embeddingModel: |-\n  a\nx: y\n", "embeddingModel", "b: c", "embeddingModel: \"b: c\"\nx: y\n"),
            ("maxActiveSkills: nonsense\n", "maxActiveSkills", "5", "maxActiveSkills: 5\n"),
        ] {
            assert_eq!(edited(text, |file| set(file, key, value)).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn unset_removes_one_entry_and_keeps_the_rest() {
        for (text, key, expected) in [
            ("maxActiveSkills: 3", "maxActiveSkills", ""),
            (
                "x: 1 # one\nmaxActiveSkills: 3 # three\n\n# y\ny: 2\n",
                "maxActiveSkills",
                "x: 1 # one\n\n# y\ny: 2\n",
            ),
            ("routes:\n- matchAny: [a]\n  skills:\n  - b\n# end\n", "routes", "# end\n"),
            ("x: 1\n", "routes", "x: 1\n"),
            ("---\nroutes: []\n...\n", "routes", "---\n...\n"),
        ] {
            assert_eq!(edited(text, |file| unset(file, key)).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_edited_alone_is_refused_untouched() {
        let not_editable = "without touching other keys";
        for (text, key, value, word) in [
            ("{maxActiveSkills: 3, x: 1}\n", "maxActiveSkills", Some("5"), not_editable),
            ("{x: 1}\n", "maxActiveSkills", Some("5"), not_editable),
            ("{x: 1,\nmaxActiveSkills: 3}\n", "maxActiveSkills", None, not_editable),
            ("x: &a 3\nmaxActiveSkills: &b 3\ny: *b\n", "maxActiveSkills", None, not_editable),
            ("x: 1\n...\n", "maxActiveSkills", Some("5"), not_editable),
            ("- 1\n", "maxActiveSkills", Some("5"), "key: value"),
            ("x: [\n", "maxActiveSkills", Some("5"), "line 1"),
            ("maxActiveSkills: 3\nmaxActiveSkills: 4\n", "maxActiveSkills", Some("5"), "second time"),
            ("x: 1\n", "maxActiveSkills", Some("0"), "a whole number from 1"),
            ("x: 1\n", "maxActiveSkill", Some("5"), "unknown key"),
            ("remoteTrustedOwners: [a]\n", "remoteBlockedOwners", Some("A"), "exclude each other"),
            ("adaptiveRouting: true\n", "usageTracking", Some("false"), "exclude each other"),
        ] {
            let outcome = edited(text, |file| match value {
                Some(value) => set(file, key, value),
                None => unset(file, key),
            });
            let message = outcome.unwrap_err();
            assert!(message.contains(word), "{text:?} {message}");
        }
    }

    #[test]
    fn set_makes_the_folder_and_tells_old_and_new() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("deep/er/config.yaml");
        assert_eq!(unset(&file, "routes").unwrap().old, None);
        assert!(!file.exists());
        let first = set(&file, "maxActiveSkills", "5").unwrap();
        assert_eq!((first.old, first.new), (None, Some(Value::Integer(5))));
        let second = set(&file, "maxActiveSkills", "6").unwrap();
        assert_eq!((second.old, second.new), (Some(Value::Integer(5)), Some(Value::Integer(6))));
        assert_eq!(unset(&file, "maxActiveSkills").unwrap().old, Some(Value::Integer(6)));
        assert_eq!(fs_err::read_to_string(&file).unwrap(), "");
    }

    #[test]
    fn a_change_tells_what_was_absent_from_what_was_not_allowed() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config.yaml");
        for (text, key, value, refused) in [
            ("x: 1\n", "maxActiveSkills", "5", None),
            ("maxActiveSkills: 3\n", "maxActiveSkills", "5", None),
            ("maxActiveSkills: 0\n", "maxActiveSkills", "5", Some("`0`")),
            ("maxActiveSkills: \"\\e[2J\"\n", "maxActiveSkills", "5", Some("`\\u{1b}[2J`")),
            ("maxActiveSkills:\n", "maxActiveSkills", "5", Some("empty")),
            ("remoteTrustedOwners: [a, b/c]\n", "remoteTrustedOwners", "a", Some("a list")),
            (
                "embeddingEndpoint: https://me:hunter2@example.com/\n",
                "embeddingEndpoint",
                "http://example.com/",
                Some("a text with `@`, which may hold credentials"),
            ),
        ] {
            fs_err::write(&file, text).unwrap();
            assert_eq!(set(&file, key, value).unwrap().old_refused.as_deref(), refused, "{text:?}");
            fs_err::write(&file, text).unwrap();
            assert_eq!(unset(&file, key).unwrap().old_refused.as_deref(), refused, "{text:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_stays_a_link_and_its_target_is_made() {
        use std::os::unix::fs::symlink;
        let home = tempfile::tempdir().unwrap();
        let (link, next) = (home.path().join("config.yaml"), home.path().join("next.yaml"));
        symlink("next.yaml", &link).unwrap();
        symlink("dotfiles/deep/real.yaml", &next).unwrap();
        set(&link, "maxActiveSkills", "5").unwrap();
        assert!(fs_err::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs_err::symlink_metadata(&next).unwrap().is_symlink());
        let real = home.path().join("dotfiles/deep/real.yaml");
        assert_eq!(fs_err::read_to_string(real).unwrap(), "maxActiveSkills: 5\n");
        let (one, two) = (home.path().join("one.yaml"), home.path().join("two.yaml"));
        symlink(&one, &two).unwrap();
        symlink(&two, &one).unwrap();
        set(&one, "maxActiveSkills", "5").unwrap_err();
        assert!(fs_err::symlink_metadata(&one).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let (file, link) = (home.path().join("real.yaml"), home.path().join("config.yaml"));
        fs_err::write(&file, "x: 1\n").unwrap();
        fs_err::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        set(&link, "maxActiveSkills", "5").unwrap();
        assert!(fs_err::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs_err::read_to_string(&file).unwrap(), "x: 1\nmaxActiveSkills: 5\n");
        assert_eq!(fs_err::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
