//! The table of odd files, each read in the folder `demo`, with what must come out.
//!
//! One row is what the row is about, the file, and the rendering: name, description and whatever is not
//! the default, then a line for each warning with its line and column in the file.

/// What it is about, the file, the rendering.
pub(super) const CASES: &[(&str, &str, &str)] = &[
    ("plain file", "---\nname: demo\ndescription: Does it.\n---\n", "demo | Does it."),
    (
        "BOM and CR LF",
        "\u{feff}---\r\nname: demo\r\ndescription: Does it.\r\n---\r\n",
        "demo | Does it.\nbom@1:1\ncr_newlines@1:4",
    ),
    (
        "lone CR; literal block and its position",
        "---\rname: demo\rdescription: |\r  Does\r  it: well.\rlicense: @x\r---\r",
        "demo | Does it: well. | license @x\ncr_newlines@1:4\nyaml_repaired@6:10",
    ),
    (
        "blank lines, spaces after fences, dots close",
        " \n\n--- \nname: demo\ndescription: Does it.\n...\t\n",
        "demo | Does it.\nleading_blank@1:1\nfence_trailing_space@3:4\nfence_trailing_space@6:4",
    ),
    (
        "BOM twice",
        "\u{feff}\u{feff}---\nname: demo\ndescription: Does it.\n---\n",
        "skip no_frontmatter\nbom@1:1",
    ),
    ("word after fence", "---yaml\nname: demo\ndescription: Does it.\n---\n", "skip fence_language"),
    (
        "header on the fence line",
        "--- name: demo\nname: demo\ndescription: Does it.\n---\n",
        "skip fence_language",
    ),
    ("four dashes", "----\nname: demo\ndescription: Does it.\n----\n", "skip no_frontmatter"),
    ("heading first", "# Title\n\n---\nname: demo\ndescription: Does it.\n---\n", "skip no_frontmatter"),
    ("only blank lines", "\n \n", "skip no_frontmatter"),
    ("empty file", "", "skip no_frontmatter"),
    ("indented closing fence", "---\nname: demo\ndescription: Does it.\n ---\n", "skip unclosed_frontmatter"),
    ("pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "skip lfs_pointer"),
    ("control", "---\nname: demo\ndescription: a\x1b[31m\n---\n", "skip control_char"),
    ("nul", "---\nname: demo\x00\ndescription: a\n---\n", "skip control_char"),
    (
        "escaped control",
        "---\nname: demo\ndescription: \"a\\e[31m\\0b\"\n---\n",
        "demo | a\u{fffd}[31m\u{fffd}b\ncontrol_char@3:14",
    ),
    ("empty header", "---\n---\n", "skip description_missing"),
    ("comments only", "---\n# nothing\n---\n", "skip description_missing"),
    (
        "null name; description quoted null",
        "---\nname: ~\ndescription: 'null'\n---\n",
        "demo | null\nname_missing@2:7",
    ),
    ("name is list", "---\nname: [a]\ndescription: x\n---\n", "demo | x\nname_missing@2:7"),
    (
        "text keeps source",
        "---\nname: 'demo'\ndescription: 0777\nversion: 1.10\nlicense: yes\n---\n",
        "demo | 0777 | license yes | extra version",
    ),
    ("null forms", "---\nname: demo\ndescription: ~\n---\n", "skip description_missing"),
    ("description blank in quotes", "---\nname: demo\ndescription: '  '\n---\n", "skip description_missing"),
    ("description map", "---\nname: demo\ndescription:\n  a: b\n---\n", "skip description_missing"),
    (
        "description list with map",
        "---\nname: demo\ndescription:\n  - Use when: x\n---\n",
        "skip description_missing",
    ),
    (
        "description list",
        "---\nname: demo\ndescription: [a, ~, \"b  c\"]\n---\n",
        "demo | a b c\ndescription_not_string@3:14",
    ),
    ("placeholder", "---\ndescription: '{{ what }}'\n---\n", "skip template_placeholder"),
    ("two placeholders", "---\nname: demo\ndescription: '{{a}} and {{b}}'\n---\n", "demo | {{a}} and {{b}}"),
    ("two names", "---\nname: demo\ndescription: x\nname: other\n---\n", "skip duplicate_key:name"),
    (
        "variant second description",
        "---\nname: demo\ndescription: x\nDescription: y\n---\n",
        "skip duplicate_key:description\nkey_variant:Description@4:1",
    ),
    (
        "anchor alias",
        "---\nname: demo\ndescription: &d Does it.\nlicense: *d\n---\n",
        "demo | &d Does it. | license *d\nyaml_repaired@3:17",
    ),
    (
        "tag and merge",
        "---\nname: demo\ndescription: !!str x\nmetadata:\n  <<: {a: b}\nversion: !!int 3\n---\n",
        "demo | !!str x\nyaml_repaired@3:20\nfield_dropped:metadata@4:1\nfield_dropped:version@6:1",
    ),
    (
        "directive and second document",
        "---\n%YAML 1.2\n--- !x\nname: demo\ndescription: Does it.\n---\n",
        "demo | Does it.\nyaml_repaired@2:1\njunk_line@2:1\njunk_line@3:1",
    ),
    (
        "complex key",
        "---\nname: demo\ndescription: x\n? [a]\n: b\n---\n",
        "demo | x\nyaml_repaired@4:3\njunk_line@4:1\njunk_line@5:1",
    ),
    ("scalar root", "---\njust prose\n---\n", "skip description_missing\nyaml_repaired@2:1\njunk_line@2:1"),
    (
        "repair with quoted guard",
        "---\nname: demo\ndescription: a: b\n\"user-invocable\": no\n---\n",
        "demo | a: b | no user\nyaml_repaired@3:15",
    ),
    (
        "broken guard closes",
        "---\nname: demo\ndescription: x\ndisable-model-invocation: [false\nuser-invocable: !!bool true\n---\n",
        "demo | x | no model | no user\nyaml_repaired@5:15\nbad_boolean:disable-model-invocation@4:27\nbad_boolean:user-invocable@5:17",
    ),
    (
        "null guard closes",
        "---\nname: demo\ndescription: x\nuser-invocable:\n---\n",
        "demo | x | no user\nbad_boolean:user-invocable@4:15",
    ),
    (
        "guards in many words",
        "---\nname: demo\ndescription: x\ndisable-model-invocation: ON\nuser-invocable: '0'\n---\n",
        "demo | x | no model | no user",
    ),
    (
        "the closed guard wins, first",
        "---\nname: demo\ndescription: x\nuser-invocable: false\nuser_invocable: true\n---\n",
        "demo | x | no user\nkey_variant:user_invocable@5:1\nduplicate_key:user-invocable@5:1",
    ),
    (
        "the closed guard wins, last",
        "---\nname: demo\ndescription: x\nuser-invokable: true\nuser-invocable: false\n---\n",
        "demo | x | no user\nkey_variant:user-invokable@4:1\nduplicate_key:user-invocable@5:1",
    ),
    (
        "junk and what is under it",
        "---\nintro\n  more\nname: demo\ndescription: a: b\nRules\n  - one\n# note\nlicense: MIT\n---\n",
        "demo | a: b | license MIT\nyaml_repaired@4:5\njunk_line@2:1\njunk_line@6:1",
    ),
    (
        "closing brackets and list at col 0",
        "---\nname: demo\ndescription: a: b\nmetadata: {\n  \"k\": [1]\n}\ntriggers:\n- x\n---\n",
        "demo | a: b | k=[1] | extra triggers\nyaml_repaired@3:15\nmetadata_nonstring@5:8",
    ),
    (
        "junk at first bracket",
        "---\n}\nname: demo\ndescription: a: b\n---\n",
        "demo | a: b\nyaml_repaired@2:1\njunk_line@2:1",
    ),
    (
        "dropped",
        "---\nname: demo\ndescription: a: b\nmetadata: [a\nhooks: {b\n---\n",
        "demo | a: b\nyaml_repaired@3:15\nfield_dropped:metadata@4:1\nfield_dropped:hooks@5:1",
    ),
    (
        "repaired indicator and quotes",
        "---\nname: 'it's'\ndescription: >- Say \"a: b\"\n---\n",
        "it's | Say \"a: b\" | slug it-s\nyaml_repaired@2:11\nname_nonconforming@2:7\nname_dir_mismatch@2:7",
    ),
    (
        "repaired multi-line",
        "---\nname: demo\ndescription: Use\n  this: now\n\n# remark\n  and: that\n---\n",
        "demo | Use this: now and: that\nyaml_repaired@4:7",
    ),
    (
        "nbsp before the value",
        "---\nname:\u{a0}demo\ndescription: Does\u{a0}it.\n---\n",
        "demo | Does it.\nyaml_repaired@3:12\nnbsp@2:6",
    ),
    (
        "separators",
        "---\nname: demo\ndescription: a\u{2028}b\u{85}c\n---\n",
        "demo | a b c\nunicode_linebreak@3:15",
    ),
    (
        "C1",
        "---\nname: demo\ndescription: a\u{9b}b\n---\n",
        "demo | a\u{fffd}b\nyaml_repaired@3:14\nc1_control@3:15",
    ),
    (
        "invisible in name and extra key",
        "---\nname: de\u{200b}mo\ndescription: x\nver\u{202e}sion: 1\n---\n",
        "demo | x | extra version\ninvisible_char@2:9",
    ),
    (
        "escaped invisible",
        "---\nname: demo\ndescription: \"a\\u200Bb\"\n---\n",
        "demo | ab\ninvisible_char@3:14",
    ),
    (
        "emoji stay",
        "---\nname: demo\ndescription: 👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم\n---\n",
        "demo | 👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم",
    ),
    (
        "markup tag",
        "---\nname: demo\ndescription: Ends </skill> here\n---\n",
        "demo | Ends </skill> here\ndescription_markup@3:14",
    ),
    (
        "markup list",
        "---\nname: demo\ndescription: |\n  Does:\n  - name: other\n---\n",
        "demo | Does: - name: other\ndescription_markup@4:3",
    ),
    ("less than is no tag", "---\nname: demo\ndescription: a < b and x <3\n---\n", "demo | a < b and x <3"),
    (
        "name with slash",
        "---\nname: A/B\ndescription: x\n---\n",
        "A/B | x | slug a-b\nname_nonconforming@2:7\nname_dir_mismatch@2:7",
    ),
    (
        "name only invisible",
        "---\nname: '\u{200b}'\ndescription: x\n---\n",
        "demo | x\ninvisible_char@2:8\nname_missing@2:7",
    ),
    (
        "tools text",
        "---\nname: demo\ndescription: x\nallowed-tools: Read, Bash(git add *, git rm:*) Write\n---\n",
        "demo | x | tools Read;Bash(git add *, git rm:*);Write",
    ),
    (
        "tools list",
        "---\nname: demo\ndescription: x\nallowed-tools:\n  - Bash(git add *)\n  - Read\n---\n",
        "demo | x | tools Bash(git add *);Read",
    ),
    (
        "tools broken",
        "---\nname: demo\ndescription: x\nallowed-tools: [Read, Write\n---\n",
        "demo | x | tools [Read;Write\nyaml_repaired@4:16",
    ),
    (
        "tools map",
        "---\nname: demo\ndescription: x\nallowed-tools: {a: b}\n---\n",
        "demo | x\nfield_dropped:allowed-tools@4:16",
    ),
    (
        "hint list",
        "---\nname: demo\ndescription: x\nargument-hint: [date, 'days|hours']\n---\n",
        "demo | x | hint [date] [days|hours]",
    ),
    (
        "when to use",
        "---\nname: demo\ndescription: x\nwhenToUse: a\nwhen_to_use: b\nwhen-not-to-use: [c, d]\n---\n",
        "demo | x | when a | not c d\nduplicate_key:when_to_use@5:1\nkey_variant:when-not-to-use@6:1",
    ),
    (
        "license map",
        "---\nname: demo\ndescription: x\nlicense: {a: b}\n---\n",
        "demo | x\nfield_dropped:license@4:10",
    ),
    (
        "compatibility map",
        "---\nname: demo\ndescription: x\ncompatibility:\n  python: '>=3'\n  os: [linux, mac]\n---\n",
        "demo | x | compatibility python: >=3 os: [\"linux\",\"mac\"]\ncompatibility_not_string@5:3",
    ),
    (
        "metadata shapes",
        "---\nname: demo\ndescription: x\nmetadata:\n  z: 1.10\n  a: ~\n  n: [1.10, 007, true, 'true', ~, \"q\\\"\", {k: v, k: w}]\n  z: 2\n---\n",
        "demo | x | z=1.10 | a=null | n=[1.10,\"007\",true,\"true\",null,\"q\\\"\",{\"k\":\"v\"}]\nduplicate_key:metadata.n.k@7:49\nduplicate_key:metadata.z@8:3\nmetadata_nonstring@6:6",
    ),
    (
        "metadata JSON text",
        "---\nname: demo\ndescription: x\nmetadata: '{\"b\":\"1\",\"a\":[1.10,\"\\u00e9\"],\"b\":2}'\n---\n",
        "demo | x | b=1 | a=[1.10,\"é\"]\nmetadata_json_string@4:11\nduplicate_key:metadata.b@4:11\nmetadata_nonstring@4:11",
    ),
    (
        "metadata text",
        "---\nname: demo\ndescription: x\nmetadata: '{a: b}'\n---\n",
        "demo | x\nfield_dropped:metadata@4:11",
    ),
    (
        "metadata list",
        "---\nname: demo\ndescription: x\nmetadata: [a]\n---\n",
        "demo | x\nfield_dropped:metadata@4:11",
    ),
    (
        "extra keys",
        "---\nname: demo\ndescription: x\nb: 1\na: 2\nb: 3\n---\n",
        "demo | x | extra b;a\nduplicate_key:b@6:1",
    ),
    (
        "too deep",
        "---\nname: demo\ndescription: x\nmetadata: [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]\n---\n",
        "demo | x\nyaml_repaired@4:26\nfield_dropped:metadata@4:1",
    ),
];
