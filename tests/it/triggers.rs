//! `eval triggers`: a skill tried with the prompts that its author wrote beside it.

use std::fs;

use insta::assert_snapshot;

use crate::context::{Ran, TestContext, add_skill, write};

const PROMPTS: &str = r#"[
  {"query": "extract the tables of this PDF file", "should_trigger": true, "note": "easy"},
  {"query": "read the invoice scans of this month", "should_trigger": true},
  {"query": "draw a chart of the invoice data in this CSV", "should_trigger": false},
  {"query": "merge two PDF files into a booklet", "should_trigger": false}
]"#;

/// A skill of its own, three skills that a catalog may have, and a trigger file.
fn context(file: &str, prompts: &str) -> TestContext {
    let context = TestContext::new();
    let skill = context.project().join("pdf-tables");
    add_skill(&context.project(), "pdf-tables", "Extracts the tables of PDF files.");
    write(&skill.join(file), prompts);
    for (name, description) in [
        ("csv-chart", "Draws charts of CSV data."),
        ("commit-message", "Writes messages of git commits."),
        ("scan-reader", "Reads scans of letters and of an invoice."),
    ] {
        add_skill(&context.user_root(), name, description);
    }
    context
}

fn triggers(context: &TestContext, more: &[&str]) -> Ran {
    context.run(["eval", "triggers", "./pdf-tables"].iter().chain(more))
}

#[test]
fn prompts_by_what_they_gave_and_what_would_change_it() {
    let context = context("evals/trigger-eval.json", PROMPTS);
    let ran = triggers(&context, &[]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 1
    --- stdout
    pdf-tables against 6 other skills: at most 3 printed, confidence at least 57%
    missed (1)
      not found       read the invoice scans of this month
        `scan-reader` (99%) is printed instead: invoice in about, scans in name and about and headings and prose, read in about
    wrongly fired (1)
      rank  1,  92%   merge two PDF files into a booklet
        because of `files`: 92%, and 69% without it
        because of `pdf`: 92%, and 82% without it
        `Not for booklet, merge, two.` would stop it
    fired (1)
      rank  1,  99%   extract the tables of this PDF file
    tried: the description scored again with what follows in it
      invoice, month
        would fire 2 of 2 (now 1), wrongly 1 of 2 (now 1)
      Not for booklet.
        would fire 1 of 2 (now 1), wrongly 0 of 2 (now 1)
      both
        would fire 2 of 2 (now 1), wrongly 0 of 2 (now 1)
    recall 50% (1/2), precision 50% (1/2), accuracy 50% (2/4)
    --- stderr
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "the whole document is shown")]
fn the_document() {
    let context = context("evals/trigger-eval.json", PROMPTS);
    let ran = triggers(&context, &["--json"]);
    assert_snapshot!(ran.stdout, @r#"
    {
      "schema": "skillflux.eval-triggers/1",
      "skill": "pdf-tables",
      "location": "[PROJECT]/pdf-tables/SKILL.md",
      "files": [
        "[PROJECT]/pdf-tables/evals/trigger-eval.json"
      ],
      "rivals": 6,
      "copies": 0,
      "limit": 3,
      "threshold": 0.57,
      "counts": {
        "fired": 1,
        "missed": 1,
        "wrongly_fired": 1,
        "quiet": 1
      },
      "recall": 0.5,
      "precision": 0.5,
      "accuracy": 0.5,
      "of_other_skills": 0,
      "left_out": 0,
      "problems": [],
      "prompts": [
        {
          "file": "[PROJECT]/pdf-tables/evals/trigger-eval.json",
          "place": ".[0]",
          "prompt": "extract the tables of this PDF file",
          "outcome": "fired",
          "invoked": false,
          "rank": 1,
          "confidence": 0.992,
          "printed": [
            "pdf-tables"
          ],
          "rival": null,
          "causes": [],
          "refusal": null
        },
        {
          "file": "[PROJECT]/pdf-tables/evals/trigger-eval.json",
          "place": ".[1]",
          "prompt": "read the invoice scans of this month",
          "outcome": "missed",
          "invoked": false,
          "rank": null,
          "confidence": 0.0,
          "printed": [
            "scan-reader"
          ],
          "rival": {
            "skill": "scan-reader",
            "location": "[HOME]/.claude/skills/scan-reader/SKILL.md",
            "rank": 1,
            "confidence": 0.992,
            "printed": true,
            "terms": [
              {
                "term": "invoice",
                "fields": [
                  "about"
                ],
                "more": 2.67
              },
              {
                "term": "scans",
                "fields": [
                  "name",
                  "about",
                  "headings",
                  "prose"
                ],
                "more": 1.793
              },
              {
                "term": "read",
                "fields": [
                  "about"
                ],
                "more": 0.707
              }
            ],
            "features": []
          },
          "causes": [],
          "refusal": null
        },
        {
          "file": "[PROJECT]/pdf-tables/evals/trigger-eval.json",
          "place": ".[2]",
          "prompt": "draw a chart of the invoice data in this CSV",
          "outcome": "quiet",
          "invoked": false,
          "rank": null,
          "confidence": 0.0,
          "printed": [
            "csv-chart"
          ],
          "rival": null,
          "causes": [],
          "refusal": null
        },
        {
          "file": "[PROJECT]/pdf-tables/evals/trigger-eval.json",
          "place": ".[3]",
          "prompt": "merge two PDF files into a booklet",
          "outcome": "wrongly-fired",
          "invoked": false,
          "rank": 1,
          "confidence": 0.921,
          "printed": [
            "pdf-tables"
          ],
          "rival": null,
          "causes": [
            {
              "word": "files",
              "less": 0.227,
              "decides": false
            },
            {
              "word": "pdf",
              "less": 0.096,
              "decides": false
            }
          ],
          "refusal": {
            "sentence": "Not for booklet, merge, two.",
            "stops": true
          }
        }
      ],
      "advice": {
        "add": {
          "words": [
            {
              "word": "invoice",
              "prompts": 1,
              "in_body": false,
              "gain": 0.197
            },
            {
              "word": "month",
              "prompts": 1,
              "in_body": false,
              "gain": 0.104
            }
          ],
          "counts": {
            "fired": 2,
            "missed": 0,
            "wrongly_fired": 1,
            "quiet": 1
          }
        },
        "not_for": {
          "sentence": "Not for booklet.",
          "counts": {
            "fired": 1,
            "missed": 1,
            "wrongly_fired": 0,
            "quiet": 2
          }
        },
        "both": {
          "fired": 2,
          "missed": 0,
          "wrongly_fired": 0,
          "quiet": 2
        }
      }
    }
    "#);
}

#[test]
fn what_is_printed_is_what_a_catalog_has() {
    let context = context("evals/trigger-eval.json", PROMPTS);
    let installed = context.user_root().join("pdf-tables");
    fs::rename(context.project().join("pdf-tables"), &installed).unwrap();
    let ran = context.run(["eval", "triggers", installed.to_str().unwrap(), "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    for prompt in document["prompts"].as_array().unwrap() {
        let mut catalog = context.command();
        catalog.env("SKILLFLUX_ROUTER_MODE", "fulltext");
        let output =
            catalog.args(["catalog", "--json", prompt["prompt"].as_str().unwrap()]).output().unwrap();
        let catalog = Ran::new(&context, &output).json();
        let names = |list: &serde_json::Value, name: &dyn Fn(&serde_json::Value) -> String| {
            list.as_array().unwrap().iter().map(name).collect::<Vec<_>>()
        };
        let of_catalog = names(&catalog["skills"], &|skill| skill["name"].as_str().unwrap().to_owned());
        let printed = names(&prompt["printed"], &|name| name.as_str().unwrap().to_owned());
        assert_eq!(printed, of_catalog, "{prompt}");
    }
}

#[test]
fn a_skill_that_fires_as_it_should_passes() {
    let prompts = r#"{"should_trigger": ["extract the tables of this PDF file", "/pdf-tables report.pdf"],
        "should_not_trigger": ["draw a chart of this CSV data"]}"#;
    let context = context("triggers.json", prompts);
    let ran = triggers(&context, &[]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
    pdf-tables against 6 other skills: at most 3 printed, confidence at least 57%
    fired (2)
      rank  1,  99%   extract the tables of this PDF file
      called by name  /pdf-tables report.pdf
    recall 100% (2/2), precision 100% (2/2), accuracy 100% (3/3)
    --- stderr
    ");
}

#[test]
fn entries_that_cannot_be_tried_fail_the_run_and_the_others_go_on() {
    let prompts = "id,prompt,should_trigger\n1,extract the tables of this PDF file,true\n2,draw a chart,perhaps\n\
        3,,true\n4,extract the tables of this PDF file,false\n";
    let context = context("evals/trigger-prompts.csv", prompts);
    let ran = triggers(&context, &[]);
    assert_snapshot!(ran.snapshot(), @r#"
    exit code 1
    --- stdout
    pdf-tables against 6 other skills: at most 3 printed, confidence at least 57%
    fired (1)
      rank  1,  99%   extract the tables of this PDF file
    recall 100% (1/1), precision 100% (1/1), accuracy 100% (1/1); 3 entries not tried
    --- stderr
    warning: `line 3` of `[PROJECT]/pdf-tables/evals/trigger-prompts.csv` is not tried, because it has a `should_trigger` that is neither true nor false: "perhaps"
    warning: `line 4` of `[PROJECT]/pdf-tables/evals/trigger-prompts.csv` is not tried, because it is empty
    warning: `line 5` of `[PROJECT]/pdf-tables/evals/trigger-prompts.csv` is not tried, because it says the opposite of `line 2` in `[PROJECT]/pdf-tables/evals/trigger-prompts.csv`
    "#);
}

#[test]
fn a_pool_is_a_folder_of_skills_or_a_file() {
    let context = context("evals/trigger-eval.json", PROMPTS);
    add_skill(&context.project().join("others"), "booklet", "Merges PDF files into a booklet.");
    // The skill itself, a copy and one of its name are no rivals.
    add_skill(&context.project().join("others"), "pdf-tables", "Something else.");
    let line = |id: &str, name: &str, description: &str| {
        serde_json::json!({"id": id, "name": name, "description": description}).to_string()
    };
    let lines = [
        line("a", "scans", "Reads the scans of an invoice."),
        line("b", "scans", "Reads the scans of an invoice."),
    ];
    write(&context.project().join("skills.jsonl"), lines.join("\n"));
    let document = |pool: &[&str]| -> serde_json::Value {
        let ran = triggers(&context, &[&["--json"], pool].concat());
        assert_eq!(ran.code, 1, "{ran:?}");
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let folder = document(&["--pool", "others"]);
    assert_eq!((&folder["rivals"], &folder["copies"]), (&1.into(), &1.into()));
    let both = document(&["--pool", "others", "--pool", "skills.jsonl"]);
    assert_eq!((&both["rivals"], &both["copies"]), (&2.into(), &2.into()));
    assert_eq!(both["prompts"][1]["rival"]["skill"], "scans");
    assert_eq!(both["prompts"][1]["rival"]["location"], "a");
    let ran = triggers(&context, &["--pool", "nowhere"]);
    assert_eq!(ran.code, 74, "{ran:?}");
    let ran = triggers(&context, &["--pool", "pdf-tables/evals/trigger-eval.json"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("trigger-eval.json` cannot be used"), "{ran:?}");
}

#[test]
fn a_skill_without_prompts_says_where_they_are_looked_for() {
    let context = context("evals/notes.md", "nothing");
    let ran = triggers(&context, &[]);
    assert_snapshot!(ran.snapshot(), @r#"
    exit code 1
    --- stdout
    --- stderr
    error: `[PROJECT]/pdf-tables` has no trigger file
      looked for, in it and in evals, eval, tests: trigger-eval, trigger-evals, triggers, trigger-cases, trigger-queries, eval_queries, evals, and the like
      with one of the endings json, jsonl, csv, yaml, yml

    hint: write evals/trigger-eval.json as [{"query": "...", "should_trigger": true}], or name a file with --file
    "#);
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_place() {
    let context = context("evals/trigger-eval.json", "[{\"query\": \"a\",\n \"should_trigger\": tru}]");
    let ran = triggers(&context, &[]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 2
    --- stdout
    --- stderr
    error: `[PROJECT]/pdf-tables/evals/trigger-eval.json` holds no triggers that can be tried
      caused by: it is no JSON
      caused by: expected ident at line 2 column 23

    hint: the format is described in eval/README.md of the source
    ");
    let path = context.project().join("pdf-tables/evals/trigger-eval.json");
    for (content, words) in [
        ("{\"notes\": []}", "it holds no prompts"),
        ("[{\"query\": \"a\"}]", "no prompt of "),
        ("[{\"query\": \"a\", \"skill\": \"csv\"}]", "no prompt of "),
    ] {
        write(&path, content);
        let ran = triggers(&context, &[]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(words), "{ran:?}");
    }
    fs::File::options().write(true).open(&path).unwrap().set_len(4 * 1024 * 1024 + 1).unwrap();
    let ran = triggers(&context, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(ran.stderr.contains("is larger than 4194304 bytes"), "{ran:?}");
}

#[test]
fn files_are_those_of_the_skill_or_those_that_are_named() {
    let context = context("evals/trigger-eval.json", PROMPTS);
    let skill = context.project().join("pdf-tables");
    write(&skill.join("evals/evals.json"), r#"{"evals": [{"prompt": "extract a table"}]}"#);
    write(&skill.join("tests/triggers.yaml"), "should_not_trigger: [write a commit message]\n");
    let document = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&triggers(&context, &[&["--json"], more].concat()).stdout).unwrap()
    };
    let own = document(&[]);
    assert_eq!(own["files"].as_array().unwrap().len(), 2, "{}", own["files"]);
    assert_eq!(own["prompts"].as_array().unwrap().len(), 5);
    let named = document(&["--file", "pdf-tables/evals/evals.json"]);
    assert_eq!(named["files"], serde_json::json!(["pdf-tables/evals/evals.json"]));
    assert_eq!(named["prompts"][0]["place"], ".evals[0]");
    fs::remove_dir_all(skill.join("tests")).unwrap();
    fs::remove_file(skill.join("evals/trigger-eval.json")).unwrap();
    assert_eq!(document(&[])["prompts"].as_array().unwrap().len(), 1);
}

#[test]
fn a_skill_that_no_model_may_choose_is_refused() {
    let context = context("triggers.json", PROMPTS);
    let header = "---\nname: pdf-tables\ndescription: Reads.\ndisable-model-invocation: true\n---\n";
    write(&context.project().join("pdf-tables/SKILL.md"), header);
    let ran = triggers(&context, &[]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("its header keeps it from models"), "{ran:?}");
    let ran = context.run(["eval", "triggers", "nowhere"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("nowhere` is no folder"), "{ran:?}");
}

#[test]
fn a_prompt_forges_nothing_on_a_terminal() {
    let prompts =
        r#"[{"query": "extract the tables\nfired (9)\u001b[2J\u202e of PDF files", "should_trigger": true}]"#;
    let ran = triggers(&context("triggers.json", prompts), &[]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stdout.contains("\nfired (9)"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_trigger_file_that_is_no_regular_file_is_named() {
    let context = context("notes/real.json", PROMPTS);
    let skill = context.project().join("pdf-tables");
    fs::create_dir(skill.join("evals")).unwrap();
    std::os::unix::fs::symlink("../notes/real.json", skill.join("evals/trigger-eval.json")).unwrap();
    let ran = triggers(&context, &[]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(ran.stderr.contains("evals/trigger-eval.json` is not a regular file"), "{ran:?}");
}

#[test]
fn nothing_to_try_against_is_said_and_a_long_prompt_is_cut() {
    let prompt = "extract the tables of this PDF file ".repeat(2_000);
    let prompts = serde_json::json!([{"query": prompt, "should_trigger": true}]).to_string();
    let context = context("triggers.json", &prompts);
    fs::create_dir(context.project().join("none")).unwrap();
    let ran = triggers(&context, &["--pool", "none"]);
    assert!(ran.stderr.contains("no other skill to try it against"), "{ran:?}");
    assert!(ran.stdout.lines().all(|line| line.chars().count() < 300), "{ran:?}");
}

#[test]
fn copies_have_one_place_as_in_a_catalog() {
    let context = context("triggers.json", PROMPTS);
    let skill = |name: &str, body: &str| {
        let header = format!("---\nname: {name}\ndescription: Something of {name}.\n---\n");
        write(&context.user_root().join(name).join("SKILL.md"), header + &body.repeat(20));
    };
    skill("one", "Merge the files. ");
    skill("another", "Merge the files. ");
    let ran = triggers(&context, &["--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&document["rivals"], &document["copies"]), (&7.into(), &1.into()));
}
