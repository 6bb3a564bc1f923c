//! Runs the target `skill_path` of tests/it/fuzzing/targets.rs under cargo-fuzz.

#![no_main]
#![allow(dead_code, reason = "each file runs one of the targets")]

#[path = "../../tests/it/fuzzing/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::path(bytes));
