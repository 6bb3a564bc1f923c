//! Secrets that are known by their own form: marks of their makers, and text too random to be words.
//!
//! Randomness is told by how often the kind of character changes: people write letters in a row, then
//! perhaps a number. Thresholds are set so that names such as `sha256`, `k8sdeployment` and
//! `convertUtf8ToBase64String` pass, and a random key of 12 characters hardly ever does.

/// A mark that begins a secret.
struct Mark {
    start: &'static str,
    /// The least length of what follows.
    least: usize,
    /// What may follow besides letters and digits.
    also: &'static [u8],
    /// Whether a letter or digit before it makes it a part of a word, and its tail must not be mere words.
    strict: bool,
}

const fn mark(start: &'static str, least: usize, also: &'static [u8], strict: bool) -> Mark {
    Mark { start, least, also, strict }
}

const MARKS: &[Mark] = &[
    mark("ghp_", 1, b"_", false),
    mark("gho_", 1, b"_", false),
    mark("ghu_", 1, b"_", false),
    mark("ghs_", 1, b"_", false),
    mark("ghr_", 1, b"_", false),
    mark("github_pat_", 1, b"_", false),
    mark("glpat-", 1, b"_-", false),
    mark("npm_", 16, b"", false),
    mark("pypi-", 16, b"_-", true),
    mark("hf_", 16, b"", false),
    mark("sk-", 16, b"_-", true),
    mark("sk_live_", 1, b"_", false),
    mark("sk_test_", 1, b"_", false),
    mark("rk_live_", 1, b"_", false),
    mark("pk_live_", 1, b"_", false),
    mark("sk_prod_", 1, b"_", false),
    mark("pk_prod_", 1, b"_", false),
    mark("pk_test_", 1, b"_", false),
    mark("rk_test_", 1, b"_", false),
    mark("dop_v1_", 1, b"", false),
    mark("doo_v1_", 1, b"", false),
    mark("dor_v1_", 1, b"", false),
    mark("hvs.", 4, b"_-.", false),
    mark("hvb.", 4, b"_-.", false),
    mark("AAAAB3NzaC1", 1, b"+/=", false),
    mark("AAAAC3NzaC1", 1, b"+/=", false),
    mark("AAAAE2VjZHNh", 1, b"+/=", false),
    mark("whsec_", 8, b"", false),
    mark("xoxa-", 1, b"-", false),
    mark("xoxb-", 1, b"-", false),
    mark("xoxp-", 1, b"-", false),
    mark("xoxr-", 1, b"-", false),
    mark("xoxs-", 1, b"-", false),
    mark("AIza", 20, b"_-", false),
    mark("eyJ", 16, b"_-.", true),
    mark("ya29.", 16, b"_-", false),
];

/// Key ids of AWS: 16 capitals and digits after one of these.
const AWS: &[&str] = &["AKIA", "ASIA"];
/// Hosts and the paths below them whose whole address is a secret, in lower case.
const WEBHOOKS: &[(&str, &str)] = &[
    ("hooks.slack.com", "/services/"),
    ("hooks.slack.com", "/workflows/"),
    ("hooks.slack.com", "/triggers/"),
    ("discord.com", "/webhooks/"),
    ("discordapp.com", "/webhooks/"),
    ("webhook.office.com", "/webhook"),
    ("hooks.zapier.com", "/hooks/"),
    ("api.telegram.org", "/bot"),
];
/// What makes a word with a digit in it a secret that a person made up.
const TELLING: &[&str] = &["secret", "passw", "token", "key"];

/// How much of what follows a mark is looked at.
const TAIL_LENGTH: usize = 256;
const TELLING_LENGTH: usize = 8;
const HEX_LENGTH: usize = 32;
const BASE64_LENGTH: usize = 20;
const WORD_LENGTH: usize = 12;
/// The most digits of a long word that is no secret.
const WORD_DIGITS: usize = 4;

/// Whether any part of an ASCII text looks like a secret.
pub(super) fn is_secret(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let any_run =
        |is_part: fn(u8) -> bool, test: fn(&[u8]) -> bool| bytes.split(|byte| !is_part(*byte)).any(test);
    MARKS.iter().any(|mark| mark.is_in(piece))
        || is_webhook(piece)
        || any_run(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte), is_sendgrid)
        || AWS.iter().any(|start| {
            piece.match_indices(start).any(|(at, _)| {
                let tail = bytes[at + start.len()..].iter().take(16);
                tail.take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count() == 16
            })
        })
        || any_run(|byte| byte.is_ascii_hexdigit() || byte == b'-', is_hex)
        || any_run(|byte| byte.is_ascii_alphanumeric() || b"+/_=-".contains(&byte), is_base64)
        || any_run(|byte| byte.is_ascii_alphanumeric(), is_random_word)
        || any_run(|byte| byte.is_ascii_alphanumeric() || byte == b'_', is_telling)
}

impl Mark {
    fn is_in(&self, piece: &str) -> bool {
        let bytes = piece.as_bytes();
        piece.match_indices(self.start).any(|(at, start)| {
            let tail = bytes[at + start.len()..].iter().copied();
            let tail: Vec<u8> = tail
                .take(TAIL_LENGTH)
                .take_while(|byte| byte.is_ascii_alphanumeric() || self.also.contains(byte))
                .collect();
            let is_bound = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
            let is_mixed = tail.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
            tail.len() >= self.least && (!self.strict || (is_bound && is_mixed))
        })
    }
}

fn is_webhook(piece: &str) -> bool {
    let address = piece.to_ascii_lowercase();
    WEBHOOKS.iter().any(|(host, path)| address.split_once(host).is_some_and(|(_, rest)| rest.contains(path)))
}

/// `SG.`, an id and a key.
fn is_sendgrid(run: &[u8]) -> bool {
    let parts = run.strip_prefix(b"SG.").map(|rest| rest.split(|byte| *byte == b'.'));
    parts.is_some_and(|parts| parts.filter(|part| !part.is_empty()).count() >= 2)
}

fn is_hex(run: &[u8]) -> bool {
    run.iter().filter(|byte| byte.is_ascii_hexdigit()).count() >= HEX_LENGTH
        && run.iter().any(u8::is_ascii_digit)
}

/// Both cases, in an order in which nobody writes words.
fn is_base64(run: &[u8]) -> bool {
    run.len() >= BASE64_LENGTH && has_both_cases(run) && !reads_as_words(run)
}

/// Letters and digits in turn, or letters with a long number.
fn is_random_word(run: &[u8]) -> bool {
    let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = run.len() - digits;
    run.len() >= WORD_LENGTH && digits > 0 && letters > 2 && (digits > WORD_DIGITS || !reads_as_words(run))
}

fn is_telling(run: &[u8]) -> bool {
    let word = String::from_utf8_lossy(run).to_ascii_lowercase();
    word.len() >= TELLING_LENGTH
        && word.contains(|character: char| character.is_ascii_digit())
        && TELLING.iter().any(|telling| word.contains(telling))
}

fn has_both_cases(run: &[u8]) -> bool {
    run.iter().any(u8::is_ascii_lowercase) && run.iter().any(u8::is_ascii_uppercase)
}

/// Whether the parts of a name (`camel`, `Case`, `HTML`, `64`) are long enough on average to be words.
fn reads_as_words(run: &[u8]) -> bool {
    let parts = (0..run.len()).filter(|&at| begins_part(run, at)).count();
    let letters = run.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    // A capital cuts more often than a digit, so that camel case has shorter parts.
    let tenths = if has_both_cases(run) { 34 } else { 42 };
    10 * letters >= tenths * parts
}

fn begins_part(run: &[u8], at: usize) -> bool {
    let this = run[at];
    if !this.is_ascii_alphanumeric() {
        return false;
    }
    let Some(before) = at.checked_sub(1).map(|before| run[before]) else { return true };
    if this.is_ascii_digit() || before.is_ascii_digit() || !before.is_ascii_alphanumeric() {
        return this.is_ascii_digit() != before.is_ascii_digit() || !before.is_ascii_alphanumeric();
    }
    let after = run.get(at + 1).copied().unwrap_or_default();
    // `HTMLPage` is `HTML` and `Page`.
    this.is_ascii_uppercase() && (before.is_ascii_lowercase() || after.is_ascii_lowercase())
}
