//! What hosts send, read without keeping more than is needed: each part is what was expected, null, or odd.
//!
//! An odd part never fails the whole, and what is not looked at takes no memory: of lists the first items are
//! kept, and everything else is passed over as it is read.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{
        Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};

/// A part of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Lenient<T> {
    /// It is missing, or of another kind than expected.
    #[default]
    Odd,
    /// It is null.
    Null,
    /// It is as expected.
    Is(T),
}

impl<T> Lenient<T> {
    /// The part, when it is as expected.
    pub(super) fn get(&self) -> Option<&T> {
        match self {
            Self::Is(part) => Some(part),
            Self::Odd | Self::Null => None,
        }
    }
}

impl Lenient<String> {
    /// The text, when it is one.
    pub(super) fn text(&self) -> Option<&str> {
        self.get().map(String::as_str)
    }
}

impl<T: Copy> Lenient<T> {
    /// The number or truth value, when it is one.
    pub(super) fn value(&self) -> Option<T> {
        self.get().copied()
    }
}

/// What a part can be made of; each kind that is not taken is odd.
pub(super) trait Part: Sized {
    /// From a text.
    fn from_text(_: &str) -> Option<Self> {
        None
    }

    /// From a whole number that is not negative.
    fn from_number(_: u64) -> Option<Self> {
        None
    }

    /// From a truth value.
    fn from_flag(_: bool) -> Option<Self> {
        None
    }

    /// From an object, which is read to its end in any case.
    fn from_map<'de, A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        IgnoredAny.visit_map(map)?;
        Ok(None)
    }

    /// From a list, which is read to its end in any case.
    fn from_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Option<Self>, A::Error> {
        IgnoredAny.visit_seq(list)?;
        Ok(None)
    }
}

impl Part for String {
    fn from_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Part for u64 {
    fn from_number(number: u64) -> Option<Self> {
        Some(number)
    }
}

impl Part for bool {
    fn from_flag(flag: bool) -> Option<Self> {
        Some(flag)
    }
}

/// Reads an object whose fields are those of `T`.
pub(super) fn fields<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: A) -> Result<Option<T>, A::Error> {
    T::deserialize(MapAccessDeserializer::new(map)).map(Some)
}

impl<'de, T: Part> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor(PhantomData))
    }
}

struct PartVisitor<T>(PhantomData<T>);

fn part<T>(found: Option<T>) -> Lenient<T> {
    found.map_or(Lenient::Odd, Lenient::Is)
}

impl<'de, T: Part> Visitor<'de> for PartVisitor<T> {
    type Value = Lenient<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(part(T::from_text(text)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(part(T::from_number(number)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(part(u64::try_from(number).ok().and_then(T::from_number)))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Lenient::Odd)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(part(T::from_flag(flag)))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Lenient::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::from_map(map).map(part)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        T::from_list(list).map(part)
    }
}

/// A whole answer, which must be an object: a list of the values of its fields is none.
pub(super) struct Object<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// The first items of a list, at most `MOST`; what is no list is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct List<T, const MOST: usize>(pub(super) Vec<Lenient<T>>);

impl<'de, T: Part, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

impl<T: Part, const MOST: usize> Part for List<T, MOST> {
    fn from_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Option<Self>, A::Error> {
        Self::deserialize(SeqAccessDeserializer::new(list)).map(Some)
    }
}

struct ListVisitor<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Part, const MOST: usize> Visitor<'de> for ListVisitor<T, MOST> {
    type Value = List<T, MOST>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while items.len() < MOST {
            let Some(item) = list.next_element()? else { return Ok(List(items)) };
            items.push(item);
        }
        IgnoredAny.visit_seq(list)?;
        Ok(List(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_as_expected_null_or_odd() {
        let text = |json: &str| serde_json::from_str::<Lenient<String>>(json).unwrap();
        let number = |json: &str| serde_json::from_str::<Lenient<u64>>(json).unwrap();
        let flag = |json: &str| serde_json::from_str::<Lenient<bool>>(json).unwrap();
        assert_eq!(text("\"a\\u0062\"").text(), Some("ab"));
        assert_eq!((number("7").value(), flag("true").value()), (Some(7), Some(true)));
        assert_eq!((text("null"), number("null")), (Lenient::Null, Lenient::Null));
        for odd in ["-7", "7.5", "[[1], {}]", "{\"a\": [{}]}"] {
            assert_eq!((text(odd), number(odd), flag(odd)), (Lenient::Odd, Lenient::Odd, Lenient::Odd));
        }
    }

    #[test]
    fn of_a_list_the_first_items_are_kept_and_the_rest_is_read_over() {
        let list = |json: &str| serde_json::from_str::<List<u64, 2>>(json);
        assert_eq!(list("[1]").unwrap().0, [Lenient::Is(1)]);
        assert_eq!(list("[1, {}, 3, [4], \"5\"]").unwrap().0, [Lenient::Is(1), Lenient::Odd]);
        for broken in ["[1, 2, 3", "[1, 2, }]", "{}", "null", "7"] {
            assert!(list(broken).is_err(), "{broken}");
        }
        let nested = serde_json::from_str::<Lenient<List<u64, 1>>>("[1, 2]").unwrap();
        assert_eq!(nested.get().unwrap().0, [Lenient::Is(1)]);
    }
}
