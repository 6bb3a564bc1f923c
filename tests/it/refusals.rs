//! Each way in which GitHub refuses or fails, told apart by exit code, code, text and hint.

use std::thread;

use serde_json::Value;

use crate::{
    online::{Online, TIDE, TIDES, tides},
    proof::{assert_nothing_kept, bounded, steady},
    servers::{
        github::{Canned, Refusal, now_seconds},
        skills_sh::Listing,
        wire::Answer,
    },
};

/// Text without moments, which differ from run to run.
fn timeless(text: &str) -> String {
    let word = |word: &str| {
        let moment = word.trim_end_matches(';');
        let is_moment = moment.len() == 20 && moment.ends_with('Z') && moment.as_bytes()[4] == b'-';
        if is_moment { word.replace(moment, "[TIME]") } else { word.to_owned() }
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    steady(text).lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What a mount says when GitHub answers `canned` for what begins with `path`.
fn told(canned: Canned, path: &str, with_token: bool) -> String {
    let online = Online::new(vec![tides()], Vec::new());
    online.github.override_path("GET", &format!("/repos/{TIDES}{path}"), canned);
    let mut command = if with_token { online.command() } else { online.anonymous() };
    command.args(["mount", "--yes", "--json", "--transport", "api", TIDE]);
    let (ran, _) = bounded(&online.context, &mut command);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_nothing_kept(&online, path);
    format!("{}, exit code {}\n{}", document["code"].as_str().unwrap(), ran.code, timeless(&ran.stderr))
}

/// What `tell` says of each refusal, in their order; several are asked side by side, for some are retried.
fn each<T: Send>(refusals: &[Refusal], tell: impl Fn(Refusal) -> T + Sync) -> Vec<T> {
    let mut told = Vec::new();
    for chunk in refusals.chunks(7) {
        thread::scope(|scope| {
            let asked: Vec<_> = chunk.iter().map(|refusal| scope.spawn(|| tell(*refusal))).collect();
            told.extend(asked.into_iter().map(|asked| asked.join().unwrap()));
        });
    }
    told
}

#[test]
#[expect(clippy::too_many_lines, reason = "the snapshot is the test")]
fn each_refusal_of_a_repository_has_its_own_text() {
    let tell =
        |refusal: Refusal| format!("# {refusal:?}\n{}\n\n", told(refusal.canned(now_seconds()), "", true));
    let mut all = each(Refusal::ALL, tell).concat();
    let html = Answer::new(200, "text/html; charset=utf-8", "<!doctype html><p>Sign in to the airport.</p>");
    all += &format!("# a page for people\n{}\n", told(html.into(), "", true));
    insta::assert_snapshot!(all, @r#"
    # BadCredentials
    unauthorised, exit code 8
    error: the host gave no usable answer
      caused by: `[HOST]` refuses the request without a valid token

    hint: the token in GITHUB_TOKEN or GH_TOKEN is refused; renew it, or unset it

    # NotAccessible
    forbidden, exit code 5
    error: the host gave no usable answer
      caused by: `[HOST]` forbids this: Resource not accessible by personal access token

    hint: the token may lack a right, or there is none: see GITHUB_TOKEN; what is stored stays usable

    # NoUserAgent
    forbidden, exit code 5
    error: the host gave no usable answer
      caused by: `[HOST]` forbids this: Request forbidden by administrative rules. Please make sure your request has a User-Agent header.

    hint: the token may lack a right, or there is none: see GITHUB_TOKEN; what is stored stays usable

    # PrimaryLimitAnonymous
    rate_limit_primary, exit code 7
    error: the host gave no usable answer
      caused by: no request is left in the rate limit of `[HOST]`

    hint: try again at [TIME]

    # PrimaryLimitToken
    rate_limit_primary, exit code 7
    error: the host gave no usable answer
      caused by: no request is left in the rate limit of `[HOST]`

    hint: try again at [TIME]

    # PrimaryLimit429
    rate_limit_primary, exit code 7
    error: the host gave no usable answer
      caused by: no request is left in the rate limit of `[HOST]`

    hint: try again at [TIME]

    # SecondaryLimit
    rate_limit_secondary, exit code 7
    error: the host gave no usable answer
      caused by: too many requests at once for the secondary rate limit of `[HOST]`

    hint: try again at [TIME]

    # SecondaryLimitWithoutTime
    rate_limit_secondary, exit code 7
    error: the host gave no usable answer
      caused by: too many requests at once for the secondary rate limit of `[HOST]`

    hint: try again at [TIME]

    # SecondaryLimit429
    rate_limit_secondary, exit code 7
    error: the host gave no usable answer
      caused by: too many requests at once for the secondary rate limit of `[HOST]`

    hint: try again at [TIME]

    # SingleSignOn
    single_sign_on, exit code 8
    error: the host gave no usable answer
      caused by: `[HOST]` forbids this: Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.

    hint: allow the token for the organisation's single sign-on in GitHub's settings

    # TermsOfService
    source_blocked, exit code 5
    error: `quarry-works/tides` is blocked by its host: tos

    hint: the host decides this; a copy that is stored stays usable

    # TakenDown
    source_blocked, exit code 5
    error: `quarry-works/tides` is blocked by its host: dmca

    hint: the host decides this; a copy that is stored stays usable

    # TooLarge
    host_too_large, exit code 5
    error: the host gave no usable answer
      caused by: `[HOST]` forbids this: This API returns blobs up to 100 MB in size. The requested blob is too large to fetch.

    hint: the API serves nothing that large; to fetch it with git, add: --transport git

    # NotFound
    repository_not_found, exit code 1
    error: `[HOST]` has no repository `quarry-works/tides`

    hint: check the spelling; a private repository needs a token in GITHUB_TOKEN

    # EmptyRepository
    conflict, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]`: Git Repository is empty.

    hint: the host speaks another language than its API; check its address

    # NoSuchCommit
    unprocessable, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]` cannot process this: No commit found for SHA: nowhere

    hint: the host speaks another language than its API; check its address

    # Validation
    unprocessable, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]` cannot process this: Validation Failed

    hint: the host speaks another language than its API; check its address

    # ServerError
    host_failed, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]` failed with status 500

    hint: the host has a problem of its own; try again later, --offline uses what is stored

    # BadGatewayHtml
    host_failed, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]` failed with status 502

    hint: the host has a problem of its own; try again later, --offline uses what is stored

    # SearchUnavailable
    host_failed, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]` failed with status 503

    hint: the host has a problem of its own; try again later, --offline uses what is stored

    # a page for people
    http_not_json, exit code 3
    error: the host gave no usable answer
      caused by: `[HOST]` answered with HTML instead of JSON

    hint: something between here and the host answers in its place: a proxy or a sign-in page?
    "#);
}

#[test]
fn each_refusal_on_the_way_ends_a_mount_for_its_own_reason() {
    let tell = |refusal: Refusal| {
        let outcome = |path| {
            let text = told(refusal.canned(now_seconds()), path, true);
            text.lines().next().unwrap_or_default().replace(", exit code ", "=")
        };
        let [commit, tree, blob] = ["/commits", "/git/trees", "/git/blobs"].map(outcome);
        format!("{refusal:?}: {commit} {tree} {blob}")
    };
    // A server that fails is asked again, on which the faults of the wire say more.
    let final_ones: Vec<Refusal> =
        Refusal::ALL.iter().copied().filter(|refusal| refusal.status() < 500).collect();
    insta::assert_snapshot!(each(&final_ones, tell).join("\n"), @r#"
    BadCredentials: unauthorised=8 unauthorised=8 unauthorised=8
    NotAccessible: forbidden=5 forbidden=5 forbidden=5
    NoUserAgent: forbidden=5 forbidden=5 forbidden=5
    PrimaryLimitAnonymous: rate_limit_primary=7 rate_limit_primary=7 rate_limit_primary=7
    PrimaryLimitToken: rate_limit_primary=7 rate_limit_primary=7 rate_limit_primary=7
    PrimaryLimit429: rate_limit_primary=7 rate_limit_primary=7 rate_limit_primary=7
    SecondaryLimit: rate_limit_secondary=7 rate_limit_secondary=7 rate_limit_secondary=7
    SecondaryLimitWithoutTime: rate_limit_secondary=7 rate_limit_secondary=7 rate_limit_secondary=7
    SecondaryLimit429: rate_limit_secondary=7 rate_limit_secondary=7 rate_limit_secondary=7
    SingleSignOn: single_sign_on=8 single_sign_on=8 single_sign_on=8
    TermsOfService: source_blocked=5 source_blocked=5 source_blocked=5
    TakenDown: source_blocked=5 source_blocked=5 source_blocked=5
    TooLarge: host_too_large=5 host_too_large=5 host_too_large=5
    NotFound: ref_not_found=1 not_found=1 not_found=1
    EmptyRepository: repository_empty=1 conflict=3 conflict=3
    NoSuchCommit: ref_not_found=1 unprocessable=3 unprocessable=3
    Validation: ref_not_found=1 unprocessable=3 unprocessable=3
    "#);
}

#[test]
fn a_limit_without_a_token_says_what_a_token_would_do() {
    let text = told(Refusal::PrimaryLimitAnonymous.canned(now_seconds()), "", false);
    insta::assert_snapshot!(text, @r#"
    rate_limit_primary, exit code 7
    error: the host gave no usable answer
      caused by: no request is left in the rate limit of `[HOST]`

    hint: requests are free again at [TIME]; with a token in GITHUB_TOKEN the limit is far higher
    "#);
    let text = told(Refusal::BadCredentials.canned(now_seconds()), "", false);
    insta::assert_snapshot!(text, @r#"
    unauthorised, exit code 8
    error: the host gave no usable answer
      caused by: `[HOST]` refuses the request without a valid token

    hint: set GITHUB_TOKEN, for instance: export GITHUB_TOKEN=$(gh auth token)
    "#);
}

/// Exit code, status, and the report on the source that a search of GitHub alone gives.
fn searched(refusal: Refusal) -> String {
    let online = Online::new(vec![tides()], vec![Listing::new(TIDES, "tide", 300)]);
    online.github.override_path("GET", "/search/code", refusal.canned(now_seconds()));
    let mut command = online.command();
    command.args(["search", "--json", "--source", "github", "tide"]);
    let (ran, _) = bounded(&online.context, &mut command);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let source = &document["sources"][0];
    let detail = timeless(source["detail"].as_str().unwrap_or_default());
    format!("{refusal:?}: {} {}, {detail}", ran.code, document["status"].as_str().unwrap())
}

#[test]
fn each_refusal_of_a_search_has_its_own_status() {
    insta::assert_snapshot!(each(Refusal::ALL, searched).join("\n"), @"
    BadCredentials: 8 unauthorised, `[HOST]` refuses the request without a valid token; the token in GITHUB_TOKEN or GH_TOKEN is refused; renew it, or unset it
    NotAccessible: 3 failed, `[HOST]` forbids this: Resource not accessible by personal access token
    NoUserAgent: 3 failed, `[HOST]` forbids this: Request forbidden by administrative rules. Please make sure your request has a User-Agent header.
    PrimaryLimitAnonymous: 7 rate-limited, no request is left in the rate limit of `[HOST]`; try again at [TIME]
    PrimaryLimitToken: 7 rate-limited, no request is left in the rate limit of `[HOST]`; try again at [TIME]
    PrimaryLimit429: 7 rate-limited, no request is left in the rate limit of `[HOST]`; try again at [TIME]
    SecondaryLimit: 7 rate-limited, too many requests at once for the secondary rate limit of `[HOST]`; try again at [TIME]
    SecondaryLimitWithoutTime: 7 rate-limited, too many requests at once for the secondary rate limit of `[HOST]`; try again at [TIME]
    SecondaryLimit429: 7 rate-limited, too many requests at once for the secondary rate limit of `[HOST]`; try again at [TIME]
    SingleSignOn: 8 unauthorised, `[HOST]` forbids this: Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.; allow the token for the organisation's single sign-on in GitHub's settings
    TermsOfService: 3 failed, `[HOST]` blocks this: tos
    TakenDown: 3 failed, `[HOST]` blocks this: dmca
    TooLarge: 3 failed, `[HOST]` forbids this: This API returns blobs up to 100 MB in size. The requested blob is too large to fetch.
    NotFound: 3 failed, `[HOST]` has no `/search/code`
    EmptyRepository: 3 failed, `[HOST]`: Git Repository is empty.
    NoSuchCommit: 3 failed, `[HOST]` cannot process this: No commit found for SHA: nowhere
    Validation: 3 failed, `[HOST]` cannot process this: Validation Failed
    ServerError: 3 failed, `[HOST]` failed with status 500
    BadGatewayHtml: 3 failed, `[HOST]` failed with status 502
    SearchUnavailable: 3 failed, `[HOST]` failed with status 503
    ");
}
