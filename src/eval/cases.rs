//! A small table of the lexical contract: prompts, their tokens, and the points of three candidates.
//!
//! The values were worked out by hand from the rules in `rank::lexical` and `rank::text`.

/// Name, description, and when to use it.
pub(super) const CANDIDATES: [(&str, &str, Option<&str>); 3] = [
    ("pdf-reader", "Reads PDF files and extracts tables.", Some("Use when a PDF must be read")),
    ("code-review", "Review changes for defects: 代码审查", Some("审查代码 before a merge")),
    ("résumé-writer", "Writes a Résumé, v2.0", None),
];

/// One prompt.
pub(super) struct Case {
    pub(super) prompt: &'static str,
    /// Its tokens in order, with spaces between.
    pub(super) tokens: &'static str,
    /// For each candidate the points of: name as a phrase, words of the name, words of when to use it,
    /// words of the description, pairs of Han characters.
    pub(super) scores: [[u64; 5]; 3],
}

/// The table.
pub(super) const CASES: &[Case] = &[
    Case { prompt: "", tokens: "", scores: [[0; 5]; 3] },
    Case { prompt: "please help me with this", tokens: "", scores: [[0; 5]; 3] },
    Case { prompt: "Read the PDF", tokens: "read pdf", scores: [[0, 20, 16, 3, 0], [0; 5], [0; 5]] },
    Case {
        prompt: "use pdf-reader on tables",
        tokens: "pdf reader tables",
        scores: [[100, 40, 8, 6, 0], [0; 5], [0; 5]],
    },
    Case {
        prompt: "PDF Reader: files, files, FILES",
        tokens: "pdf reader files",
        scores: [[100, 40, 8, 6, 0], [0; 5], [0; 5]],
    },
    Case {
        prompt: "a pdf-readers code-review?",
        tokens: "pdf readers code review",
        scores: [[0, 20, 8, 3, 0], [100, 40, 0, 3, 0], [0; 5]],
    },
    Case {
        prompt: "帮我审查代码", tokens: "审查 查代 代码", scores: [[0; 5], [0, 0, 24, 6, 50], [0; 5]]
    },
    Case {
        prompt: "审查PDF before the merge",
        tokens: "审查pdf before merge",
        scores: [[0; 5], [0, 0, 16, 0, 0], [0; 5]],
    },
    Case {
        prompt: "ＲＥ́ＳＵＭＥ́ v2.0", tokens: "résumé v2 0", scores: [[0; 5], [0; 5], [0, 20, 0, 9, 0]]
    },
    Case {
        prompt: "a résumé-writer for changes, 一下 code",
        tokens: "résumé writer changes code",
        scores: [[0; 5], [0, 20, 0, 3, 0], [100, 40, 0, 3, 0]],
    },
];
