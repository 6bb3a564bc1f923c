//! Tests of the whole reader: the table of [`super::cases`], the shared set of odd files when it is
//! there, and hostile input.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use proptest::prelude::*;

use super::super::lint::lint;
use super::cases::CASES;
use super::*;

/// Everything that differs from the plainest skill, in one line.
fn render(parsed: &Parsed) -> String {
    let mut text = String::new();
    match &parsed.outcome {
        Err(error) => write!(text, "skip {}", error.label()).unwrap(),
        Ok(read) => {
            write!(text, "{} | {}", read.name, read.description).unwrap();
            if read.slug.as_str() != read.name {
                write!(text, " | slug {}", read.slug).unwrap();
            }
            for (label, value) in [
                ("when", &read.when_to_use),
                ("not", &read.when_not_to_use),
                ("license", &read.license),
                ("compatibility", &read.compatibility),
                ("hint", &read.argument_hint),
            ] {
                if let Some(value) = value {
                    write!(text, " | {label} {value}").unwrap();
                }
            }
            for (key, value) in &read.metadata {
                write!(text, " | {key}={value}").unwrap();
            }
            for (label, list) in [("tools", &read.allowed_tools), ("extra", &read.extra_keys)] {
                if !list.is_empty() {
                    write!(text, " | {label} {}", list.join(";")).unwrap();
                }
            }
            for (label, open) in [("model", read.model_invocable), ("user", read.user_invocable)] {
                if !open {
                    write!(text, " | no {label}").unwrap();
                }
            }
        }
    }
    for warning in &parsed.warnings {
        write!(text, "\n{}@{}:{}", warning.label(), warning.line, warning.column).unwrap();
    }
    text
}

#[test]
fn odd_files_by_example() {
    let limits = Limits { header_bytes: 2000, ..Limits::default() };
    let mut seen = BTreeSet::new();
    assert!(CASES.len() >= 40);
    for (about, input, expected) in CASES {
        let parsed = parse(input.as_bytes(), "demo", &limits);
        assert_eq!(render(&parsed), *expected, "{about}");
        seen.extend(parsed.warnings.iter().chain(parsed.outcome.as_ref().err()).map(|found| found.code));
    }
    // The codes before `NotUtf8` are the folder walk's; three need longer or other input, see below.
    let elsewhere = [Code::NotUtf8, Code::HeaderTooLarge, Code::DescriptionLong];
    for code in Code::ALL.iter().filter(|&&code| code > Code::NotUtf8 && !elsewhere.contains(&code)) {
        assert!(seen.contains(code), "no case has {code}");
    }
}

#[test]
fn the_header_ends_at_the_limit() {
    let file = |length: usize, tail: &str| {
        format!("---\nname: demo\ndescription: {}\n{tail}", "x".repeat(length - 25))
    };
    let limits = Limits { header_bytes: 300, ..Limits::default() };
    let label = |text: &str| parse(text.as_bytes(), "demo", &limits).outcome.map_err(|error| error.label());
    assert!(label(&file(300, "---\n")).is_ok());
    assert_eq!(label(&file(301, "---\n")), Err("header_too_large".to_owned()));
    assert_eq!(label(&file(300, "")), Err("unclosed_frontmatter".to_owned()));
    assert_eq!(label(&file(301, "")), Err("header_too_large".to_owned()));
}

#[test]
fn the_length_of_a_description_is_counted_in_characters() {
    for (length, expected) in [(1024, 0), (1025, 1)] {
        let text = format!("---\nname: demo\ndescription: {}\n---\n", "é".repeat(length));
        let parsed = parse(text.as_bytes(), "demo", &Limits::default());
        assert_eq!(parsed.warnings.len(), expected);
        assert!(parsed.warnings.iter().all(|warning| warning.code == Code::DescriptionLong));
        assert_eq!(parsed.outcome.unwrap().description.chars().count(), length);
    }
}

#[test]
fn other_encodings_are_refused_where_they_start() {
    let parsed = parse(b"---\nname: demo\ndescription: R\xe9sum\xe9\n---\n", "demo", &Limits::default());
    assert_eq!(parsed.outcome, Err(Diagnostic::at(Code::NotUtf8, 3, 15)));
    let parsed = parse(b"---\nname: demo\ndescription: x\n---\nR\xe9\n", "demo", &Limits::default());
    assert_eq!(parsed.outcome, Err(Diagnostic::at(Code::NotUtf8, 5, 2)));
}

#[test]
fn the_body_starts_after_the_closing_fence() {
    for (text, expected) in [
        ("---\ndescription: x\n---\nbody\n", "body\n"),
        ("---\r\ndescription: x\r\n---\r\n\r\nbody", "\r\nbody"),
        ("---\rdescription: x\r...\rbody", "body"),
        ("---\ndescription: x\n---", ""),
        ("---\nlicense: x\n---\nbody", "body"),
        ("\u{feff}no frontmatter", "\u{feff}no frontmatter"),
    ] {
        let parsed = parse(text.as_bytes(), "demo", &Limits::default());
        assert_eq!(&text[parsed.body], expected, "{text:?}");
    }
}

#[test]
fn a_skill_knows_its_version() {
    let text = b"---\ndescription: x\nmetadata:\n  version: 1.10\n---\n";
    let parsed = parse(text, "demo", &Limits::default());
    assert_eq!(parsed.outcome.unwrap().version(), Some("1.10"));
}

/// The status, labels and fields that the shared set of odd files expects.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the shared data set stands outside the package, where it exists"
)]
fn the_shared_odd_files_read_as_agreed() {
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let Ok(lines) = std::fs::read_to_string(shared.join("data/odd-frontmatter.jsonl")) else {
        println!("skipped: {} is not here", shared.display());
        return;
    };
    let mut checked = 0;
    for line in lines.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let input = case["input"].as_str().unwrap();
        let bytes = if case["encoding"] == "base64" { STANDARD.decode(input).unwrap() } else { input.into() };
        let folder = case["dir"].as_str().unwrap();
        let actual = as_expectation(&parse(&bytes, folder, &Limits::default()));
        let expected = case["expect"].as_object().unwrap();
        for (key, value) in expected {
            assert_eq!(&actual[key.as_str()], value, "{key} of {}", case["id"]);
        }
        // What the case does not name must be absent, apart from fields that it may leave out.
        let optional = ["extra_keys", "license", "model_invocable", "user_invocable"];
        for (key, value) in actual.as_object().unwrap() {
            let silent = expected.contains_key(key) || optional.contains(&key.as_str());
            assert!(silent || value.is_null(), "{key} of {}: {value}", case["id"]);
        }
        checked += 1;
    }
    assert!(checked >= 40, "{checked}");
}

fn as_expectation(parsed: &Parsed) -> serde_json::Value {
    let warnings: BTreeSet<String> = parsed.warnings.iter().map(Diagnostic::label).collect();
    let mut value = match &parsed.outcome {
        Err(error) => serde_json::json!({ "status": "skip", "error": error.label() }),
        Ok(read) => serde_json::json!({
            "status": if warnings.is_empty() { "ok" } else { "warn" },
            "name": read.name,
            "slug": read.slug.as_str(),
            "description": read.description,
            "license": read.license,
            "compatibility": read.compatibility,
            "argument_hint": read.argument_hint,
            "model_invocable": read.model_invocable,
            "user_invocable": read.user_invocable,
            "extra_keys": read.extra_keys,
            "metadata": (!read.metadata.is_empty()).then(|| {
                read.metadata.iter().cloned().collect::<std::collections::BTreeMap<_, _>>()
            }),
            "allowed_tools": (!read.allowed_tools.is_empty()).then_some(&read.allowed_tools),
        }),
    };
    value["warnings"] = serde_json::json!(warnings);
    value
}

/// Input made to hurt must come back at all, and with a bounded answer.
#[test]
fn hostile_headers_come_back() {
    let wide = Limits { header_bytes: 1 << 20, ..Limits::default() };
    let mut headers: Vec<String> = "[{-:'\"&*!|>#?\n \r]},%@`~"
        .chars()
        .map(|character| character.to_string().repeat(16 * 1024))
        .collect();
    for unit in ["- ", "? ", "a: ", "[a, ", "{a: ", "- - ", "&a *a ", "a:\n", "a: [\n", "x\n", "! ", "\"\\"] {
        headers.push(unit.repeat(16 * 1024 / unit.len()));
        headers.push(format!("metadata: {}", unit.repeat(16 * 1024 / unit.len())));
    }
    headers.push("[".repeat(100_000));
    headers.push(format!("metadata: {}{}", "[".repeat(100_000), "]".repeat(100_000)));
    headers.push(format!("metadata: '{}'", "{\"a\":".repeat(20_000)));
    headers.push((0..2000).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n"));
    headers.push((0..8000).fold("metadata:\n  k0: v\n".to_owned(), |text, _| text + "  k0: v\n"));
    let bomb = (1..30).fold("a0: &a0 lol\n".to_owned(), |text, level| {
        let before = level - 1;
        text + &format!("a{level}: &a{level} [*a{before}, *a{before}, *a{before}, *a{before}]\n")
    });
    headers.push(bomb);
    for header in headers {
        for text in [format!("---\n{header}\n---\n"), format!("---\ndescription: x\n{header}\n---\nbody")] {
            let parsed = parse(text.as_bytes(), "demo", &wide);
            assert!(parsed.body.end == text.len());
            assert!(parsed.warnings.len() <= text.len());
            if let Ok(read) = &parsed.outcome {
                let metadata: usize = read.metadata.iter().map(|(key, value)| key.len() + value.len()).sum();
                assert!(read.description.len() + metadata <= 2 * text.len());
            }
        }
    }
}

fn check_bounds(bytes: &[u8], folder: &str) -> Result<(), TestCaseError> {
    let limits = Limits { header_bytes: 512, ..Limits::default() };
    let parsed = parse(bytes, folder, &limits);
    prop_assert!(parsed.body.start <= parsed.body.end && parsed.body.end == bytes.len());
    prop_assert_eq!(&parse(bytes, folder, &limits), &parsed);
    let lines = bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count() + 1;
    for found in parsed.warnings.iter().chain(parsed.outcome.as_ref().err()) {
        prop_assert!((found.line == 0) == (found.column == 0), "{:?}", found);
        prop_assert!(found.line as usize <= lines, "{:?}", found);
    }
    if let Ok(read) = &parsed.outcome {
        prop_assert!(!read.name.is_empty() && !read.description.is_empty());
        let shown = [&read.name, &read.description].into_iter().chain(&read.argument_hint);
        for text in shown.chain(&read.allowed_tools).chain(&read.extra_keys) {
            prop_assert!(!text.chars().any(char::is_control), "{:?}", text);
        }
    }
    let findings = lint(bytes, folder, &limits);
    prop_assert!(findings.is_sorted_by_key(|finding| (finding.line, finding.column)));
    // What the lenient reader says, the strict one says too.
    let found = parsed.warnings.len() + usize::from(parsed.outcome.is_err());
    prop_assert!(findings.len() >= found);
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        folder in ".{0,20}",
    ) {
        check_bounds(&bytes, &folder)?;
    }

    #[test]
    fn any_text_like_a_header_is_read_without_a_panic(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("name: "), Just("description: "), Just("metadata:"), Just("  version: "),
                Just("allowed-tools: "), Just("user-invocable: "), Just("argument-hint: "),
                Just("\n"), Just("\r\n"), Just("\r"), Just("  "), Just("- "), Just("["), Just("]"),
                Just("{"), Just("}"), Just(": "), Just(","), Just("'"), Just("\""), Just("|"), Just(">"),
                Just("# "), Just("&a "), Just("*a "), Just("!!str "), Just("? "), Just("<<: "),
                Just("word"), Just("字\u{200d}"), Just("\u{a0}"), Just("\u{85}"), Just("\u{200b}"),
                Just("---\n"), Just("\\x1b"), Just("\t"), Just("{{x}}"), Just("1.10"),
            ],
            0..40,
        ),
        closed in any::<bool>(),
    ) {
        let text = format!("---\n{}{}", parts.concat(), if closed { "\n---\nbody" } else { "" });
        check_bounds(text.as_bytes(), "demo")?;
    }
}
