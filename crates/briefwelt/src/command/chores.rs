//! What a running host does by itself: turns whose deadline has passed, reminders, mail.

use host::HostError;
use host::outbox::OutgoingMail;
use host::worker::{self, Outcome};
use post::{Enclosure, Mail, Postman};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use web::Web;

/// How often the host looks for something to do.
const ROUND: Duration = Duration::from_secs(2);

/// Comes when the host is told to end.
pub async fn end(mut told: watch::Receiver<bool>) {
    // A teller that is gone will not tell any more: that is the end, too.
    let _ = told.wait_for(|told| *told).await;
}

/// Begins to do what is due, again and again, until the host is told to end. Turns do not wait for mail, nor mail for turns: a
/// mail server may be slow, and a turn long.
pub fn begin(web: &Web, postman: Postman, told: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut chores = JoinSet::new();
    chores.spawn(work(web.clone(), told.clone()));
    chores.spawn(post(web.clone(), postman, told.clone()));
    chores
}

/// Runs turns and writes reminders.
async fn work(web: Web, told: watch::Receiver<bool>) {
    while !*told.borrow() {
        if let Err(error) = jobs(&web, &told).await {
            tracing::error!(%error, "chores");
        }
        // Who sits at a board waits for his dice.
        tokio::select! {
            () = pause(&told) => {}
            () = web.work_waits.notified() => {}
        }
    }
    if let Err(error) = web.host.write_touches().await {
        tracing::error!(%error, "chores");
    }
}

/// Carries mail.
async fn post(web: Web, postman: Postman, told: watch::Receiver<bool>) {
    while !*told.borrow() {
        if let Err(error) = mails(&web, &postman, &told).await {
            tracing::error!(%error, "mail");
        }
        pause(&told).await;
    }
}

async fn pause(told: &watch::Receiver<bool>) {
    tokio::select! {
        () = tokio::time::sleep(ROUND) => {}
        () = end(told.clone()) => {}
    }
}

async fn jobs(web: &Web, told: &watch::Receiver<bool>) -> Result<(), HostError> {
    web.host.write_touches().await?;
    while !*told.borrow() {
        // A turn is work for a core: meanwhile other threads answer.
        let handle = tokio::runtime::Handle::current();
        let now = web.clock.now();
        let done = tokio::task::block_in_place(|| handle.block_on(worker::run_once(&web.host, now)))?;
        let Some(done) = done else { break };
        match done.outcome {
            Outcome::Failed(why) => tracing::error!(kind = ?done.job.kind, why, "job failed"),
            outcome => tracing::info!(kind = ?done.job.kind, outcome = %brief(&outcome), "job done"),
        }
    }
    Ok(())
}

async fn mails(web: &Web, postman: &Postman, told: &watch::Receiver<bool>) -> Result<(), HostError> {
    while !*told.borrow() {
        let Some(mail) = web.host.claim_mail(web.clock.now()).await? else {
            break;
        };
        carry(web, postman, &mail).await?;
    }
    Ok(())
}

fn brief(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ran(run) => format!("ran turn {}", run.step),
        Outcome::Waits => "waits for the game master".into(),
        Outcome::Reminded => "reminded".into(),
        Outcome::Nothing | Outcome::Failed(_) => "nothing to do".into(),
    }
}

async fn carry(web: &Web, postman: &Postman, mail: &OutgoingMail) -> Result<(), HostError> {
    let carried = hand_over(web, postman, mail).await;
    let now = web.clock.now();
    match carried {
        Ok(()) => {
            tracing::info!(kind = mail.kind, id = mail.id, "mail sent");
            web.host.mail_sent(mail, now).await
        }
        Err((why, hopeless)) => {
            tracing::warn!(kind = mail.kind, id = mail.id, why, hopeless, "mail not sent");
            web.host.mail_failed(mail, &why, hopeless, now).await
        }
    }
}

/// Hands a mail to the postman; says why it could not be done, and whether another try is hopeless.
async fn hand_over(web: &Web, postman: &Postman, mail: &OutgoingMail) -> Result<(), (String, bool)> {
    let letter = web::mail::letter(web, mail).await;
    let letter = letter.map_err(|fault| (format!("{fault:?}"), false))?;
    let letter = letter.ok_or_else(|| ("no address, or no wording".to_owned(), true))?;
    let to = letter.to.parse();
    let to = to.map_err(|_| ("the address cannot be read".to_owned(), true))?;
    let enclosure = |(name, text): (String, String)| Enclosure {
        name,
        media_type: "text/plain; charset=utf-8".to_owned(),
        bytes: text.into_bytes(),
    };
    let mail = Mail {
        id: mail.id.clone(),
        to,
        subject: letter.subject,
        text: letter.text,
        enclosures: letter.reports.into_iter().map(enclosure).collect(),
    };
    let carried = postman.carry(&mail).await;
    carried.map_err(|error| (error.to_string(), !error.is_passing()))
}
