//! Where candidates come from.
//!
//! This release has two sources: skill folders on this machine ([`local`]) and the skills that come
//! with it. Both are read without a network. Settings, folders and variables arrive as arguments.

pub mod folder;
mod handle;
pub mod local;
pub mod roots;
mod survey;
mod walk;
