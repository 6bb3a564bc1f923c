//! What is sent and what is withheld, by table and by property.

mod withheld;

use proptest::prelude::*;

use super::*;

fn search(text: &str) -> Option<String> {
    Query::from_search(text).map(|query| query.as_str().to_owned())
}

fn task(text: &str) -> Option<String> {
    Query::from_task(text).map(|query| query.as_str().to_owned())
}

#[test]
fn queries_by_example() {
    for (text, expected) in [
        ("", None),
        (" \t\n", None),
        ("  PDF\u{3000}reader \n now", Some("PDF reader now")),
        ("ＰＤＦ", Some("PDF")),
        ("zero\u{200b}width", Some("zerowidth")),
        ("画像を切り抜く", Some("画像を切り抜く")),
        ("use ghp_abc to read", Some("use to read")),
        ("ghp_abc", None),
    ] {
        assert_eq!(search(text).as_deref(), expected, "{text:?}");
    }
    assert_eq!(search(&"a".repeat(200)).unwrap().len(), 128);
    assert_eq!(search(&"a ".repeat(200)).unwrap(), "a ".repeat(64).trim_end());
    // 127 units, and a character of two does not fit.
    let long = format!("{}\u{1f600}", "x".repeat(127));
    assert_eq!(search(&long).unwrap(), "x".repeat(127));
    assert_eq!(Query::from_search("a ghp_abc b glpat-xyz").unwrap().withheld(), 2);
}

#[test]
fn tasks_become_words() {
    for (text, expected) in [
        ("Please help me to read the PDF!", Some("read pdf")),
        ("the of and", None),
        ("Merge, merge and MERGE two files", Some("merge two files")),
        ("x ab", Some("ab")),
        ("分析 PDF 文档", Some("分析 pdf 文档")),
        ("mail jane.doe@example.com about invoices", Some("mail invoices")),
        ("open /home/jane/secret-project/x.pdf and rotate", Some("open rotate")),
        ("open C:\\Users\\Jane\\x.pdf", Some("open")),
        ("open ./docs/guide.md", Some("open docs guide md")),
    ] {
        assert_eq!(task(text).as_deref(), expected, "{text:?}");
    }
    let long = format!("{} short", "y".repeat(33));
    assert_eq!(task(&long).as_deref(), Some("short"));
    let many = (10..40).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
    assert_eq!(task(&many).unwrap().split(' ').count(), 12);
    assert!(STOP_WORDS.is_sorted());
}

/// Secrets of every shape, none of a real account.
fn secrets() -> Vec<(String, &'static str)> {
    let tail = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6";
    let mut secrets: Vec<(String, &str)> = Vec::new();
    for start in ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "npm_", "hf_", "glpat-", "pypi-"] {
        secrets.push((format!("{start}{tail}"), tail));
    }
    for start in ["sk-", "sk-ant-api03-", "sk_live_", "xoxb-1234-", "AIza"] {
        secrets.push((format!("{start}{tail}"), tail));
    }
    let whole = |text: &'static str| (text.to_owned(), text);
    secrets.extend([
        whole("sk-abcdef1234567890abcd"),
        whole("AKIAIOSFODNN7EXAMPLE"),
        whole("ASIAABCDEFGHIJKLMNOP"),
        whole("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"),
        whole("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        whole("0123456789abcdef0123456789abcdef"),
        whole("550e8400-e29b-41d4-a716-446655440000"),
        whole("q7w3e9r1t5y8"),
        whole("correcthorse81273"),
        whole("hunter2secret"),
        whole("mypassw0rd123"),
        ("postgres://admin:correcthorse@db.example.com/x".to_owned(), "correcthorse"),
        ("https://correcthorsebattery@github.com/o/r".to_owned(), "correcthorsebattery"),
        ("password=correcthorse".to_owned(), "correcthorse"),
        ("mykey=correcthorse".to_owned(), "correcthorse"),
        ("PASSWORD: correcthorse".to_owned(), "correcthorse"),
        ("token : correcthorse".to_owned(), "correcthorse"),
        ("api_key => 'correct horse battery'".to_owned(), "correct horse battery"),
        (r#"{"client_secret":"correcthorse"}"#.to_owned(), "correcthorse"),
        (r#""password": "correcthorse battery""#.to_owned(), "correcthorse battery"),
        ("--password correcthorse".to_owned(), "correcthorse"),
        ("curl -u jane:correcthorse".to_owned(), "correcthorse"),
        ("Authorization: Bearer correcthorsebattery".to_owned(), "correcthorsebattery"),
        ("my password is Correct-Horse".to_owned(), "Correct-Horse"),
        (
            "-----BEGIN RSA PRIVATE KEY----- correcthorse battery -----END RSA PRIVATE KEY-----".to_owned(),
            "correcthorse battery",
        ),
        ("-----BEGIN PRIVATE KEY-----\ncorrecthorse".to_owned(), "correcthorse"),
    ]);
    secrets
}

/// Whether a part of `secret` of 8 characters stands in `text`.
fn leaks(text: &str, secret: &str) -> bool {
    let (text, secret) = (text.to_lowercase(), secret.to_lowercase());
    let characters: Vec<char> = secret.chars().collect();
    characters.windows(8.min(characters.len())).any(|part| text.contains(&part.iter().collect::<String>()))
}

#[test]
fn secrets_are_withheld_wherever_they_stand() {
    for (planted, secret) in secrets() {
        for text in [
            planted.clone(),
            format!("rotate {planted} now"),
            format!("rotate ({planted}), now"),
            format!("rotate `{planted}` now"),
            format!("URL=https://x.example/?q={planted}"),
            format!("使用 {planted} 读取"),
            format!("invisible\u{200b} {}", planted.replace("Bc", "B\u{200b}c")),
        ] {
            for query in [Query::from_search(&text), Query::from_task(&text)].into_iter().flatten() {
                assert!(!leaks(query.as_str(), secret), "{text:?} sends {:?}", query.as_str());
                assert!(query.withheld() > 0, "{text:?}");
            }
        }
    }
    // Without spaces around it, in text of another script.
    for (planted, secret) in secrets().into_iter().take(16) {
        let query = Query::from_search(&format!("请使用{planted}读取")).unwrap();
        assert!(!leaks(query.as_str(), secret), "{planted}");
        assert_eq!(query.as_str(), "请使用 读取");
    }
}

#[test]
fn ordinary_words_are_sent() {
    for word in [
        "sha256",
        "kubernetes",
        "base64",
        "x86_64",
        "utf8",
        "python3",
        "iso8601",
        "gpt4",
        "oauth2",
        "log4shell",
        "README2",
        "task-management",
        "risk-assessment-report",
        "k8sdeployment",
        "i18n",
        "base64encoding",
        "kubernetes2024",
        "x509certificate",
        "convertUtf8ToBase64String",
        "KubernetesDeploymentManager",
        "C++",
        "node.js",
        "docker-compose.yml",
        "next-auth",
        "keyboard",
        "tokenizer",
        "secret-scanning",
        "password-manager",
        "api-key-rotation",
        "react-18-migration",
        "2026-11-30",
        "https://github.com/anthropics/skills",
        "owner/repo@pdf-reader",
        "@scope/package",
        "x86_64-unknown-linux-gnu",
        "sk-learn",
        "npm_config_registry",
        "pypi-publishing-workflow-helper",
        "src/components/Button2/index.tsx",
        "16:9",
        "key:value",
        "localhost:8080",
    ] {
        let query = Query::from_search(word).unwrap_or_else(|| panic!("{word} is withheld"));
        assert_eq!((query.as_str(), query.withheld()), (word, 0));
    }
    for text in ["bearer token authentication", "the password is required", "basic authentication with nginx"]
    {
        assert_eq!(search(text).as_deref(), Some(text));
    }
}

/// Characters of three kinds in turn, which no words have.
fn random(kinds: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(any::<prop::sample::Index>(), 20..60).prop_map(move |picks| {
        let pick = |(at, index): (usize, &prop::sample::Index)| {
            let kind = kinds[at % kinds.len()].as_bytes();
            char::from(kind[index.index(kind.len())])
        };
        picks.iter().enumerate().map(pick).collect()
    })
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

fn any_secret() -> impl Strategy<Value = (String, String)> {
    let marks = prop::sample::select(vec![
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "github_pat_",
        "sk-",
        "sk-ant-",
        "sk_live_",
        "AIza",
        "xoxb-",
        "npm_",
        "pypi-",
        "glpat-",
        "hf_",
        "mykey=",
        "x:",
    ]);
    let names = prop::sample::select(vec![
        "password=",
        "DB_PASSWORD=",
        "token: ",
        "api_key = ",
        "Bearer ",
        "--token ",
        "access_token:",
        "\"secret\": ",
    ]);
    prop_oneof![
        (marks, random(&[LOWER, UPPER, DIGITS])).prop_map(|(mark, tail)| (format!("{mark}{tail}"), tail)),
        (names, "[a-zA-Z0-9!%&+./_-]{8,40}").prop_map(|(name, value)| (format!("{name}x{value}"), value)),
        random(&[LOWER, DIGITS]).prop_map(|secret| (secret.clone(), secret)),
        random(&[UPPER, LOWER]).prop_map(|secret| (secret.clone(), secret)),
        "[0-9a-f]{31,64}".prop_map(|hex| (format!("0{hex}"), hex)),
        "(AKIA|ASIA)[A-Z0-9]{16}".prop_map(|id| (id.clone(), id)),
        "eyJ[A-Za-z0-9_-]{20}7\\.[A-Za-z0-9_-]{30}\\.[A-Za-z0-9_-]{30}".prop_map(|jwt| (jwt.clone(), jwt)),
        "[a-z]{8,20}".prop_map(|word| (format!("ftp://me:{word}@host/x"), word)),
    ]
}

proptest! {
    #[test]
    fn no_planted_secret_is_sent(
        (planted, secret) in any_secret(),
        before in prop::sample::select(vec!["", "rotate ", "fix (", "读取", "a, b; "]),
        after in prop::sample::select(vec!["", " now", ") please", "\nthen stop"]),
    ) {
        let text = format!("{before}{planted}{after}");
        for query in [Query::from_search(&text), Query::from_task(&text)].into_iter().flatten() {
            prop_assert!(!leaks(query.as_str(), &secret), "{} sends {}", text, query.as_str());
        }
    }

    #[test]
    fn queries_are_bounded_and_clean(text in "\\PC{0,300}") {
        for query in [Query::from_search(&text), Query::from_task(&text)].into_iter().flatten() {
            let sent = query.as_str();
            prop_assert!(sent.encode_utf16().count() <= 128);
            prop_assert!(!sent.is_empty() && sent.trim() == sent && !sent.contains("  "));
        }
    }
}
