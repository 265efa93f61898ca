//! What lies on the desks of the demo world, so that nobody opens an empty drawer: letters, an issue of the newspaper, a notice, a
//! deadline, and two seats for whoever wants to join. Its words stand in `locale/*/web-demo.toml`.

use host::letter::{Draft, LetterKind};
use host::membership::Admission;
use host::newspaper::{Manuscript, Section};
use host::schedule::Rhythm;
use host::world::{Seat, World};
use host::{Host, HostError};
use kernel::realm::{RealmId, Viewer};
use web::words::Words;

/// The time zone of the demo's people.
pub const ZONE: &str = "Europe/Berlin";

/// Letters: who writes, who reads, key of the words. The number 0 is the game master.
const LETTERS: [(u16, u16, &str); 4] = [
    (2, 1, "demo.letter-bear"),
    (1, 2, "demo.letter-eagle"),
    (3, 1, "demo.letter-chimera"),
    (0, 1, "demo.letter-master"),
];

/// Words for everybody: who writes, what it is, key of the words.
const PUBLIC: [(u16, LetterKind, &str); 2] = [
    (2, LetterKind::Proclamation, "demo.proclamation"),
    (3, LetterKind::Rumour, "demo.rumour"),
];

/// The pieces of the newspaper, in order.
const PIECES: [(Section, &str); 4] = [
    (Section::Lead, "demo.news-lead"),
    (Section::Article, "demo.news-article"),
    (Section::Prices, "demo.news-prices"),
    (Section::Advert, "demo.news-advert"),
];

/// Realms at the end of the list whose seats are free.
const FREE: usize = 2;

fn writer(number: u16) -> Viewer {
    match number {
        0 => Viewer::GameMaster,
        realm => Viewer::Realm(RealmId(realm)),
    }
}

/// Puts letters into the post; in most games they come with the next turn.
pub async fn write_letters(host: &Host, world: &World, seats: &[Seat], words: Words) -> Result<(), HostError> {
    let plays = |number: u16| number == 0 || seats.iter().any(|seat| seat.realm.0 == number);
    let name = |number: u16| {
        seats
            .iter()
            .find(|seat| seat.realm.0 == number)
            .map(|seat| seat.name.clone())
    };
    let letters = LETTERS.map(|(from, to, key)| (from, Some(to), LetterKind::default(), key));
    let public = PUBLIC.map(|(from, kind, key)| (from, None, kind, key));
    for (from, to, kind, key) in letters.into_iter().chain(public) {
        if !plays(from) || !to.is_none_or(plays) {
            continue;
        }
        let draft = Draft {
            kind,
            recipients: to.map(writer).into_iter().collect(),
            subject: words.t(&format!("{key}.subject")),
            body: words.t(&format!("{key}.text")),
            signature: name(from).unwrap_or_default(),
        };
        let post = host.letters(world, writer(from));
        let id = post.write_draft(&draft, None).await?;
        match post.send(&id, &draft).await {
            Ok(_) => {}
            // Not every book lets strangers write to each other, or has rumours.
            Err(HostError::Letter(_)) => post.discard_draft(&id).await?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Prints an issue, hangs out a notice, sets the rhythm of deadlines and opens two seats.
pub async fn furnish(host: &Host, world: &World, seats: &[Seat], words: Words) -> Result<(), HostError> {
    let paper = host.newspaper(world, Viewer::GameMaster);
    let issue = paper.open_issue().await?;
    for (section, key) in PIECES {
        let piece = Manuscript {
            section,
            title: words.t(&format!("{key}.title")),
            deck: words.t(&format!("{key}.deck")),
            body: words.t(&format!("{key}.text")),
            byline: words.t(&format!("{key}.by")),
            ..Manuscript::default()
        };
        let id = paper.submit(&piece).await?;
        paper.accept(&id, issue).await?;
    }
    paper.gather(issue).await?;
    paper.set_place(issue, &words.t("demo.news-place")).await?;
    paper.publish(issue).await?;
    host.announce(world, &words.t("demo.notice.title"), &words.t("demo.notice.text"))
        .await?;
    let now = host::now();
    let rhythm = Rhythm {
        zone: ZONE.to_owned(),
        weekdays: vec![7],
        minute: 20 * 60,
        every_weeks: 2,
        anchor: web::time::day(ZONE, now),
        hours_min: 72,
    };
    host.set_rhythm(world, Some(&rhythm), now).await?;
    let free = seats.iter().skip(super::SEATS).rev().take(FREE);
    for seat in free.filter(|seat| seat.computer) {
        host.vacate_seat(world, seat.realm).await?;
    }
    host.set_admission(world, Admission::Public, &words.t("demo.introduction"))
        .await
}
