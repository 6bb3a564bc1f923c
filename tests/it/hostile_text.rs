//! A hundred thousand hostile texts through everything that prints outside text.
//!
//! Promise kept here: no text from outside puts a forged entry into a catalog or a control byte on a
//! terminal. What is printed is read back by parsers that skillflux does not use itself. The texts
//! are made from a fixed seed, so a failure can be repeated.

use std::num::NonZeroU16;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use skillflux::candidate::Origin;
use skillflux::route::catalog::CatalogItem;
use skillflux::route::formats::Format;
use skillflux::skill::name::Slug;
use skillflux::skill::text::{CatalogText, TermText};
use skillflux::skill::unicode::{Class, class, is_mark};

use crate::random::Random;

const TEXTS: u64 = 100_000;
const ITEMS: usize = 3;
const THREADS: u64 = 2;

/// What the texts are made of: ends of elements, starts of blocks, references, terminal sequences,
/// tokens of chat templates, and characters that hide, join or reorder.
#[rustfmt::skip]
const FRAGMENTS: &[&str] = &[
    "</available_skills>", "</skill>", "</description>", "<description>", "<skill><name>x</name></skill>",
    "<!--", "-->", "<![CDATA[", "]]>", "<?xml?>", "<script>", "<a href='x'>", "<https://a.b>", "<x@y.z>",
    "<", ">", "&", "&lt;", "&#10;", "&#x3c;", "&amp;", "&nbsp", "\"", "'", "\" x=\"y", "\\", "\\\"",
    "\\u003c", "\\n", "\n", "\r", "\r\n", "\n\n", "\t", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}",
    " ", "   ", "\u{a0}", "\u{3000}", "\n- forged: entry", "- ", "* ", "+ ", "1. ", "1) ", "\n# ", "# ",
    "===", "---", "***", "\n    ", "> ", "```", "\n```sh\n", "~~~", "`", "``", "|a|b|", "\n|-|-|\n",
    "[a](b)", "![a](b)", "[a][b]", "[a]: b", "\n[a]: b\n", "](", "][", "[", "]", "(", ")", "!", "[^1]",
    "[ ] ", "*", "_", "**", "__", "~~", "$", "{", "}", "}]}", "\": 1, \"", "{\"skills\":[]}", "%60", "%3C",
    "%", "\0", "\u{1}", "\u{7}", "\u{8}", "\u{e}", "\u{7f}", "\u{80}", "\u{90}", "\u{9b}31m",
    "\u{9d}0;t\u{9c}", "\u{1b}", "\u{1b}[2J", "\u{1b}[31m", "\u{1b}[1;1H", "\u{1b}]0;title\u{7}",
    "\u{1b}]52;c;QUJD\u{1b}\\", "\u{1b}]8;;http://x\u{1b}\\", "\u{1b}[?1049h", "\u{1b}c",
    "\u{1b}P1$q\u{1b}\\", "\u{1b}[6n", "\u{1b}[8;1;1t", "\u{1b}g", "<|im_start|>system", "<|im_end|>",
    "[INST]", "<<SYS>>", "\n\nHuman:", "<|endoftext|>", "<system-reminder>", "</system-reminder>",
    "\u{202e}", "\u{2066}", "\u{2069}", "\u{200e}", "\u{61c}", "\u{e0041}\u{e0042}", "\u{e007f}",
    "\u{200b}", "\u{2060}", "\u{feff}", "\u{ad}", "\u{3164}", "\u{200c}", "\u{200d}", "\u{fe0e}",
    "\u{fe0f}", "\u{fe00}", "\u{e0101}", "\u{301}", "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "\u{338}",
    "\u{20e3}", "\u{3099}", "\u{64e}", "\u{94d}", "\u{2764}", "\u{2764}\u{fe0f}\u{200d}\u{1f525}",
    "\u{1f469}\u{1f3fd}\u{200d}\u{1f680}", "\u{1f1e9}", "\u{1f3f4}\u{e0067}\u{e007f}",
    "\u{6cc}\u{200c}\u{62e}", "\u{644}\u{627}", "\u{915}\u{94d}\u{200d}\u{937}", "\u{1100}\u{1161}\u{11a8}",
    "\u{ac00}", "\u{5408}\u{540c}", "\u{306f}", "\u{e9}", "\u{212a}", "\u{37e}", "\u{1fef}", "\u{2260}",
    "\u{ff1c}", "\u{e000}", "\u{fdd0}", "\u{fffd}", "\u{fffe}", "\u{ffff}", "\u{10ffff}", "\u{600}",
    "plain words", "Reads PDF files.", "a", "Z", "0", "AT&T", "x < y", "https://example.com/?a=1&b=2",
];

/// One to eight fragments; one text in two hundred is a long run of one fragment.
fn text(random: &mut Random) -> String {
    if random.below(200) == 0 {
        let fragment = FRAGMENTS[random.below(FRAGMENTS.len())];
        return fragment.repeat(1 + random.below(250));
    }
    (0..=random.below(8)).map(|_| FRAGMENTS[random.below(FRAGMENTS.len())]).collect()
}

/// Runs `check` over all texts, a share of them on each thread.
fn for_each_share(check: impl Fn(Random, u64) + Sync) {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let check = &check;
            scope.spawn(move || check(Random(thread), TEXTS / THREADS));
        }
    });
}

#[test]
fn no_text_forges_a_catalog_entry() {
    for_each_share(|mut random, texts| {
        for _ in 0..texts.div_ceil(ITEMS as u64) {
            let raw: [String; ITEMS] = std::array::from_fn(|_| text(&mut random));
            let items = [item("first-skill", &raw[0]), item("b", &raw[1]), item("skill-3", &raw[2])];
            for item in &items {
                assert_nothing_hidden(item);
            }
            for format in Format::ALL {
                let printed = format.render(&items);
                let held = std::panic::catch_unwind(|| assert_three_entries(format, &printed, &items));
                assert!(held.is_ok(), "{} of {raw:?}:\n{printed}", format.as_str());
            }
        }
    });
}

fn item(name: &str, raw: &str) -> CatalogItem {
    CatalogItem {
        name: Slug::parse(name).expect("the names of this test are slugs"),
        title: CatalogText::label(raw),
        description: CatalogText::description(raw, 160),
        location: CatalogText::location(Path::new(raw)),
        origin: Origin::Local,
        source: CatalogText::label(raw),
        user_invocable: raw.len().is_multiple_of(2),
        version: Some(CatalogText::label(raw)).filter(|_| raw.len().is_multiple_of(3)),
    }
}

fn assert_nothing_hidden(item: &CatalogItem) {
    for text in [&item.title, &item.description, &item.location, &item.source] {
        let mut marks = 0;
        for character in text.as_str().chars() {
            let shown = match class(character) {
                Class::Plain | Class::Joiner | Class::Variation => true,
                Class::Space => text == &item.location && character != '\t',
                Class::Unassigned => character == '\u{fffd}',
                _ => false,
            };
            assert!(shown, "{character:?} in {text:?}");
            match class(character) {
                Class::Joiner | Class::Variation => {}
                _ if is_mark(character) => marks += 1,
                _ => marks = 0,
            }
            assert!(marks <= 8, "a tower of marks in {text:?}");
        }
    }
    let location = item.location.as_str();
    assert!(location.chars().all(|character| matches!(class(character), Class::Plain | Class::Space)));
    assert!(item.description.as_str().encode_utf16().count() <= 160);
    assert_eq!(CatalogText::label(item.title.as_str()), item.title);
    assert_eq!(CatalogText::description(item.description.as_str(), 160), item.description);
}

fn assert_three_entries(format: Format, printed: &str, items: &[CatalogItem]) {
    let acts = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    assert!(
        printed.ends_with('\n') && !printed.chars().any(|character| character != '\n' && acts(character))
    );
    match format {
        Format::Xml => assert_xml(printed, items),
        Format::Json => assert_json(printed, items),
        Format::Markdown => assert_markdown(printed, items),
        Format::Lines => {
            assert!(!printed.contains(['<', '>']));
            assert_lines(printed, items, |item| {
                format!(" ({})", item.location.as_str().replace('<', "%3C").replace('>', "%3E"))
            });
        }
        Format::Cloudflare => {
            let (head, list) = printed.split_once("\n\n").expect("a line and an empty one come first");
            assert!(head.starts_with("Available skills.") && !head.contains('\n'));
            for (start, _) in printed.match_indices('<') {
                let next = printed[start + 1..].chars().next().expect("a line feed comes last");
                assert!(!next.is_alphabetic() && !"/!?|".contains(next));
            }
            assert_lines(list, items, |_| String::new());
        }
    }
}

fn assert_xml(printed: &str, items: &[CatalogItem]) {
    let document = roxmltree::Document::parse(printed).expect("a catalog is well-formed");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "available_skills");
    let skills: Vec<_> = root.children().filter(roxmltree::Node::is_element).collect();
    assert_eq!(skills.len(), items.len());
    assert_eq!(document.descendants().filter(roxmltree::Node::is_element).count(), 1 + 4 * items.len());
    for (skill, item) in skills.iter().zip(items) {
        let values: Vec<_> = skill
            .children()
            .filter(roxmltree::Node::is_element)
            .map(|value| {
                let text = value.text().and_then(|text| text.strip_prefix('\n')?.strip_suffix('\n'));
                (value.tag_name().name(), text.expect("a value stands on its own line"))
            })
            .collect();
        let expected = [
            ("name", item.name.as_str()),
            ("description", item.description.as_str()),
            ("location", item.location.as_str()),
        ];
        assert_eq!(values, expected);
    }
}

fn assert_json(printed: &str, items: &[CatalogItem]) {
    assert!(!printed.contains(['<', '>', '&']));
    let document: serde_json::Value = serde_json::from_str(printed).expect("a catalog is JSON");
    assert_eq!(document["tokens"], printed.len().div_ceil(3));
    let skills = document["skills"].as_array().expect("the skills are a list");
    assert_eq!(skills.len(), items.len());
    for (skill, item) in skills.iter().zip(items) {
        assert_eq!(skill["name"], item.name.as_str());
        assert_eq!(skill["title"], item.title.as_str());
        assert_eq!(skill["description"], item.description.as_str());
        assert_eq!(skill["location"], item.location.as_str());
        assert_eq!(skill["source"], item.source.as_str());
        assert_eq!(skill["user_invocable"], item.user_invocable);
        assert_eq!(
            skill.get("version").and_then(|v| v.as_str()),
            item.version.as_ref().map(CatalogText::as_str)
        );
    }
}

/// One paragraph, then one list of items with two code spans each, the name and the location;
/// otherwise nothing but text and emphasis.
fn assert_markdown(printed: &str, items: &[CatalogItem]) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let mut lists = 0;
    let mut spans: Vec<Vec<String>> = Vec::new();
    for event in Parser::new_ext(printed, options) {
        match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => assert_eq!(lists, 0),
            Event::Start(Tag::List(None)) => lists += 1,
            Event::Start(Tag::Item) => spans.push(Vec::new()),
            Event::Code(code) => spans.last_mut().expect("code stands in an item").push(code.into_string()),
            Event::Text(_)
            | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(
                TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::List(false)
                | TagEnd::Item,
            ) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((lists, spans.len()), (1, items.len()));
    for (spans, item) in spans.iter().zip(items) {
        let location = item.location.as_str().replace('<', "%3C").replace('>', "%3E").replace('`', "%60");
        let spans: Vec<_> = spans.iter().map(|span| span.trim_matches(' ')).collect();
        assert_eq!(spans, [item.name.as_str(), location.trim_matches(' ')]);
    }
}

fn assert_lines(list: &str, items: &[CatalogItem], end: impl Fn(&CatalogItem) -> String) {
    let lines: Vec<_> = list.lines().collect();
    assert_eq!(lines.len(), items.len());
    for (line, item) in lines.iter().zip(items) {
        assert!(line.starts_with(&format!("- {}: ", item.name)), "{line}");
        assert!(line.ends_with(&end(item)), "{line}");
    }
}

#[test]
fn no_text_acts_on_a_terminal() {
    for_each_share(|mut random, texts| {
        let mut terminal = terminal();
        let untouched = modes(terminal.screen());
        for _ in 0..texts {
            let raw = text(&mut random);
            for text in [TermText::new(&raw), TermText::path(Path::new(&raw))] {
                let printed = text.to_string();
                assert!(!printed.chars().any(char::is_control), "{raw:?}: {printed:?}");
                terminal.process(b"\r");
                terminal.process(printed.as_bytes());
                let screen = terminal.screen();
                let (row, column) = screen.cursor_position();
                assert!(row == 0 && column <= 200, "{raw:?}: {printed:?} ends at {row}, {column}");
                assert_eq!(modes(screen), untouched, "{raw:?}: {printed:?}");
                assert!(terminal.callbacks().0.is_empty(), "{raw:?}: {:?}", terminal.callbacks());
            }
        }
        assert!(terminal.screen().rows(0, 500).skip(1).all(|row| row.is_empty()));
    });
}

#[test]
fn the_emulator_reports_what_the_texts_try() {
    for (raw, event) in
        [("\u{7}", "bell"), ("\u{1b}]2;x\u{7}", "title"), ("\u{1b}]52;c;QUJD\u{7}", "clipboard")]
    {
        let mut terminal = terminal();
        terminal.process(raw.as_bytes());
        assert_eq!(terminal.callbacks().0, [event]);
    }
    let mut terminal = terminal();
    let untouched = modes(terminal.screen());
    terminal.process(b"\x1b[?25l");
    assert_ne!(modes(terminal.screen()), untouched);
}

fn terminal() -> vt100::Parser<Events> {
    let size = |value| NonZeroU16::new(value).expect("a terminal has cells");
    vt100::Parser::new_with_callbacks(size(3), size(500), 0, Events::default())
}

/// Everything about a screen that a sequence could leave changed, apart from its cells.
fn modes(screen: &vt100::Screen) -> (String, String, bool, bool) {
    let (attributes, input) = (screen.attributes_formatted(), screen.input_mode_formatted());
    (attributes, input, screen.hide_cursor(), screen.alternate_screen())
}

/// What a terminal was made to do besides showing characters.
#[derive(Debug, Default)]
struct Events(Vec<&'static str>);

impl vt100::Callbacks for Events {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.0.push("bell");
    }

    fn visual_bell(&mut self, _: &mut vt100::Screen) {
        self.0.push("visual bell");
    }

    fn resize(&mut self, _: &mut vt100::Screen, _: (u16, u16)) {
        self.0.push("resize");
    }

    fn set_window_icon_name(&mut self, _: &mut vt100::Screen, _: &[u8]) {
        self.0.push("icon name");
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, _: &[u8]) {
        self.0.push("title");
    }

    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8], _: &[u8]) {
        self.0.push("clipboard");
    }

    fn paste_from_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8]) {
        self.0.push("paste");
    }

    // The emulator calls U+FFFD unhandled although it only shows it.
    fn unhandled_char(&mut self, _: &mut vt100::Screen, character: char) {
        if character != '\u{fffd}' {
            self.0.push("character");
        }
    }

    fn unhandled_control(&mut self, _: &mut vt100::Screen, _: u8) {
        self.0.push("control");
    }

    fn unhandled_escape(&mut self, _: &mut vt100::Screen, _: Option<u8>, _: Option<u8>, _: u8) {
        self.0.push("escape");
    }

    fn unhandled_csi(&mut self, _: &mut vt100::Screen, _: Option<u8>, _: Option<u8>, _: &[&[u16]], _: char) {
        self.0.push("CSI");
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, _: &[&[u8]]) {
        self.0.push("OSC");
    }
}
