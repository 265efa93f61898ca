//! What a form or a query carries, as pairs of name and value: a name may come more than once.

use crate::error::Fault;
use kernel::form::Values;
use serde::Deserialize;
use std::str::FromStr;

/// Name and value of every field, in the order sent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// Refuses a form with more fields than it can have.
    pub fn limited(self, most: usize) -> Result<Self, Fault> {
        if self.0.len() > most {
            return Err(Fault::TooLarge);
        }
        Ok(self)
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Every value under a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        self.iter().filter(move |(of, _)| *of == name).map(|(_, value)| value)
    }

    /// The first value under a name.
    pub fn one(&self, name: &str) -> Option<&str> {
        self.iter().find(|(of, _)| *of == name).map(|(_, value)| value)
    }

    /// The first value under a name; nothing sent is nothing written.
    pub fn text(&self, name: &str) -> &str {
        self.one(name).unwrap_or_default()
    }

    /// Whether something came under a name, as a box that is ticked does.
    pub fn has(&self, name: &str) -> bool {
        self.one(name).is_some()
    }

    /// The first value under a name as a number, or whatever else is read from text.
    pub fn read<T: FromStr>(&self, name: &str) -> Option<T> {
        self.one(name)?.trim().parse().ok()
    }

    /// What was filled into a form of the game, whose fields are called `form.field`: empty ones were left out.
    pub fn values_of(&self, form: &str) -> Values {
        let own = |name: &str| name.strip_prefix(form)?.strip_prefix('.').map(str::to_owned);
        self.iter()
            .filter(|(_, value)| !value.is_empty())
            .filter_map(|(name, value)| Some((own(name)?, value.replace("\r\n", "\n"))))
            .collect()
    }
}

impl IntoIterator for Pairs {
    type Item = (String, String);
    type IntoIter = std::vec::IntoIter<(String, String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Pairs {
    fn from(pairs: [(&str, &str); N]) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self(pairs.into_iter().map(owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_come_twice_or_not_at_all() {
        let pairs = Pairs::from([("tag", "1"), ("zug", " 7 "), ("tag", "3"), ("leer", "")]);
        assert_eq!(pairs.one("tag"), Some("1"));
        assert_eq!(pairs.all("tag").collect::<Vec<_>>(), ["1", "3"]);
        assert_eq!(pairs.all("tag").next_back(), Some("3"));
        assert_eq!(pairs.read::<u32>("zug"), Some(7));
        assert_eq!(pairs.read::<u32>("leer"), None);
        assert_eq!((pairs.text("leer"), pairs.text("fehlt")), ("", ""));
        assert_eq!((pairs.has("leer"), pairs.has("fehlt")), (true, false));
    }

    #[test]
    fn only_the_fields_of_the_form_are_its_values() {
        let pairs = Pairs::from([
            ("zug.ziel", "4/-2"),
            ("zug.leer", ""),
            ("zug.text", "a\r\nb"),
            ("zugabe.ziel", "5/1"),
            ("zug", "3"),
        ]);
        let expected = [("ziel", "4/-2"), ("text", "a\nb")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(pairs.values_of("zug"), Values::from(expected));
    }

    #[test]
    fn more_fields_than_a_form_has_are_too_many() {
        let pairs = Pairs::from([("a", "1"), ("b", "2")]);
        assert!(pairs.clone().limited(2).is_ok());
        assert!(matches!(pairs.limited(1), Err(Fault::TooLarge)));
    }
}
