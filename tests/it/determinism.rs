//! The same inputs give the same bytes, whatever the locale and however the threads run.

use crate::context::{TestContext, add_skill};

#[test]
fn two_runs_print_the_same_bytes_in_every_locale() {
    let context = TestContext::new();
    for index in 0..200 {
        let description = format!("Reads İstanbul çalışma files and PDF number {}.", index % 7);
        add_skill(&context.user_root(), &format!("pdf-{index}"), &description);
        add_skill(&context.project_root(), &format!("pdf-{}", index * 2), &description);
    }
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["catalog", "read the PDF of ISTANBUL in a file"],
        &["explain", "--all", "--json", "read the PDF in a file"],
        &["status"],
        &["config", "list"],
    ] {
        let run = |locale: &str| {
            let mut command = context.command();
            command.env("LANG", locale).env("LC_ALL", locale).args(arguments).output().unwrap()
        };
        let first = run("C");
        assert!(first.status.success() && !first.stdout.is_empty(), "{arguments:?}: {first:?}");
        for locale in ["C", "cs_CZ.UTF-8", "tr_TR.UTF-8"] {
            assert!(run(locale).stdout == first.stdout, "{arguments:?} under {locale}");
        }
    }
}
