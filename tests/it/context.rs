//! A home, a project and the program, apart from the machine they run on.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::json;
use tempfile::TempDir;

/// One test's own world: an empty home, an empty project, and nothing of the caller's environment.
pub(crate) struct TestContext {
    root: TempDir,
}

impl TestContext {
    pub(crate) fn new() -> Self {
        let root = TempDir::new().unwrap();
        for folder in ["home", "project/.git"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        Self { root }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("project")
    }

    /// The program in the project with only these variables set.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillflux"));
        command
            .env_clear()
            .env("HOME", self.home())
            .env("SKILLFLUX_HOME", self.home().join("skillflux"))
            .current_dir(self.project());
        command
    }

    pub(crate) fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, arguments: I) -> Ran {
        Ran::new(self, &self.command().args(arguments).output().unwrap())
    }

    pub(crate) fn user_root(&self) -> PathBuf {
        self.home().join(".claude/skills")
    }

    pub(crate) fn project_root(&self) -> PathBuf {
        self.project().join(".agents/skills")
    }

    /// Replaces the paths of this test by words.
    pub(crate) fn filter(&self, text: &str) -> String {
        text.replace(&self.home().display().to_string(), "[HOME]")
            .replace(&self.project().display().to_string(), "[PROJECT]")
    }
}

/// Writes `SKILL.md` of a skill below `root` (a path in the home or the project).
pub(crate) fn add_skill(root: &Path, name: &str, description: &str) -> PathBuf {
    let text =
        format!("---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nThe body of {name}.\n");
    write(&root.join(name).join("SKILL.md"), text)
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    path.to_owned()
}

/// What the program did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn new(context: &TestContext, output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: context.filter(&String::from_utf8(output.stdout.clone()).unwrap()),
            stderr: context.filter(&String::from_utf8(output.stderr.clone()).unwrap()),
        }
    }

    /// Standard output as JSON of a run that ended well.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Exit code, standard output and standard error in one text, for snapshots.
    pub(crate) fn snapshot(&self) -> String {
        format!("exit code {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

/// Makes a folder in the layout of `Model2Vec` that knows three words, of which the first two point the same way and the
/// third points elsewhere.
pub(crate) fn small_model(folder: &Path, [one, alike, other]: [&str; 3]) -> PathBuf {
    let tokenizer = json!({
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, one: 1, alike: 2, other: 3}},
    });
    write(&folder.join("tokenizer.json"), tokenizer.to_string());
    let rows: [[f32; 2]; 4] = [[0.5, 0.5], [1.0, 0.0], [1.0, 0.1], [0.0, 1.0]];
    let data: Vec<u8> = rows.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    let header =
        json!({"embeddings": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, data.len()]}}).to_string();
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat();
    write(&folder.join("model.safetensors"), file);
    folder.to_owned()
}
