//! Mail from the host to its people: through a mail server, or into a folder of files.
//!
//! A [`Postman`] carries one [`Mail`] at a time. He keeps nothing: what has to be carried, and whether it was, is the
//! business of the host's outbox, so that a mail is tried again after a failure and never lost by a crash.

mod address;

use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::{AsyncFileTransport, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use address::Address;

/// Longest subject, in characters.
pub const SUBJECT_CHARACTERS: usize = 200;
/// Longest text, in bytes.
pub const TEXT_BYTES: usize = 1 << 20;
/// All enclosures together, in bytes.
pub const ENCLOSURE_BYTES: usize = 20 << 20;
/// How long the mail server may take for one answer.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long it may take for a whole mail: less than the host keeps a mail for whoever carries it, so that nobody else begins meanwhile.
const WHOLE: Duration = Duration::from_secs(45);

/// A mail to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mail {
    /// What tells it from every other mail: letters and digits. Carried again it has the same one, so that a mail program
    /// can see that it came twice.
    pub id: String,
    /// To whom.
    pub to: Address,
    /// What it is about, in one line.
    pub subject: String,
    /// The text, plain.
    pub text: String,
    /// Files that go with it.
    pub enclosures: Vec<Enclosure>,
}

/// A file that goes with a mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enclosure {
    /// Its name, without a folder.
    pub name: String,
    /// What it is, such as `text/plain`.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a mail was not carried.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The mail itself is at fault: carrying it again will not help.
    #[error("the mail cannot be sent: {0}")]
    Mail(String),
    /// The way was blocked: it may help to try again later.
    #[error("the mail could not be carried now: {0}")]
    Way(String),
    /// The settings are wrong.
    #[error("{0}")]
    Settings(String),
}

impl PostError {
    /// Whether it is worth trying again.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Way(_))
    }
}

/// Carries mails.
pub struct Postman {
    from: Address,
    way: Way,
}

enum Way {
    Server(AsyncSmtpTransport<Tokio1Executor>),
    Folder(AsyncFileTransport<Tokio1Executor>, PathBuf),
}

impl Postman {
    /// Carries mails to the server of an address such as `smtps://name:password@mail.example.org`, or
    /// `smtp://127.0.0.1:25` for one on this machine; `from` is the sender of all mails.
    pub fn to_server(url: &str, from: Address) -> Result<Self, PostError> {
        let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| PostError::Settings(format!("the mail server's address: {error}")))?
            .timeout(Some(PATIENCE))
            .build();
        Ok(Self {
            from,
            way: Way::Server(server),
        })
    }

    /// Lays every mail as a file into a folder: for trying out, and for hosts that send by other means.
    pub fn to_folder(folder: &Path, from: Address) -> Result<Self, PostError> {
        // A mail may hold a login link: it is its owner's alone.
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .recursive(true)
            .create(folder)
            .map_err(|error| PostError::Settings(format!("{}: {error}", folder.display())))?;
        Ok(Self {
            from,
            way: Way::Folder(AsyncFileTransport::new(folder), folder.to_owned()),
        })
    }

    /// Carries a mail.
    pub async fn carry(&self, mail: &Mail) -> Result<(), PostError> {
        let message = self.compose(mail)?;
        match &self.way {
            Way::Server(server) => match tokio::time::timeout(WHOLE, server.send(message)).await {
                Ok(Ok(_)) => Ok(()),
                // The server refused this very mail for good.
                Ok(Err(error)) if error.is_permanent() => Err(PostError::Mail(error.to_string())),
                Ok(Err(error)) => Err(PostError::Way(error.to_string())),
                Err(_) => Err(PostError::Way("the mail server takes too long".into())),
            },
            Way::Folder(files, folder) => match files.send(message).await {
                Ok(_) => Ok(()),
                Err(error) => Err(PostError::Way(format!("{}: {error}", folder.display()))),
            },
        }
    }

    fn compose(&self, mail: &Mail) -> Result<Message, PostError> {
        check(mail)?;
        let fault = |error: &dyn std::fmt::Display| PostError::Mail(error.to_string());
        let domain = self
            .from
            .mail()
            .rsplit_once('@')
            .map_or("localhost", |(_, domain)| domain);
        let builder = Message::builder()
            .from(mailbox(&self.from)?)
            .to(mailbox(&mail.to)?)
            .message_id(Some(format!("<{}@{domain}>", mail.id)))
            .header(AutoSubmitted)
            .subject(&mail.subject);
        let text = SinglePart::builder()
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text.clone());
        if mail.enclosures.is_empty() {
            return builder.singlepart(text).map_err(|error| fault(&error));
        }
        let mut parts = MultiPart::mixed().singlepart(text);
        for enclosure in &mail.enclosures {
            let kind = ContentType::parse(&enclosure.media_type).map_err(|error| fault(&error))?;
            parts = parts.singlepart(Attachment::new(enclosure.name.clone()).body(enclosure.bytes.clone(), kind));
        }
        builder.multipart(parts).map_err(|error| fault(&error))
    }
}

/// Says that a program wrote the mail, so that no other program answers it (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// A line break in a subject or a file's name could begin a header of its own: such a mail is not carried.
fn check(mail: &Mail) -> Result<(), PostError> {
    let one_line = |what: &str, text: &str| match text.chars().find(|sign| sign.is_control()) {
        Some(_) => Err(PostError::Mail(format!("{what} must be one line"))),
        None => Ok(()),
    };
    if mail.id.is_empty() || mail.id.len() > 64 || !mail.id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(PostError::Mail("its id must be letters and digits".into()));
    }
    one_line("the subject", &mail.subject)?;
    if mail.subject.chars().count() > SUBJECT_CHARACTERS {
        return Err(PostError::Mail("the subject is too long".into()));
    }
    if mail.text.len() > TEXT_BYTES {
        return Err(PostError::Mail("the text is too long".into()));
    }
    let mut bytes = 0_usize;
    for enclosure in &mail.enclosures {
        one_line("the name of an enclosure", &enclosure.name)?;
        if enclosure.name.contains(['/', '\\']) {
            return Err(PostError::Mail(
                "the name of an enclosure must not name a folder".into(),
            ));
        }
        bytes = bytes.saturating_add(enclosure.bytes.len());
    }
    if bytes > ENCLOSURE_BYTES {
        return Err(PostError::Mail("the enclosures are too large".into()));
    }
    Ok(())
}

fn mailbox(address: &Address) -> Result<Mailbox, PostError> {
    let mail = address
        .mail()
        .parse()
        .map_err(|error| PostError::Mail(format!("{}: {error}", address.mail())))?;
    Ok(Mailbox::new(address.name().map(str::to_owned), mail))
}

#[cfg(test)]
mod tests;
