//! Mail of the host in words: what waits in the outbox becomes subject and text in the language of its reader.
//!
//! A mail of kind `reminder` has its wording under `mail.reminder.subject` and `mail.reminder.text`. Its details are the
//! values of both; those whose name ends with `_at` are moments and are told in the reader's time zone.

use crate::error::Fault;
use crate::pages::report::{aside, text_of};
use crate::state::Web;
use crate::time;
use crate::words::Words;
use host::account::Account;
use host::outbox::{NewMail, OutgoingMail};
use kernel::realm::{RealmId, Viewer};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use render::locale::{Language, Wording};
use serde_json::{Value, json};

/// A mail in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// Mail address.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Text.
    pub text: String,
    /// Reports that go with it: the name of the file and the text.
    pub reports: Vec<(String, String)>,
}

/// Puts a login link into the outbox.
pub async fn login_link(web: &Web, account: &Account, token: &str, now: i64) -> Result<(), Fault> {
    let link = format!("{}/anmelden/link/{token}", web.settings.public_url);
    let key = format!("login-link {}", blake3::hash(token.as_bytes()).to_hex());
    let mail = NewMail {
        key: &key,
        account: &account.id,
        kind: "login-link",
        details: json!({ "link": link }),
        send_at: now,
        expires_at: Some(now + host::account::LINK_MILLISECONDS),
    };
    Ok(web.host.post(&mail, now).await?)
}

/// What stands as it is in the address of a page.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// The way to a page of a world, for somebody who may have to sign in first: for everybody else there is no such page.
fn way_in(public_url: &str, world: &str, part: &str) -> String {
    let page = format!("/welt/{}/{part}", utf8_percent_encode(world, NON_ALPHANUMERIC));
    format!("{public_url}/anmelden?weiter={}", utf8_percent_encode(&page, PLAIN))
}

/// Puts a mail into words, with the reports that its reader wishes; nothing if he has no address any more or its kind has no wording.
pub async fn letter(web: &Web, mail: &OutgoingMail) -> Result<Option<Letter>, Fault> {
    let reports = reports(web, mail).await?;
    Ok(in_words(&web.settings.public_url, mail, reports))
}

/// The reports that go with a mail about a turn. An address that nobody has confirmed may be somebody else's: it gets none.
async fn reports(web: &Web, mail: &OutgoingMail) -> Result<Vec<(String, String)>, Fault> {
    let details = &mail.details;
    let (Some(world), Some(turn), true) = (
        details.get("world_id").and_then(Value::as_str),
        details.get("turn").and_then(Value::as_u64),
        mail.account.confirmed,
    ) else {
        return Ok(Vec::new());
    };
    let realms: Vec<RealmId> = details
        .get("reports")
        .and_then(|realms| serde_json::from_value(realms.clone()).ok())
        .unwrap_or_default();
    let mut reports = Vec::new();
    if realms.is_empty() {
        return Ok(reports);
    }
    let world = web.host.world(Some(world)).await?;
    let step = u32::try_from(turn).map_err(|_| Fault::Missing)?;
    let account = &mail.account.id;
    let member = web.host.membership(&world, account, web.clock.now()).await?;
    for realm in &realms {
        // The mail has waited: meanwhile the seat may be somebody else's.
        if member.seat != Some(*realm) && !member.stands_in.contains(realm) {
            continue;
        }
        let view = web.host.view(&world, Viewer::Realm(*realm), Some(step)).await;
        // A turn that was taken back meanwhile has no report.
        let Ok((_, view)) = view else { continue };
        let game = web.host.game(&world.game)?;
        let wording = Wording::of(game.name(), language(&mail.account));
        let file = game.files().report;
        let text = aside(move || text_of(&*game, wording, &view)).await?;
        let name = match realms.len() {
            1 => file.to_owned(),
            _ => format!("{realm}-{file}"),
        };
        reports.push((name, text));
    }
    Ok(reports)
}

fn language(account: &Account) -> Language {
    Language::from_code(&account.language).unwrap_or_default()
}

/// Puts a mail into words that go with these reports.
pub fn in_words(public_url: &str, mail: &OutgoingMail, reports: Vec<(String, String)>) -> Option<Letter> {
    let account = &mail.account;
    let words = Words::of(language(account));
    let key = |part: &str| format!("mail.{}.{part}", mail.kind);
    let known = words.t(&key("subject")) != key("subject");
    let to = account.mail.clone().filter(|_| known)?;
    let mut values = vec![("name", account.name.clone()), ("host", public_url.to_owned())];
    if let Some(world) = mail.details.get("world").and_then(Value::as_str) {
        let parts = [
            ("orders", "befehle"),
            ("letters", "briefe"),
            ("lead", "leitung"),
            ("report", "bericht"),
            ("record", "chronik"),
        ];
        for (name, part) in parts {
            values.push((name, way_in(public_url, world, part)));
        }
    }
    // A turn without a deadline has no sentence about it.
    let due = mail.details.get("due_at").and_then(Value::as_i64);
    let sentence = if mail.kind == "turn" {
        "mail.next-due"
    } else {
        "mail.due"
    };
    let due = due.map(|at| words.t1(sentence, "when", time::moment(words, &account.zone, at)));
    values.push(("due", due.unwrap_or_default()));
    let enclosed = (!reports.is_empty()).then(|| words.t("mail.enclosed"));
    values.push(("enclosed", enclosed.unwrap_or_default()));
    for (name, value) in mail.details.as_object().into_iter().flatten() {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => match number.as_i64() {
                Some(at) if name.ends_with("_at") => time::moment(words, &account.zone, at),
                Some(number) => words.number(number),
                None => number.to_string(),
            },
            _ => continue,
        };
        values.push((name, text));
    }
    // A line break in a name must not begin a new header line.
    let subject = words.with(&key("subject"), &values).replace(['\r', '\n'], " ");
    let text = format!(
        "{}\n{}",
        words.with(&key("text"), &values),
        words.with("mail.close", &values)
    );
    Some(Letter {
        to,
        subject,
        text,
        reports,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_leads_straight_to_its_page_by_way_of_signing_in() {
        assert_eq!(
            way_in("https://host.example", "Demo", "befehle"),
            "https://host.example/anmelden?weiter=/welt/Demo/befehle"
        );
        // Read once as a value of the query and once as a path.
        assert_eq!(
            way_in("https://host.example", "A & B", "briefe"),
            "https://host.example/anmelden?weiter=/welt/A%2520%2526%2520B/briefe"
        );
    }

    #[test]
    fn every_kind_of_mail_that_the_host_writes_has_its_wording() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut kinds = Vec::new();
        let mut folders = vec![root.join("src"), root.join("../host/src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let source = std::fs::read_to_string(path).unwrap();
                let source = source.split("#[cfg(test)]").next().unwrap();
                for mail in source.split("NewMail {").skip(1) {
                    let kind = mail
                        .split("kind: \"")
                        .nth(1)
                        .map(|rest| rest.split('"').next().unwrap().to_owned());
                    kinds.extend(kind);
                }
                for mail in source.split("post(tx, &key, &account, \"").skip(1) {
                    kinds.push(mail.split('"').next().unwrap().to_owned());
                }
            }
        }
        assert!(kinds.len() >= 12, "the search finds the mails: {kinds:?}");
        for kind in kinds {
            for language in Language::ALL {
                for part in ["subject", "text"] {
                    let key = format!("mail.{kind}.{part}");
                    assert_ne!(Words::of(language).t(&key), key, "{}", language.code());
                }
            }
        }
    }
}
