//! What is wrong with a skill file, in words that a program and a person can both use.
//!
//! A [`Diagnostic`] is a [`Code`], the field it is about and a position. It is data: whether it skips
//! a skill or only warns is decided by whoever found it, and how it is shown is decided by `output`.
//! Text that comes from the file enters a diagnostic only as a cleaned, short field name.

use std::fmt;

use super::unicode::{Class, class, is_invisible};

/// The longest field name that a diagnostic shows, in characters.
const MAX_FIELD_CHARS: usize = 64;

macro_rules! codes {
    ($($(#[$meta:meta])* $variant:ident $text:literal $remedy:literal)+) => {
        /// A kind of problem; the text form is part of the output contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$meta])* $variant,)+ }

        impl Code {
            /// Every code, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable text of the code, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// One line that says what to do about it.
            pub const fn remedy(&self) -> &'static str {
                match self { $(Self::$variant => $remedy,)+ }
            }
        }
    };
}

codes! {
    /// The file cannot be read.
    Unreadable "unreadable" "make the file readable for this user"
    /// The file is larger than the limit for `SKILL.md`.
    FileTooLarge "file_too_large" "move long parts of SKILL.md into resource files"
    /// The frontmatter is longer than the limit, or goes on past it without an end.
    HeaderTooLarge "header_too_large" "close the frontmatter with `---` and shorten it"
    /// `SKILL.md` is a folder, a pipe or another kind of thing that holds no text.
    NotAFile "not_a_file" "make SKILL.md a regular file"
    /// A symbolic link leads nowhere.
    DanglingLink "dangling_link" "remove the symbolic link or restore what it leads to"
    /// A chain of symbolic links leads back to itself.
    LinkLoop "link_loop" "remove one link of the loop"
    /// A symbolic link leads out of the folder that may be read.
    LinkOutside "link_outside" "replace the symbolic link by a copy of what it leads to"
    /// The file is called `skill.md` or the like.
    SkillFileCase "skill_file_case" "rename the file to SKILL.md"
    /// A path is not valid Unicode.
    PathEncoding "path_encoding" "rename the file or folder with UTF-8 characters"
    /// A folder walk stopped at its bound.
    WalkLimit "walk_limit" "point the skill root at a smaller folder"
    /// A folder cannot be listed.
    FolderUnreadable "folder_unreadable" "make the folder readable for this user"
    /// A folder that the configuration names does not exist.
    FolderMissing "folder_missing" "create the folder, or take it out of `customRoots`"
    /// The file is not UTF-8.
    NotUtf8 "not_utf8" "save SKILL.md as UTF-8"
    /// The file is a pointer of Git LFS instead of the text.
    LfsPointer "lfs_pointer" "fetch the real file with `git lfs pull`"
    /// A control character stands in the frontmatter or is written there as an escape.
    ControlChar "control_char" "remove the control characters from the frontmatter"
    /// The file starts with a byte order mark.
    Bom "bom" "save SKILL.md without a byte order mark"
    /// The frontmatter has CR or CR LF line ends.
    CrNewlines "cr_newlines" "save SKILL.md with LF line ends"
    /// Blank lines stand before the opening fence.
    LeadingBlank "leading_blank" "start the file with `---`"
    /// White space follows a fence.
    FenceTrailingSpace "fence_trailing_space" "remove the white space after `---`"
    /// A word follows the opening fence.
    FenceLanguage "fence_language" "write the opening `---` on a line of its own; only YAML is read"
    /// The first line with text is no fence.
    NoFrontmatter "no_frontmatter" "start the file with a frontmatter block between two `---` lines"
    /// The closing fence is missing.
    UnclosedFrontmatter "unclosed_frontmatter" "close the frontmatter with a `---` line"
    /// The header is no YAML that can be trusted, and was read field by field.
    YamlRepaired "yaml_repaired" "put values with a colon or a leading special character in quotes"
    /// A line belongs to no field and was ignored.
    JunkLine "junk_line" "indent the line under its field, or remove it"
    /// A field could not be read and was left out.
    FieldDropped "field_dropped" "write the field in the form that the specification gives"
    /// A key occurs twice.
    DuplicateKey "duplicate_key" "keep one of the two keys"
    /// A key is a spelling variant of a known one.
    KeyVariant "key_variant" "spell the key as the specification does"
    /// There is no description.
    DescriptionMissing "description_missing" "add a description that says what the skill does and when to use it"
    /// The description is a placeholder of a template.
    TemplatePlaceholder "template_placeholder" "replace the placeholder by a real description"
    /// The description is a list.
    DescriptionNotString "description_not_string" "write the description as one text"
    /// The description has more than 1,024 characters.
    DescriptionLong "description_long" "shorten the description to 1,024 characters"
    /// The description holds text that could pass for the markup of a catalog.
    DescriptionMarkup "description_markup" "write the description as plain prose, without tags, fences and lists"
    /// There is no name; the folder's name stands in.
    NameMissing "name_missing" "add a name that equals the folder's name"
    /// The name is no kebab-case text of at most 64 characters.
    NameNonconforming "name_nonconforming" "use 1 to 64 lower-case letters, digits and single hyphens in the name"
    /// The name is not that of the folder.
    NameDirMismatch "name_dir_mismatch" "give the folder and the skill the same name"
    /// The compatibility note is a list or a map.
    CompatibilityNotString "compatibility_not_string" "write the compatibility note as one text"
    /// A value in `metadata` is a list, a map or nothing.
    MetadataNonstring "metadata_nonstring" "use only text values in metadata"
    /// `metadata` is a JSON object inside a text.
    MetadataJsonString "metadata_json_string" "write metadata as a map, without quotes around it"
    /// An invocation flag is neither true nor false; it is read in the closed sense.
    BadBoolean "bad_boolean" "write true or false"
    /// U+0085, U+2028 or U+2029 was read as a space.
    UnicodeLinebreak "unicode_linebreak" "replace the Unicode line separator by a space"
    /// A character without width or a direction control was left out.
    InvisibleChar "invisible_char" "remove the invisible characters"
    /// A no-break space was read as a space.
    Nbsp "nbsp" "replace the no-break space by a space"
    /// DEL or a C1 control character was replaced by U+FFFD.
    C1Control "c1_control" "remove the control characters; the text may have been saved in a wrong encoding"
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One problem in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// What kind of problem.
    pub code: Code,
    /// The field it is about, as a dotted path of keys.
    pub field: Option<String>,
    /// Line in the file as stored, from 1; 0 when there is no position.
    pub line: u32,
    /// Column in characters, from 1, not counting a byte order mark; 0 when there is no position.
    pub column: u32,
}

impl Diagnostic {
    /// A problem of the file as a whole.
    pub fn new(code: Code) -> Self {
        Self { code, field: None, line: 0, column: 0 }
    }

    /// A problem at a place in the file.
    pub fn at(code: Code, line: u32, column: u32) -> Self {
        Self { code, field: None, line, column }
    }

    /// The same problem, said of `field`.
    #[must_use]
    pub fn of(mut self, field: &str) -> Self {
        self.field = Some(clean_field(field));
        self
    }

    /// `code` or `code:field`.
    pub fn label(&self) -> String {
        match &self.field {
            // The field is public, so a caller may have put anything there.
            Some(field) => format!("{}:{}", self.code.as_str(), clean_field(field)),
            None => self.code.as_str().to_owned(),
        }
    }
}

fn clean_field(field: &str) -> String {
    field
        .chars()
        .filter(|&character| {
            !is_invisible(character)
                && !matches!(class(character), Class::Control | Class::C1 | Class::LineBreak)
        })
        .map(|character| if class(character) == Class::Space { ' ' } else { character })
        .take(MAX_FIELD_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_distinct_snake_case_with_a_remedy_of_one_line() {
        let texts: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(texts.len(), Code::ALL.len());
        for code in Code::ALL {
            assert!(
                code.as_str()
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
                "{code}"
            );
            let remedy = code.remedy();
            assert!(remedy.len() > 10 && !remedy.contains('\n') && !remedy.ends_with('.'), "{code}");
        }
    }

    #[test]
    fn labels_carry_no_hidden_or_endless_text() {
        let plain = Diagnostic::at(Code::JunkLine, 3, 1);
        assert_eq!(plain.label(), "junk_line");
        let field = format!("a\u{1b}[31m\u{202e}\n\u{a0}{}", "x".repeat(100));
        let label = Diagnostic::new(Code::FieldDropped).of(&field).label();
        assert_eq!(label, format!("field_dropped:a[31m {}", "x".repeat(64 - 6)));
        let raw = Diagnostic { code: Code::FieldDropped, field: Some(field), line: 0, column: 0 };
        assert_eq!(raw.label(), label);
    }
}
