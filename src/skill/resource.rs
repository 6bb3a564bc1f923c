//! What a skill's files are: their kind by folder, MIME type and encoding by extension.
//!
//! The kinds and the rule for them are those of Cloudflare's skills runtime. The MIME type is a
//! label for a reader and never decides what is done with a file.

use super::path::SkillPath;

/// The kind of a resource, by the first folder of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Below `scripts/`: cached and shown, never run.
    Script,
    /// Below `references/`.
    Reference,
    /// Below `assets/`.
    Asset,
    /// Anything else.
    File,
}

impl Kind {
    /// The kind of the file at `path`.
    pub fn of(path: &SkillPath) -> Self {
        match path.first_folder() {
            Some("scripts") => Self::Script,
            Some("references") => Self::Reference,
            Some("assets") => Self::Asset,
            _ => Self::File,
        }
    }

    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Reference => "reference",
            Self::Asset => "asset",
            Self::File => "file",
        }
    }
}

/// The MIME type of the file at `path`, given whether its content is text.
pub fn mime_type(path: &SkillPath, is_text: bool) -> &'static str {
    let extension = path.file_name().rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("md" | "mdx" | "markdown") => "text/markdown",
        Some("json") => "application/json",
        Some("yaml" | "yml") => "application/yaml",
        Some("toml") => "application/toml",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        Some("css") => "text/css",
        Some("xml" | "xsd") => "application/xml",
        Some("js" | "mjs" | "cjs" | "jsx") => "text/javascript",
        Some("ts" | "tsx") => "text/typescript",
        Some("py") => "text/x-python",
        Some("sh" | "bash") => "application/x-sh",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        Some("pdf") => "application/pdf",
        _ if is_text => "text/plain",
        _ => "application/octet-stream",
    }
}

/// The text of `content`, unless it is binary: not UTF-8, or with a NUL.
pub fn as_text(content: &[u8]) -> Option<&str> {
    std::str::from_utf8(content).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_types_by_example() {
        for (path, kind, mime) in [
            ("SKILL.md", Kind::File, "text/markdown"),
            ("scripts/run.sh", Kind::Script, "application/x-sh"),
            ("references/guide.MD", Kind::Reference, "text/markdown"),
            ("assets/logo.png", Kind::Asset, "image/png"),
            ("LICENSE", Kind::File, "text/plain"),
        ] {
            let path = SkillPath::parse(path).unwrap();
            assert_eq!((Kind::of(&path), mime_type(&path, true)), (kind, mime), "{path}");
        }
        assert_eq!(as_text(b"a\0b"), None);
        assert_eq!(as_text(b"\xff"), None);
        assert_eq!(as_text("á".as_bytes()), Some("á"));
    }
}
