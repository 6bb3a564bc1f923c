//! The price of a catalog in tokens, and the choice of what fits into a budget.
//!
//! Invariant: an estimate is the price of exactly the bytes that are printed, escapes and frame
//! included, and a choice never costs more than its budget. Items are taken in the order given; a
//! large one that does not fit makes way for later, smaller ones. Every item is rendered once.

use super::catalog::CatalogItem;
use super::formats::{Format, escaped_len};

/// The bytes that count as one token: a cautious figure for mixed English and Chinese text.
const BYTES_PER_TOKEN: usize = 3;

/// The fixed part of the catalog message of dsh-skillflux, in bytes.
const UPSTREAM_FRAME: usize = 366;

/// What surrounds the name and the description of one entry in that message: a list marker, two
/// backticks, a colon, a space and a line feed.
const UPSTREAM_ENTRY: usize = 7;

/// The estimated tokens of a text of `bytes` UTF-8 bytes.
pub fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u64::MAX)
}

/// What an estimate is an estimate of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pricing {
    /// The catalog as it is printed in a format.
    Printed(Format),
    /// The catalog message of dsh-skillflux, whose budget cases are an evaluation corpus.
    Upstream,
}

/// A choice of items within a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// The indices of the items that fit, in order.
    pub kept: Vec<usize>,
    /// The estimated tokens of a catalog of these.
    pub tokens: u64,
    /// Those that did not fit, in order; what comes after the last place was taken is not among them.
    pub dropped: Vec<Dropped>,
}

/// An item that did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// Its index among the items given.
    pub index: usize,
    /// The tokens that the catalog would have taken with it, at its turn.
    pub tokens: u64,
}

/// The estimated tokens of a catalog of `items`; 0 for none.
pub fn estimate(items: &[CatalogItem], pricing: Pricing) -> u64 {
    if items.is_empty() {
        return 0;
    }
    let bytes = items.iter().map(|item| pricing.item_bytes(item)).sum::<usize>();
    pricing.tokens(pricing.frame_bytes() + bytes)
}

/// Takes at most `most` of `items` in order, each only when the catalog of those taken costs at most
/// `budget` tokens with it; a budget of 0 is no limit.
pub fn fit(items: &[CatalogItem], pricing: Pricing, budget: u64, most: usize) -> Fit {
    let mut fit = Fit { kept: Vec::new(), tokens: 0, dropped: Vec::new() };
    let mut bytes = pricing.frame_bytes();
    for (index, item) in items.iter().enumerate() {
        if fit.kept.len() == most {
            break;
        }
        let with_it = bytes + pricing.item_bytes(item);
        let tokens = pricing.tokens(with_it);
        if budget == 0 || tokens <= budget {
            bytes = with_it;
            fit.tokens = tokens;
            fit.kept.push(index);
        } else {
            fit.dropped.push(Dropped { index, tokens });
        }
    }
    fit
}

impl Pricing {
    fn frame_bytes(self) -> usize {
        match self {
            Self::Printed(format) => format.frame_bytes(),
            Self::Upstream => UPSTREAM_FRAME,
        }
    }

    fn item_bytes(self, item: &CatalogItem) -> usize {
        match self {
            Self::Printed(format) => format.item_bytes(item),
            Self::Upstream => {
                UPSTREAM_ENTRY + item.name.as_str().len() + escaped_len(item.description.as_str())
            }
        }
    }

    fn tokens(self, bytes: usize) -> u64 {
        match self {
            Self::Printed(format) => format.tokens(bytes),
            Self::Upstream => tokens(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::route::catalog::tests::item;
    use crate::skill::text::CatalogText;

    #[test]
    fn three_bytes_are_a_token() {
        for (bytes, expected) in [(0, 0), (1, 1), (3, 1), (4, 2), (418, 140)] {
            assert_eq!(tokens(bytes), expected);
        }
    }

    #[test]
    fn the_upstream_price_of_one_reader() {
        let items = [item("pdf-reader", "Read PDF documents and extract text")];
        assert_eq!(estimate(&items, Pricing::Upstream), 140);
        assert_eq!(estimate(&[], Pricing::Upstream), 0);
        assert_eq!(estimate(&[item("a", "<&>")], Pricing::Upstream), tokens(366 + 7 + 1 + 13));
        assert!(fit(&items, Pricing::Upstream, 139, usize::MAX).kept.is_empty());
        assert_eq!(fit(&items, Pricing::Upstream, 140, usize::MAX).kept, [0]);
    }

    fn hostile_item() -> impl Strategy<Value = CatalogItem> {
        let text =
            || prop_oneof![any::<String>(), "[a-z<>&\"'`\\]\\[(/!? \u{e9}\u{5408}\u{2028}\u{85}]{0,40}"];
        (text(), text(), text(), proptest::option::of(text())).prop_map(
            |(title, description, place, version)| CatalogItem {
                title: CatalogText::label(&title),
                location: CatalogText::location(Path::new(&place)),
                source: CatalogText::label(&place),
                user_invocable: title.len().is_multiple_of(2),
                version: version.map(|version| CatalogText::label(&version)),
                ..item(&title, &description)
            },
        )
    }

    fn pricing() -> impl Strategy<Value = Pricing> {
        let printed = Format::ALL.map(Pricing::Printed);
        proptest::sample::select([printed.as_slice(), &[Pricing::Upstream]].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_estimate_is_the_price_of_what_is_printed(
            items in proptest::collection::vec(hostile_item(), 1..6),
        ) {
            for format in Format::ALL {
                let printed = format.render(&items);
                prop_assert_eq!(estimate(&items, Pricing::Printed(format)), tokens(printed.len()), "{}", printed);
            }
        }

        #[test]
        fn a_choice_is_the_greedy_one_and_within_its_budget(
            items in proptest::collection::vec(hostile_item(), 0..8),
            pricing in pricing(),
            budget in 0_u64..400,
        ) {
            let chosen = fit(&items, pricing, budget, usize::MAX);
            let mut kept: Vec<CatalogItem> = Vec::new();
            let (mut indices, mut dropped) = (Vec::new(), Vec::new());
            for (index, item) in items.iter().enumerate() {
                kept.push(item.clone());
                let tokens = estimate(&kept, pricing);
                if budget == 0 || tokens <= budget {
                    indices.push(index);
                } else {
                    kept.pop();
                    dropped.push(Dropped { index, tokens });
                }
            }
            prop_assert!(budget == 0 || chosen.tokens <= budget);
            prop_assert_eq!(chosen, Fit { kept: indices, tokens: estimate(&kept, pricing), dropped });
        }
    }

    #[test]
    fn nothing_is_tried_once_the_places_are_taken() {
        let items =
            [item("a", "first"), item("b", &"long ".repeat(60)), item("c", "third"), item("d", "fourth")];
        let fit = fit(&items, Pricing::Printed(Format::Lines), 60, 2);
        assert_eq!(fit.kept, [0, 2]);
        assert_eq!(fit.dropped.iter().map(|dropped| dropped.index).collect::<Vec<_>>(), [1]);
        assert_eq!(
            fit.tokens,
            estimate(&[items[0].clone(), items[2].clone()], Pricing::Printed(Format::Lines))
        );
    }
}
