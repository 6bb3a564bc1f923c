//! Failures of hosts, of fetching and of the store, each with its kind and hint.

use super::{ErrorKind, io_hint, moment};
use crate::{
    fetch::error::{FailureClass, FetchError},
    http::{Forbidden, HttpError, RateScope},
    skill::time::UnixMillis,
    store::{StoreError, models::ModelsError},
};

/// What helps against a certificate that is not trusted.
const CERTIFICATES: &str =
    "name the certificates to trust in SSL_CERT_FILE; a connection is never made without";

/// The kind of a request that gave nothing.
pub(in crate::commands) fn network_kind(error: &HttpError) -> ErrorKind {
    match error {
        HttpError::BadAddress { .. } => ErrorKind::Usage,
        HttpError::Offline { .. } => ErrorKind::Offline,
        HttpError::RateLimited { .. } => ErrorKind::RateLimited,
        HttpError::Unauthorised { .. } | HttpError::Forbidden { reason: Forbidden::SingleSignOn, .. } => {
            ErrorKind::Unauthorised
        }
        HttpError::Forbidden { .. } | HttpError::Blocked { .. } => ErrorKind::Refused,
        HttpError::NotFound { .. } => ErrorKind::NotFound,
        HttpError::Sink { .. } => ErrorKind::LocalIo,
        _ => ErrorKind::Network,
    }
}

/// What a person can do about a request that gave nothing.
pub(in crate::commands) fn network_hint(error: &HttpError) -> Option<String> {
    classify_http(error).1
}

pub(super) fn classify_http(error: &HttpError) -> (ErrorKind, Option<String>) {
    let hint = match error {
        HttpError::BadAddress { .. } => "give an https address, or http on this machine only".to_owned(),
        HttpError::Offline { .. } => "leave out --offline".to_owned(),
        HttpError::RateLimited { scope, authenticated, retry_at_ms, .. } => {
            let when = moment::rfc3339(UnixMillis(*retry_at_ms));
            match (scope, authenticated) {
                (RateScope::Primary, false) => format!(
                    "requests are free again at {when}; with a token in GITHUB_TOKEN the limit is far higher"
                ),
                _ => format!("try again at {when}"),
            }
        }
        HttpError::Unauthorised { token_sent: true, .. } => {
            "the token in GITHUB_TOKEN or GH_TOKEN is refused; renew it, or unset it".to_owned()
        }
        HttpError::Unauthorised { token_sent: false, .. } => {
            "set GITHUB_TOKEN, for instance: export GITHUB_TOKEN=$(gh auth token)".to_owned()
        }
        HttpError::Forbidden { reason: Forbidden::SingleSignOn, .. } => {
            "allow the token for the organisation's single sign-on in GitHub's settings".to_owned()
        }
        HttpError::Forbidden { reason: Forbidden::TooLarge, .. } => {
            "the API serves nothing that large; to fetch it with git, add: --transport git".to_owned()
        }
        HttpError::Forbidden { reason: Forbidden::Other, .. } => {
            "the token may lack a right, or there is none: see GITHUB_TOKEN; what is stored stays usable"
                .to_owned()
        }
        HttpError::Forbidden { .. } | HttpError::Blocked { .. } => {
            "the host decides this; a copy that is stored stays usable".to_owned()
        }
        HttpError::Tls { .. } => CERTIFICATES.to_owned(),
        HttpError::NotJson { .. } => {
            "something between here and the host answers in its place: a proxy or a sign-in page?".to_owned()
        }
        HttpError::Redirect { .. } => "set the address of the host itself, without redirects".to_owned(),
        HttpError::NotFound { .. } => "check the owner, the repository and what the token may see".to_owned(),
        HttpError::Sink { source, .. } => return (ErrorKind::LocalIo, io_hint(source)),
        HttpError::Timeout { .. } => {
            "try again when the connection is better; --offline uses what is stored".to_owned()
        }
        HttpError::TooLarge { .. } | HttpError::Protocol { .. } => {
            "no good answer looks like that; check the host's address, and any proxy before it".to_owned()
        }
        HttpError::Json { .. } | HttpError::Conflict { .. } | HttpError::Unprocessable { .. } => {
            "the host speaks another language than its API; check its address".to_owned()
        }
        HttpError::MissingCached304 { .. } => {
            "try again; if it stays so, forget what is kept: skillflux discovery-cache clean".to_owned()
        }
        HttpError::Server { .. } | HttpError::Status { .. } => {
            "the host has a problem of its own; try again later, --offline uses what is stored".to_owned()
        }
        _ => "check the connection, and try again; --offline uses what is stored".to_owned(),
    };
    (network_kind(error), Some(hint))
}

pub(super) fn classify_fetch(error: &FetchError) -> (ErrorKind, Option<String>) {
    if let FetchError::Http(http) = error {
        return classify_http(http);
    }
    let kind = match error.class() {
        FailureClass::NotFound => ErrorKind::NotFound,
        FailureClass::Usage => ErrorKind::Usage,
        FailureClass::Refused => ErrorKind::Refused,
        FailureClass::Integrity => ErrorKind::Integrity,
        FailureClass::Network => ErrorKind::Network,
        FailureClass::Unauthorised => ErrorKind::Unauthorised,
        FailureClass::LocalIo => ErrorKind::LocalIo,
    };
    (kind, fetch_hint(error, kind))
}

fn fetch_hint(error: &FetchError, kind: ErrorKind) -> Option<String> {
    let hint = match error {
        FetchError::Refused { code: code @ ("tree_symlink" | "tree_submodule" | "lfs_pointer"), .. } => {
            format!("to mount without such files, add: --allow {code}")
        }
        FetchError::NotASkill { diagnostic } => {
            format!("nothing was stored; the skill's author should {}", diagnostic.code.remedy())
        }
        FetchError::Refused { code: "file_too_large", .. } => {
            "nothing was written; the skill's author should move long parts into other files".to_owned()
        }
        FetchError::Refused { .. } => {
            "nothing was written; ask the skill's author to rename the file".to_owned()
        }
        FetchError::TooManyFiles { limit } => {
            format!("raise the limit: skillflux config set maxSkillFiles {}", limit.saturating_mul(2))
        }
        FetchError::TooLarge { limit } => {
            format!("raise the limit: skillflux config set maxSkillBytes {}", limit.saturating_mul(2))
        }
        FetchError::Unreachable { .. } => {
            "name a branch or tag instead, or add --allow-unreachable if you know the commit".to_owned()
        }
        FetchError::IdentityChanged { .. } => {
            "somebody else may have taken the name. If you trust who has it now, search again, and remove what is \
             stored of the old one: skillflux cache list"
                .to_owned()
        }
        FetchError::RepositoryNotFound { .. } => {
            "check the spelling; a private repository needs a token in GITHUB_TOKEN".to_owned()
        }
        FetchError::EmptyRepository { .. } => "there is nothing to mount until somebody commits".to_owned(),
        FetchError::RefNotFound { .. } | FetchError::BadReference { .. } => {
            "leave out the part after `@` for the default branch".to_owned()
        }
        FetchError::AmbiguousRef { .. } => "put `heads/` or `tags/` before the name after `@`".to_owned(),
        FetchError::SkillNotFound { repository, .. } => {
            format!("search for it: skillflux search {}", repository.name())
        }
        FetchError::Ambiguous { .. } => "give one of these instead of the name".to_owned(),
        FetchError::NameNeedsPath { repository, .. } | FetchError::TooManyHeaders { repository, .. } => format!("name its folder: skillflux mount {repository}//FOLDER"),
        FetchError::BadObject { .. } => {
            "nothing was stored; tell the repository's owner what git finds wrong with it".to_owned()
        }
        FetchError::Blocked { .. } | FetchError::RepositoryDisabled { .. } => {
            "the host decides this; a copy that is stored stays usable".to_owned()
        }
        FetchError::TreeTooLarge { .. } => "name the skill's own folder, or add: --transport git".to_owned(),
        FetchError::ObjectFormat { .. } => "only repositories with SHA-1 ids can be mounted yet".to_owned(),
        FetchError::GitTls { .. } => CERTIFICATES.to_owned(),
        FetchError::GitMoved { .. } => "ask for it by its new name, or add: --transport api".to_owned(),
        FetchError::GitMissing { .. } => "install git, or add --transport api".to_owned(),
        FetchError::GitUnauthorised { .. } => "set GITHUB_TOKEN to a token that may read it".to_owned(),
        FetchError::Io { source, .. } => return io_hint(source),
        _ if kind == ErrorKind::Integrity => {
            "nothing was stored; try again, and tell the repository's owner if it happens again".to_owned()
        }
        _ => "check the connection, and try again; --offline uses what is stored".to_owned(),
    };
    Some(hint)
}

/// What an error is about, one by one.
pub(super) fn fetch_details(error: &FetchError) -> Vec<String> {
    match error {
        FetchError::Ambiguous { places, .. } => places.clone(),
        FetchError::SkillNotFound { similar, .. } => similar.clone(),
        _ => Vec::new(),
    }
}

pub(super) fn classify_models(error: &ModelsError) -> (ErrorKind, Option<String>) {
    let layouts = "run `skillflux help model add` for the folders that are taken";
    let (kind, hint) = match error {
        ModelsError::Store(error) => return classify_store(error),
        ModelsError::NoModel { .. } | ModelsError::NoneAdded => (ErrorKind::NotFound, layouts.to_owned()),
        ModelsError::Unusable { .. } => (ErrorKind::Refused, layouts.to_owned()),
        ModelsError::Exists(name) => (
            ErrorKind::Refused,
            format!("add it under another --name, or remove that one: skillflux model remove {name}"),
        ),
        ModelsError::Unknown(_) | ModelsError::NoneChosen => {
            (ErrorKind::NotFound, "run `skillflux model list` for the models that are there".to_owned())
        }
        ModelsError::Damaged { name, .. } => {
            (ErrorKind::Integrity, format!("add it again after: skillflux model remove {name}"))
        }
    };
    (kind, Some(hint))
}

pub(super) fn classify_store(error: &StoreError) -> (ErrorKind, Option<String>) {
    let (kind, hint) = match error {
        StoreError::Io { source, .. } => return (ErrorKind::LocalIo, io_hint(source)),
        StoreError::Foreign { path } => {
            (ErrorKind::LocalIo, format!("move `{}` out of the cache", path.display()))
        }
        StoreError::Damaged { digest, .. } => {
            let id = digest.to_string();
            let short = id.get(..12).unwrap_or(&id).to_owned();
            let hint = format!(
                "fetch it again: skillflux load sha256:{short} (or remove it: skillflux cache clean sha256:{short})"
            );
            (ErrorKind::Integrity, hint)
        }
        StoreError::Interrupted => (ErrorKind::Interrupted, "nothing is left half-done".to_owned()),
        StoreError::Busy { .. } => {
            (ErrorKind::LocalIo, "other processes use the cache; try again".to_owned())
        }
        StoreError::NewerFormat { .. } => {
            (ErrorKind::LocalIo, "use the newer release of skillflux, or another SKILLFLUX_HOME".to_owned())
        }
        StoreError::Invalid { file, .. } => {
            (ErrorKind::LocalIo, format!("look at `{}` and move it away", file.display()))
        }
        StoreError::TooLarge { .. } => {
            (ErrorKind::LocalIo, "end sessions that are over: skillflux unmount --session ID".to_owned())
        }
        StoreError::NotFound(_) => {
            (ErrorKind::NotFound, "run `skillflux cache list` for what is stored".to_owned())
        }
        StoreError::Ambiguous { .. } => (ErrorKind::Usage, "write more of its digits".to_owned()),
        StoreError::Exists(folder) => {
            (ErrorKind::Refused, format!("remove `{}`, or mount elsewhere with --to DIR", folder.display()))
        }
        StoreError::NotAView(_) => {
            (ErrorKind::NotFound, "skillflux removes only folders that it made".to_owned())
        }
        StoreError::NotStagedHere(_) => {
            let hint = "this is a defect in skillflux; please report it with the command";
            (ErrorKind::Internal, hint.to_owned())
        }
    };
    (kind, Some(hint))
}
