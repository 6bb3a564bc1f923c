//! `unmount`: the folders that `mount` made are removed, and the store may forget what they hold.

use std::process::ExitCode;

use super::{context::Context, failure::MountFailure, session::Session, views};
use crate::{
    cli::{GlobalArgs, UnmountArgs},
    error::ErrorKind,
    output::{
        Output, human,
        wire_remote::{Unmounted, Unmounts},
    },
    store::{Store, StoreError, sessions::MountRecord, view::RemovedView},
};

/// Unmounts what was named, or everything of the session.
pub(super) fn run(args: &UnmountArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let store = context.store();
    let session = match folder_session(args, &context, &store)? {
        Some(session) => session,
        None => Session::of(&context, args.session.as_deref())?,
    };
    let known = store.session(&session.name)?;
    if let Some(note) = known.note {
        let file = store.sessions_folder().join(format!("{}.json", session.name.as_str()));
        let (session, file) = (session.name.as_str().to_owned(), file.display().to_string());
        return Err(MountFailure::SessionUnreadable { session, file, reason: note.to_string() }.into());
    }
    let mounts = known.value.mounts;
    let is_named = |mount: &MountRecord, name: &str| {
        mount.slug.as_str() == name
            || mount.identity.is_some_and(|identity| identity.short() == name)
            || mount.folder == context.environment.current_dir().join(name)
    };
    for name in &args.skill {
        if !mounts.iter().any(|mount| is_named(mount, name)) {
            let session = session.name.as_str().to_owned();
            return Err(MountFailure::NotMounted { name: name.clone(), session }.into());
        }
    }
    let is_wanted =
        |mount: &&MountRecord| args.skill.is_empty() || args.skill.iter().any(|name| is_named(mount, name));
    let mut unmounted = Vec::new();
    for mount in mounts.iter().filter(is_wanted) {
        unmounted.push(unmount(&store, &session, mount, args.force)?);
    }
    if args.skill.is_empty() {
        // The session is over, and so is what was agreed to, offered or loaded for it.
        store.release_session(&session.name)?;
        if unmounted.iter().all(|mount| mount.kept.is_empty()) {
            store.forget_session(&session.name)?;
        }
    }
    let is_whole = unmounted.iter().all(|mount| mount.kept.is_empty());
    let document =
        Unmounts { schema: "skillflux.unmount/1", session: session.name.as_str().to_owned(), unmounted };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::unmounts(&document))?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ErrorKind::Refused.exit_code().into() })
}

/// The session that has mounted the folder that is named, where no session is.
fn folder_session(args: &UnmountArgs, context: &Context, store: &Store) -> anyhow::Result<Option<Session>> {
    let ([folder], None) = (args.skill.as_slice(), &args.session) else { return Ok(None) };
    if !folder.contains('/') {
        return Ok(None);
    }
    let folder = context.environment.current_dir().join(folder);
    for name in store.session_names()? {
        if store.session(&name)?.value.mounts.iter().any(|mount| mount.folder == folder) {
            return Ok(Some(Session { name, is_named: true }));
        }
    }
    Ok(None)
}

fn unmount(store: &Store, session: &Session, mount: &MountRecord, force: bool) -> anyhow::Result<Unmounted> {
    // A folder that another session uses too, or in which another version lies by now, is not ours to remove.
    let is_ours = store.view(&mount.folder)?.is_none_or(|view| view.digest == mount.digest)
        && !views::is_shared(store, &session.name, &mount.folder)?;
    let removed = if is_ours { store.remove_view(&mount.folder, force) } else { Ok(RemovedView::default()) };
    let kept = match removed {
        Ok(removed) => removed.kept,
        // Somebody removed it before; what is left to do is to forget it.
        Err(StoreError::NotAView(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    if kept.is_empty() {
        views::release(store, mount)?;
        store.update_session(&session.name, |session| {
            session.mounts.retain(|known| known.folder != mount.folder);
        })?;
    }
    Ok(Unmounted {
        name: mount.slug.to_string(),
        folder: mount.folder.display().to_string(),
        removed: is_ours,
        kept: kept.iter().map(|path| mount.folder.join(path).display().to_string()).collect(),
    })
}
