//! Where candidates come from.
//!
//! Skill folders on this machine ([`local`]) and the skills that come with the release are read without a
//! network. [`remote`] asks skills.sh and GitHub, [`embed`] an endpoint that turns texts into vectors. Settings,
//! folders, variables and the client arrive as arguments.

pub mod embed;
pub mod folder;
pub mod found;
mod github;
mod handle;
mod lenient;
pub mod local;
pub mod remote;
pub mod roots;
mod skills_sh;
pub mod stored;
mod survey;
pub mod trace;
mod walk;
