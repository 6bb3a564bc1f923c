//! Secrets and numbers of people that are withheld, the ordinary queries beside them that are not, and text
//! that is made to take long.

use super::*;

#[test]
fn values_are_withheld_after_what_announces_them() {
    for (text, expected) in [
        ("Authorization: Token abcdefghijkl", "Authorization:"),
        ("Authorization: Custom abcdefghijkl now", "Authorization: now"),
        ("authorization:Token abcdefghijkl now", "now"),
        ("password is: Tr0ub4dor", "password is:"),
        ("password is Tr0ub4dor", "password is"),
        ("password is = Tr0ub4dor", "password is ="),
        ("the password was 'correct horse' then", "the password was then"),
        ("password 'Tr0ub4dor&3'", "password"),
        ("password is:Tr0ub4dor x", "password x"),
        ("password: = hunter x", "password: = x"),
        ("password: \"correct horse", "password:"),
        ("Cookie: a=b; c=correcthorse x", "Cookie: x"),
        ("Authorization: Digest a=\"b\", c=\"correcthorse\" x", "Authorization: x"),
        ("pass: hunter2", "pass:"),
        ("pw=hunter2 x", "x"),
        ("putty -pw hunter2", "putty -pw"),
        ("auth: abcdefghijkl", "auth:"),
        ("auth:abcdefghijkl x", "x"),
        ("session_id=abcdefgh x", "x"),
        ("JSESSIONID=abcdefgh x", "x"),
        ("PHPSESSID: abcdefgh", "PHPSESSID:"),
        ("пароль=абвгд x", "x"),
        ("Пароль: абвгд", "Пароль:"),
        ("contraseña: caballo", "contraseña:"),
        ("密码：hunter x", "x"),
        ("我的密码: hunter", "我的密码:"),
        ("mot de passe: soleil", "mot de passe:"),
        ("mot de passe : soleil", "mot de passe :"),
        ("ssh-rsa AAAAabc jane@laptop x", "ssh-rsa x"),
        ("a - ----BEGIN PRIVATE KEY----- b - ----END PRIVATE KEY----- c", "a c"),
        ("a ---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ---- b", "a"),
    ] {
        let query = Query::from_search(text).unwrap();
        assert_eq!(query.as_str(), expected, "{text:?}");
        assert!(query.withheld() > 0, "{text:?}");
    }
}

#[test]
fn marks_addresses_and_numbers_are_withheld() {
    for secret in [
        "https://hooks.slack.com/services/T000/B000/abc",
        "https://discord.com/api/webhooks/123/abc",
        "https://discord.com/api/v10/webhooks/123/abc",
        "hvs.abcdefgh",
        "dop_v1_abc",
        "sk_prod_abc",
        "pk_test_abc",
        "pk_live_abc",
        "SG.abc.def",
        "4111111111111111",
        "4111-1111-1111-1111",
        "4111 1111 1111 1111",
        "4111 1111 1111 1",
        "3782 822463 10005",
        "4111111111111",
        "DE89370400440532013000",
        "GB29 NWBK 6016 1331 9268 19",
        "FR14 2004 1010 0505 0001 3M02 606",
        "123-45-6789",
        "123 45 6789",
        "jane.doe@example.com",
        "jane@10.0.0.1",
        "/home/jane/notes.txt",
        "C:\\Users\\Jane\\x.pdf",
    ] {
        assert_eq!(Query::from_search(secret), None, "{secret}");
        for text in [format!("rotate {secret}, please"), format!("rotate ({secret}) please")] {
            let query = Query::from_search(&text).unwrap();
            assert_eq!((query.as_str(), query.withheld() > 0), ("rotate please", true), "{text}");
            assert_eq!(task(&text).as_deref(), Some("rotate"), "{text}");
        }
    }
}

#[test]
fn ordinary_queries_are_sent() {
    for text in [
        "auth flow",
        "auth: how",
        "password reset",
        "password is required",
        "token bucket",
        "api key rotation",
        "session management",
        "session id regeneration",
        "pass through",
        "bypass: firewall",
        "mot de passe oublié",
        "пароль сброс",
        "package@1.2.3 upgrade",
        "ssh-rsa keys",
        "authorization header",
        "http 500 502 503 504",
        "2026-11-30 10:15",
        "py39compatibility",
        "-- BEGIN transaction",
        "discord webhooks",
        "MSG.field.name",
        "slack hooks.slack.com",
    ] {
        let query = Query::from_search(text).unwrap_or_else(|| panic!("{text} is withheld"));
        assert_eq!((query.as_str(), query.withheld()), (text, 0));
    }
}

#[test]
fn long_texts_take_no_longer_than_their_beginning() {
    let parts = ["=", "=>", ":", "\"", "'", "\u{fdfa}", "a=", "password=!", "-", "@", "1", "1 ", "-BEGIN "];
    for part in parts {
        let text = part.repeat(200_000);
        let query = Query::from_search(&text);
        assert!(query.is_none_or(|query| query.as_str().encode_utf16().count() <= 128), "{part}");
        Query::from_task(&text);
    }
}

#[test]
fn pairs_are_found_in_linear_time() {
    // Not cut short here: what counts is that a run of separators is passed over once.
    for part in ["=", "=>", ":", "::>", "\"=", "a=", "auth:!", "ghp", "@", "\u{fdfa}"] {
        let redacted = redact(&part.repeat(60_000));
        assert!(redacted.text.len() <= 1 + part.len() * 60_000, "{part}");
    }
}

#[test]
fn the_end_of_a_text_that_is_cut_is_not_sent() {
    let filler = " ".repeat(MAX_TEXT - 12);
    assert_eq!(search(&format!("{filler}me:correcthorse@host")), None);
    assert_eq!(search(&format!("read{filler}me:correcthorse@host")), None);
    let filler = "pdf ".repeat(MAX_TEXT / 4);
    assert_eq!(task(&format!("{filler} and more")).as_deref(), Some("pdf"));
}
