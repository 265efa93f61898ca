//! What a running host does by itself: turns whose deadline has passed, reminders, mail.

use host::HostError;
use host::outbox::OutgoingMail;
use host::worker::{self, Outcome};
use post::{Mail, Postman};
use std::time::Duration;
use tokio::sync::watch;
use web::Web;

/// How often the host looks for something to do.
const ROUND: Duration = Duration::from_secs(2);

/// Comes when the host is told to end.
pub async fn end(mut told: watch::Receiver<bool>) {
    // A teller that is gone will not tell any more: that is the end, too.
    let _ = told.wait_for(|told| *told).await;
}

/// Does what is due, again and again, until the host is told to end.
pub async fn work(web: Web, postman: Postman, told: watch::Receiver<bool>) {
    while !*told.borrow() {
        if let Err(error) = round(&web, &postman, &told).await {
            tracing::error!(%error, "chores");
        }
        tokio::select! {
            () = tokio::time::sleep(ROUND) => {}
            () = end(told.clone()) => {}
        }
    }
    if let Err(error) = web.host.write_touches().await {
        tracing::error!(%error, "chores");
    }
}

async fn round(web: &Web, postman: &Postman, told: &watch::Receiver<bool>) -> Result<(), HostError> {
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
    let hopeless = |why: &str| (why.to_owned(), true);
    let carried = match web::mail::in_words(&web.settings.public_url, mail) {
        Some(letter) => match letter.to.parse() {
            Ok(to) => {
                let mail = Mail {
                    to,
                    subject: letter.subject,
                    text: letter.text,
                    enclosures: Vec::new(),
                };
                let carried = postman.carry(&mail).await;
                carried.map_err(|error| (error.to_string(), !error.is_passing()))
            }
            Err(_) => Err(hopeless("the address cannot be read")),
        },
        None => Err(hopeless("no address, or no wording")),
    };
    let now = web.clock.now();
    match carried {
        Ok(()) => web.host.mail_sent(mail, now).await,
        Err((why, hopeless)) => {
            tracing::warn!(kind = mail.kind, why, hopeless, "mail not sent");
            web.host.mail_failed(mail, &why, hopeless, now).await
        }
    }
}
