//! The text that is compared by meaning: of a task, or of what a candidate says about itself.
//!
//! Its form and its bound are those of the original plugin. It is made by these two constructors only, both
//! of which withhold what looks like a secret, and it is the only text that a model or an endpoint gets; a
//! body cannot be made into one.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Redacted, first_units, sendable};
use crate::candidate::Candidate;

/// The longest text, in UTF-16 code units.
const MAX_UNITS: usize = 1000;

/// A text that may be compared by meaning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EmbeddingText(String);

impl EmbeddingText {
    /// Of a task: NFKC, white space collapsed, without secrets, at most 1,000 UTF-16 units. `None` when nothing
    /// is left.
    pub fn of_task(task: &str) -> Option<Self> {
        let text = bounded(task);
        (!text.is_empty()).then_some(Self(text))
    }

    /// Of what a candidate says about itself, in the same form.
    pub fn of_candidate(said: &SelfDescription) -> Self {
        Self(bounded(&said.0))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a candidate says about itself, whole: name, when to use it, description. It can be told from others and
/// cannot be sent; an [`EmbeddingText`] is made of it when it has to be, because to look for secrets takes longer
/// than everything else that is done with a text whose vector is kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SelfDescription(String);

impl SelfDescription {
    /// Of a candidate.
    pub fn new(candidate: &Candidate) -> Self {
        let mut lines = vec![format!("Skill: {}", candidate.name)];
        lines.extend(candidate.when_to_use.iter().map(|when| format!("When to use: {when}")));
        lines.push(format!("Description: {}", candidate.description));
        Self(lines.join("\n"))
    }

    /// What its vector is known by: the SHA-256 of the JSON array of provider, endpoint, model and text.
    pub fn fingerprint(&self, provider: &str, endpoint: &str, model: &str) -> [u8; 32] {
        Sha256::digest(json!([provider, endpoint, model, self.0]).to_string()).into()
    }
}

fn bounded(text: &str) -> String {
    let Redacted { text, .. } = sendable(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    first_units(&text, MAX_UNITS).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{candidate::Origin, skill::name::Slug};

    fn candidate(description: &str, when_to_use: Option<&str>) -> Candidate {
        Candidate {
            id: "x".to_owned(),
            name: "pdf-reader".to_owned(),
            slug: Slug::parse("pdf-reader").unwrap(),
            description: description.to_owned(),
            when_to_use: when_to_use.map(str::to_owned),
            origin: Origin::Local,
            source: "s".to_owned(),
            installs: None,
            quality: None,
        }
    }

    #[test]
    fn the_form_is_that_of_the_original() {
        let text = |description, when| {
            EmbeddingText::of_candidate(&SelfDescription::new(&candidate(description, when))).0
        };
        assert_eq!(
            text("Reads\n  ＰＤＦ files. ", Some("A PDF is at hand")),
            "Skill: pdf-reader When to use: A PDF is at hand Description: Reads PDF files."
        );
        assert_eq!(text("Reads.", None), "Skill: pdf-reader Description: Reads.");
        let task = |text| EmbeddingText::of_task(text).map(|text| text.0);
        assert_eq!(task("  Read\tthis \n PDF "), Some("Read this PDF".to_owned()));
        assert_eq!(task(" \n"), None);
    }

    #[test]
    fn a_text_is_bounded_and_never_cut_within_a_character() {
        let long = EmbeddingText::of_task(&"word ".repeat(1000)).unwrap();
        assert_eq!(long.as_str().len(), 999, "a space at the end is taken away");
        let wide = EmbeddingText::of_task(&"𝒳".repeat(2000)).unwrap();
        assert_eq!(wide.as_str().encode_utf16().count(), 1000);
        let odd = EmbeddingText::of_task(&format!("a{}", "😀".repeat(2000))).unwrap();
        assert_eq!(odd.as_str().encode_utf16().count(), 999);
        assert_eq!(
            EmbeddingText::of_candidate(&SelfDescription::new(&candidate(&"x ".repeat(5000), None))).0.len(),
            1000
        );
    }

    #[test]
    fn secrets_are_withheld_on_both_sides() {
        let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
        let task = EmbeddingText::of_task(&format!("push with {secret} to me@example.com")).unwrap();
        assert_eq!(task.as_str(), "push with to");
        assert_eq!(EmbeddingText::of_task(secret), None);
        let text = EmbeddingText::of_candidate(&SelfDescription::new(&candidate(
            &format!("Uses {secret} here"),
            None,
        )));
        assert_eq!(text.as_str(), "Skill: pdf-reader Description: Uses here");
    }

    #[test]
    fn a_fingerprint_holds_all_that_makes_the_vector() {
        let said = SelfDescription::new(&candidate("Reads.", None));
        // Of ["ollama","e","m","Skill: pdf-reader\nDescription: Reads."], by `sha256sum`.
        let digest = said.fingerprint("ollama", "e", "m");
        assert_eq!(digest[..4], [0x5a, 0x27, 0x77, 0xf6]);
        let others = [["local", "e", "m"], ["ollama", "f", "m"], ["ollama", "e", "n"], ["ollam", "ae", "m"]];
        assert!(others.into_iter().all(|[one, two, three]| said.fingerprint(one, two, three) != digest));
        let other = SelfDescription::new(&candidate("Reads", None));
        assert_ne!(other.fingerprint("ollama", "e", "m"), digest);
    }
}
