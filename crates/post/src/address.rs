//! Addresses of mail.

use crate::PostError;
use std::fmt;
use std::str::FromStr;

/// A mail address, perhaps with a name: `Reich Adler <adler@example.org>` or `adler@example.org`.
///
/// An address that was read is safe to put into a mail: it has one line, and lettre can read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    name: Option<String>,
    mail: String,
}

impl Address {
    /// The address itself.
    pub fn mail(&self) -> &str {
        &self.mail
    }

    /// The name before it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl FromStr for Address {
    type Err = PostError;

    fn from_str(text: &str) -> Result<Self, PostError> {
        let wrong = || PostError::Mail(format!("{text:?} is not a mail address"));
        if text.len() > 320 || text.chars().any(char::is_control) {
            return Err(wrong());
        }
        let (name, mail) = match text.trim().strip_suffix('>') {
            Some(rest) => {
                let (name, mail) = rest.rsplit_once('<').ok_or_else(wrong)?;
                (Some(name.trim().trim_matches('"').to_owned()), mail)
            }
            None => (None, text.trim()),
        };
        mail.parse::<lettre::Address>().map_err(|_| wrong())?;
        Ok(Self {
            name: name.filter(|name| !name.is_empty()),
            mail: mail.to_owned(),
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} <{}>", self.mail),
            None => write!(f, "{}", self.mail),
        }
    }
}
