//! The JSON documents of every command, so that a change of one is seen and meant.
//!
//! One small skill is all there is, besides the bundled ones. Digests, ids, estimates that depend on the
//! length of a path, and the version stand as words.

use insta::{Settings, assert_snapshot, internals::SettingsBindDropGuard};

use crate::context::{TestContext, add_skill, write};

/// What is replaced in every document, and by what.
const FILTERS: [(&str, &str); 5] = [
    (r"\b[0-9a-f]{64}\b", "[DIGEST]"),
    (r#""id": "[0-9a-f]+""#, r#""id": "[ID]""#),
    (r#"tokens": [1-9]\d*"#, r#"tokens": [TOKENS]"#),
    (r#""version": "\d+\.\d+\.\d+""#, r#""version": "[VERSION]""#),
    (r#"(?s)\{\n +"name": "prepare-decision".*"skill://skillflux/using-skillflux/.*?\}"#, "[BUNDLED]"),
];

/// A machine with one skill, and the filters for as long as it is there.
struct Documents {
    context: TestContext,
    _filters: SettingsBindDropGuard,
}

impl Documents {
    fn new() -> Self {
        let context = TestContext::new();
        let skill = add_skill(&context.user_root(), "pdf-reader", "Reads PDF files.");
        write(&skill.with_file_name("references").join("forms.md"), "# Forms\n");
        let mut settings = Settings::clone_current();
        settings.set_filters(FILTERS.to_vec());
        Self { context, _filters: settings.bind_to_scope() }
    }

    /// The same in the mode that has no index; the documents of the other are those of `index.rs`.
    fn compared_by_words() -> Self {
        let documents = Self::new();
        write(&documents.context.home().join("skillflux/config/config.yaml"), "routerMode: lexical\n");
        documents
    }

    fn of(&self, arguments: &[&str]) -> String {
        self.context.run(arguments.iter().chain(&["--json"])).stdout
    }
}

#[test]
fn list() {
    let documents = Documents::new();
    assert_snapshot!(documents.of(&["list"]), @r#"
    {
      "schema": "skillflux.list/1",
      "roots": [
        {
          "label": "~/.claude/skills",
          "scope": "user",
          "path": "[HOME]/.claude/skills",
          "agents": [
            "claude-code",
            "goose",
            "opencode"
          ]
        },
        {
          "label": "bundled",
          "scope": "bundled",
          "path": "",
          "agents": []
        }
      ],
      "skills": [
        {
          "name": "pdf-reader",
          "description": "Reads PDF files.",
          "root": "~/.claude/skills",
          "location": "[HOME]/.claude/skills/pdf-reader/SKILL.md",
          "standing": "active",
          "model_invocable": true,
          "user_invocable": true
        },
        [BUNDLED]
      ],
      "problems": []
    }
    "#);
}

#[test]
fn show() {
    let documents = Documents::new();
    assert_snapshot!(documents.of(&["show", "pdf-reader"]), @r#"
    {
      "schema": "skillflux.show/1",
      "skill": {
        "name": "pdf-reader",
        "description": "Reads PDF files.",
        "root": "~/.claude/skills",
        "location": "[HOME]/.claude/skills/pdf-reader/SKILL.md",
        "standing": "active",
        "model_invocable": true,
        "user_invocable": true
      },
      "allowed_tools": [],
      "metadata": {},
      "extra_keys": [],
      "digest": "sha256:[DIGEST]",
      "files": [
        {
          "path": "SKILL.md",
          "kind": "file",
          "size": 94,
          "executable": false,
          "sha256": "[DIGEST]"
        },
        {
          "path": "references/forms.md",
          "kind": "reference",
          "size": 8,
          "executable": false,
          "sha256": "[DIGEST]"
        }
      ],
      "left_out": [],
      "lint": []
    }
    "#);
}

#[test]
fn load() {
    let documents = Documents::new();
    assert_snapshot!(documents.of(&["load", "pdf-reader"]), @r#"
    {
      "schema": "skillflux.load/1",
      "name": "pdf-reader",
      "provenance": {
        "origin": "local",
        "root": "~/.claude/skills",
        "location": "[HOME]/.claude/skills/pdf-reader/SKILL.md"
      },
      "digest": "sha256:[DIGEST]",
      "body": "\n# pdf-reader\n\nThe body of pdf-reader.\n",
      "resources": [
        {
          "path": "references/forms.md",
          "kind": "reference",
          "size": 8,
          "executable": false,
          "sha256": "[DIGEST]"
        }
      ],
      "left_out": []
    }
    "#);
}

#[test]
fn read() {
    let documents = Documents::new();
    assert_snapshot!(documents.of(&["read", "pdf-reader", "references/forms.md"]), @r##"
    {
      "schema": "skillflux.read/1",
      "id": "[ID]",
      "name": "pdf-reader",
      "provenance": {
        "origin": "local",
        "root": "~/.claude/skills",
        "location": "[HOME]/.claude/skills/pdf-reader/SKILL.md"
      },
      "digest": "sha256:[DIGEST]",
      "path": "references/forms.md",
      "sha256": "[DIGEST]",
      "size": 8,
      "mime_type": "text/markdown",
      "encoding": "text",
      "truncated": false,
      "content": "# Forms\n"
    }
    "##);
}

#[test]
fn explain() {
    let documents = Documents::compared_by_words();
    assert_snapshot!(documents.of(&["explain", "read the pdf"]), @r#"
    {
      "schema": "skillflux.explain/1",
      "router": "lexical",
      "limit": 3,
      "min_score": 8,
      "budget": 0,
      "format": "json",
      "tokens": [TOKENS],
      "candidates": [
        {
          "name": "pdf-reader",
          "root": "~/.claude/skills",
          "outcome": "chosen",
          "by_rule": false,
          "score": 23,
          "parts": {
            "name_phrase": 0,
            "name": 20,
            "when_to_use": 0,
            "description": 3,
            "han_bonus": 0
          },
          "boost": 0
        }
      ],
      "unlisted": 3
    }
    "#);
}

#[test]
fn status() {
    let documents = Documents::compared_by_words();
    assert_snapshot!(documents.of(&["status"]), @r#"
    {
      "schema": "skillflux.status/1",
      "version": "[VERSION]",
      "router": "lexical",
      "roots": [
        {
          "root": {
            "label": "~/.claude/skills",
            "scope": "user",
            "path": "[HOME]/.claude/skills",
            "agents": [
              "claude-code",
              "goose",
              "opencode"
            ]
          },
          "skills": 1
        },
        {
          "root": {
            "label": "bundled",
            "scope": "bundled",
            "path": "",
            "agents": []
          },
          "skills": 3
        }
      ],
      "active": 4,
      "not_for_models": 0,
      "shadowed": 0,
      "nested": 0,
      "problems": 0,
      "full_listing_tokens": [TOKENS],
      "max_active_skills": 3,
      "catalog_token_budget": 0,
      "cache": {
        "folder": "[HOME]/skillflux/cache/v1",
        "skills": 0,
        "bytes": 0,
        "max_skills": 100,
        "max_bytes": 536870912,
        "invalid": 0
      },
      "remote": {
        "discovery": "on-demand",
        "sources": [
          {
            "source": "skills.sh",
            "failures": 0
          },
          {
            "source": "github",
            "failures": 0
          }
        ],
        "token": false,
        "trust_policy": "community",
        "approval_policy": "always",
        "trusted_owners": 0,
        "blocked_owners": 0
      },
      "mounts": [],
      "agents": [
        "claude-code"
      ],
      "config_file": "[HOME]/skillflux/config/config.yaml",
      "config_file_exists": true,
      "project": "[PROJECT]"
    }
    "#);
}

#[test]
fn config_list() {
    let documents = Documents::new();
    let list = documents.of(&["config", "list"]);
    let (third, _) = list.match_indices("\n    {").nth(2).unwrap();
    assert_snapshot!(&list[..third], @r#"
    {
      "schema": "skillflux.config/1",
      "settings": [
        {
          "key": "maxActiveSkills",
          "value": 3,
          "origin": "default",
          "allowed": "a whole number from 1",
          "doc": "the most skills in one catalog"
        },
        {
          "key": "minRouteScore",
          "value": 57,
          "origin": "default",
          "allowed": "a whole number from 0",
          "doc": "the lowest score of a chosen skill: confidence in percent; without full text points, preset 8"
        },
    "#);
}

#[test]
fn config_set() {
    let documents = Documents::new();
    assert_snapshot!(documents.of(&["config", "set", "maxActiveSkills", "2"]), @r#"
    {
      "schema": "skillflux.config-change/1",
      "key": "maxActiveSkills",
      "file": "[HOME]/skillflux/config/config.yaml",
      "before": null,
      "after": 2
    }
    "#);
}

#[test]
fn error() {
    let documents = Documents::new();
    assert_snapshot!(documents.of(&["show", "pdf-raeder"]), @r#"
    {
      "schema": "skillflux.error/1",
      "error": "no skill is named `pdf-raeder`",
      "causes": [],
      "hint": "did you mean `pdf-reader`? run `skillflux list` for every skill on this machine",
      "exit_code": 1
    }
    "#);
}
