//! Secrets that are known by what stands before them: `password=...`, `--token ...`, `Bearer ...`.
//!
//! The value is withheld whatever it looks like, up to the end of its quotation; a word too many is better
//! than a secret that is sent. Prose about such names (`password is reset`) keeps its words. What a secret
//! looks like by itself is not decided here.
//!
//! Every step looks at a word, or at a bounded number of words after it, so that the time is linear in the
//! length of the text whatever it is made of.

use std::collections::BTreeSet;

/// Ends of names whose value is a secret, without `_`, `-` and `.`.
const KEYS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "passphrase",
    "motdepasse",
    "wachtwoord",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "accountkey",
    "credential",
    "credentials",
    "authorization",
    "authorisation",
    "cookie",
    "sessionid",
    "sessid",
];
/// Whole names, or whole last parts of names, whose value is a secret.
const WHOLE_KEYS: &[&str] = &["pass", "passe", "passcode", "pw", "senha"];
/// Whole names whose value is a secret after any separator if it is long, for they also begin a remark.
const LONG_VALUE_KEYS: &[&str] = &["auth", "sid"];
/// Ends of names that also stand for other things; only an equals sign makes their value a secret.
const WEAK_KEYS: &[&str] = &["key", "auth", "pass", "passe", "pw", "session", "sid", "sig", "signature"];
/// Ends of names outside of ASCII.
const FOREIGN_KEYS: &[&str] = &[
    "пароль",
    "токен",
    "contraseña",
    "hasło",
    "şifre",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "암호",
];
/// How much of a name is compared with the foreign ones, in characters.
const FOREIGN_LENGTH: usize = 16;
/// The least letters and digits of a long value.
const LONG_VALUE: usize = 6;
/// What may part a name from its value.
const SEPARATORS: &[&str] = &["=", ":", ":=", "=>", "=="];
/// Words between a name and its value.
const IS: &[&str] = &["is", "was", "ist", "est", "es"];
/// Marks that open a quoted value.
const QUOTES: [char; 3] = ['"', '\'', '`'];
/// Words that follow `bearer` and `basic` in prose.
const AFTER_SCHEME: &[&str] = &[
    "auth",
    "authentication",
    "authorization",
    "authorisation",
    "credentials",
    "format",
    "header",
    "headers",
    "scheme",
    "token",
    "tokens",
];
/// How far the end of a quoted value is looked for, in words; one without an end is as long.
const QUOTED_WORDS: usize = 16;
/// The most words of a header that are withheld.
const HEADER_WORDS: usize = 16;

/// The indices of the words that hold a value which their surroundings call secret.
pub(super) fn values(words: &[&str]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (index, word) in words.iter().enumerate() {
        if holds_credentials(word) {
            found.insert(index);
        }
        if let Some((key, value)) = pair(word) {
            found.extend(quoted(words, index, value));
            found.extend(header(words, key, index));
        }
        if let Some(at) = value_after(words, index) {
            found.extend(quoted(words, at, words[at]));
            found.extend(header(words, word, at));
        }
        if is_public_key(words, index) {
            found.insert(index + 1);
            // The comment at the end of the line is mostly `user@machine`.
            found.extend(words.get(index + 2).filter(|comment| comment.contains('@')).map(|_| index + 2));
        }
    }
    found
}

/// Whether a key of SSH follows its kind.
fn is_public_key(words: &[&str], index: usize) -> bool {
    let is_kind = ["ssh-", "ecdsa-sha2-"].iter().any(|kind| words[index].contains(kind));
    is_kind && words.get(index + 1).is_some_and(|next| next.starts_with("AAAA"))
}

/// The words of the value of a header that begins at `at`, if `name` is one whose value has many.
fn header(words: &[&str], name: &str, at: usize) -> std::ops::Range<usize> {
    let name = name.trim_end_matches(|character: char| !character.is_ascii_alphanumeric());
    let is_named = |end: &str| {
        let start = name.len().checked_sub(end.len());
        start.and_then(|start| name.get(start..)).is_some_and(|name| name.eq_ignore_ascii_case(end))
    };
    // A scheme of any name, and what it takes.
    let least = if is_named("authorization") || is_named("authorisation") {
        at + 1
    } else if is_named("cookie") {
        at
    } else {
        return at..at;
    };
    let rest = words.iter().skip(least).take(HEADER_WORDS);
    at..least + 1 + rest.take_while(|word| word.ends_with([';', ','])).count()
}

/// The words from `index` to the one that closes the quotation mark which `value` opens.
fn quoted(words: &[&str], index: usize, value: &str) -> std::ops::RangeInclusive<usize> {
    let Some(mark) = value.chars().next().filter(|first| QUOTES.contains(first)) else {
        return index..=index;
    };
    if value[1..].contains(mark) {
        return index..=index;
    }
    let mut after = words.iter().skip(index + 1).take(QUOTED_WORDS);
    index..=index + 1 + after.position(|word| word.contains(mark)).unwrap_or(QUOTED_WORDS)
}

/// `user:password@host`, with or without a scheme before it.
fn holds_credentials(word: &str) -> bool {
    let authority = word.split_once("://").map_or(word, |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    // A password may hold any of the characters that end an authority, so a colon before an `@` is enough.
    let is_pair = |text: &str| {
        text.rsplit_once('@').is_some_and(|(user, host)| {
            !host.is_empty() && user.split_once(':').is_some_and(|(_, password)| !password.is_empty())
        })
    };
    is_pair(authority)
        || is_pair(word.split_once("://").map_or(word, |(_, rest)| rest))
        || (word.contains("://") && authority.contains('@'))
}

/// The name and the value of a pair within one word.
fn pair(word: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    // Every run of separators is passed over once, however long it is.
    while let Some(at) = word[from..].find(['=', ':']).map(|at| from + at) {
        let key = word[..at].trim_end_matches(QUOTES);
        let value = word[at..].trim_start_matches(['=', ':', '>']);
        from = word.len() - value.len();
        if calls_secret(key, &word[at..from], value) && value.contains(char::is_alphanumeric) {
            return Some((key, value));
        }
    }
    None
}

/// Where the value stands that the word at `index` announces.
fn value_after(words: &[&str], index: usize) -> Option<usize> {
    // A bracket or text of other scripts may stand before it without a space.
    let word =
        words[index].trim_start_matches(|before: char| !before.is_ascii_alphanumeric() && before != '-');
    let next = *words.get(index + 1)?;
    let bare = word.trim_matches(|character: char| !character.is_alphanumeric()).to_ascii_lowercase();
    if matches!(bare.as_str(), "bearer" | "basic") {
        let following = next.trim_matches(|character: char| !character.is_alphanumeric());
        let is_prose = AFTER_SCHEME.contains(&following.to_ascii_lowercase().as_str());
        return (!is_prose && next.len() >= 8).then_some(index + 1);
    }
    if matches!(word, "-u" | "--user") {
        return next.contains(':').then_some(index + 1);
    }
    let option = word.rsplit_once("--").map(|(_, option)| option).or_else(|| word.strip_prefix('-'));
    if option.is_some_and(|option| kind(option).is_some()) {
        return (!next.starts_with('-')).then_some(index + 1);
    }
    announced(words, index, next)
}

/// Where the value stands of the name at `index`, with a separator or a verb, or in quotation marks.
fn announced(words: &[&str], index: usize, next: &str) -> Option<usize> {
    let word = words[index];
    let key = word.trim_end_matches(['"', '\'', '`', ':', '=', '>']);
    let separator = &word[key.len()..];
    if separator.contains([':', '=']) {
        let at = if SEPARATORS.contains(&next) { index + 2 } else { index + 1 };
        return calls_secret(key, separator, words.get(at)?).then_some(at);
    }
    if SEPARATORS.contains(&next) {
        let value = words.get(index + 2)?;
        return calls_secret(key, next, value).then_some(index + 2);
    }
    if kind(key) != Some(Kind::Name) {
        return None;
    }
    if next.starts_with(QUOTES) {
        return Some(index + 1);
    }
    let (verb, rest) = next.find([':', '=']).map_or((next, ""), |end| next.split_at(end));
    if !IS.iter().any(|is| verb.eq_ignore_ascii_case(is)) {
        return None;
    }
    if rest.contains(char::is_alphanumeric) {
        return Some(index + 1);
    }
    let value = words.get(index + 2)?;
    if SEPARATORS.contains(value) {
        return (index + 3 < words.len()).then_some(index + 3);
    }
    let is_said = !rest.is_empty() || value.starts_with(QUOTES) || !is_ordinary(value);
    is_said.then_some(index + 2)
}

/// How surely a name is that of a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    /// With an equals sign, or any separator and a long value.
    OfLongValue,
    /// With an equals sign.
    Weak,
}

fn calls_secret(key: &str, separator: &str, value: &str) -> bool {
    match kind(key) {
        None => false,
        Some(Kind::Name) => true,
        Some(Kind::Weak) => separator.contains('='),
        Some(Kind::OfLongValue) => {
            let length = value.chars().filter(|character| character.is_alphanumeric()).take(LONG_VALUE);
            separator.contains('=') || length.count() == LONG_VALUE
        }
    }
}

/// The kind of the name at the end of a text.
fn kind(text: &str) -> Option<Kind> {
    let start =
        text.rfind(|character: char| !character.is_ascii_alphanumeric() && !"_-.".contains(character));
    let name =
        start.map_or(text, |start| &text[start + text[start..].chars().next().map_or(0, char::len_utf8)..]);
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
    let joined: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let ends = |keys: &[&str]| keys.iter().any(|key| joined.ends_with(key));
    if ends(KEYS) || WHOLE_KEYS.contains(&last) || is_foreign_key(text) {
        Some(Kind::Name)
    } else if LONG_VALUE_KEYS.contains(&last) {
        Some(Kind::OfLongValue)
    } else {
        ends(WEAK_KEYS).then_some(Kind::Weak)
    }
}

fn is_foreign_key(text: &str) -> bool {
    if text.chars().rev().take(FOREIGN_LENGTH).all(|character| character.is_ascii()) {
        return false;
    }
    let start = text.char_indices().rev().take(FOREIGN_LENGTH).last().map_or(0, |(start, _)| start);
    let end = text[start..].to_lowercase();
    FOREIGN_KEYS.iter().any(|key| end.ends_with(key))
}

/// A word of prose.
fn is_ordinary(word: &str) -> bool {
    word.trim_matches(|character: char| character.is_ascii_punctuation()).chars().all(char::is_lowercase)
}
