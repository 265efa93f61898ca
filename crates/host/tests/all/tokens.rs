//! Tokens of programs: shown once, stored as a hash, bounded, ended, taken back.

use crate::common::{account, open};
use host::HostError;
use host::account::AccountError;
use host::limits;
use host::token::{NewToken, PREFIX, Scope};

const NOW: i64 = 1_800_000_000_000;
const MINUTE: i64 = 60_000;

fn plan(name: &str, scope: Scope, expires_at: Option<i64>) -> NewToken {
    NewToken {
        name: name.into(),
        scope,
        expires_at,
    }
}

fn refused(error: HostError) -> AccountError {
    match error {
        HostError::Account(error) => error,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_token_opens_its_owners_account_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let (mira, jonas) = (account(&host, "Mira").await, account(&host, "Jonas").await);
    let made = host
        .make_token(&mira.id, &plan(" Bot ", Scope::Write, None), NOW)
        .await
        .unwrap();
    assert_eq!((made.token.name.as_str(), made.token.scope), ("Bot", Scope::Write));
    assert!(made.secret.starts_with(PREFIX) && made.secret.len() == PREFIX.len() + 64);
    let (token, owner) = host.token(&made.secret, NOW).await.unwrap().unwrap();
    assert_eq!(
        (token.id.as_str(), owner.id.as_str()),
        (made.token.id.as_str(), mira.id.as_str())
    );
    for wrong in [
        "",
        PREFIX,
        made.secret.trim_start_matches(PREFIX),
        &made.token.id,
        &format!("{PREFIX}{}", "0".repeat(64)),
        &format!("{}0", made.secret),
        &made.secret.replace(PREFIX, "BW_"),
    ] {
        assert!(host.token(wrong, NOW).await.unwrap().is_none(), "{wrong:?}");
    }
    assert!(!host.revoke_token(&jonas.id, &made.token.id).await.unwrap(), "not his");
    assert!(host.tokens(&jonas.id, NOW).await.unwrap().is_empty());
    assert!(host.revoke_token(&mira.id, &made.token.id).await.unwrap());
    assert!(host.token(&made.secret, NOW).await.unwrap().is_none());
    assert!(!host.revoke_token(&mira.id, &made.token.id).await.unwrap(), "only once");
}

#[tokio::test]
async fn a_token_ends_at_its_time_and_notes_its_use_every_five_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let mira = account(&host, "Mira").await;
    let end = NOW + 10 * MINUTE;
    let made = host
        .make_token(&mira.id, &plan("Bot", Scope::Read, Some(end)), NOW)
        .await
        .unwrap();
    let used = async |at: i64| {
        let found = host.token(&made.secret, at).await.unwrap();
        found.map(|(token, _)| token.used_at)
    };
    assert_eq!(host.tokens(&mira.id, NOW).await.unwrap()[0].used_at, None);
    assert_eq!(used(NOW + 1).await, Some(Some(NOW + 1)));
    assert_eq!(
        used(NOW + 5 * MINUTE).await,
        Some(Some(NOW + 1)),
        "one millisecond too early"
    );
    assert_eq!(used(NOW + 5 * MINUTE + 1).await, Some(Some(NOW + 5 * MINUTE + 1)));
    assert!(used(end - 1).await.is_some());
    assert_eq!(used(end).await, None);
    assert_eq!(host.tokens(&mira.id, end - 1).await.unwrap().len(), 1);
    assert!(host.tokens(&mira.id, end).await.unwrap().is_empty());
}

#[tokio::test]
async fn names_ends_and_numbers_of_tokens_have_limits() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let mira = account(&host, "Mira").await;
    let make = async |name: &str, end: Option<i64>, now: i64| {
        let made = host.make_token(&mira.id, &plan(name, Scope::Read, end), now).await;
        made.map_err(refused)
    };
    let longest = "x".repeat(limits::NAME_CHARACTERS);
    assert_eq!(make("  ", None, NOW).await.unwrap_err(), AccountError::BadTokenName);
    assert_eq!(make("a\nb", None, NOW).await.unwrap_err(), AccountError::BadTokenName);
    assert_eq!(
        make(&format!("{longest}x"), None, NOW).await.unwrap_err(),
        AccountError::BadTokenName
    );
    assert_eq!(
        make("Bot", Some(NOW), NOW).await.unwrap_err(),
        AccountError::BadTokenEnd
    );
    make(&longest, Some(NOW + 1), NOW).await.unwrap();
    for number in 1..limits::TOKENS {
        make(&number.to_string(), None, NOW).await.unwrap();
    }
    assert_eq!(
        make("one more", None, NOW).await.unwrap_err(),
        AccountError::TooManyTokens
    );
    make("after one has ended", None, NOW + 1).await.unwrap();
    assert_eq!(
        host.tokens(&mira.id, NOW + 1).await.unwrap().len() as i64,
        limits::TOKENS
    );
}

#[tokio::test]
async fn a_token_of_a_locked_account_opens_nothing_until_the_account_is_open_again() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    // The first account keeps the host and cannot be locked.
    account(&host, "Admin").await;
    let mira = account(&host, "Mira").await;
    let made = host
        .make_token(&mira.id, &plan("Bot", Scope::Read, None), NOW)
        .await
        .unwrap();
    host.lock_account(&mira.id, true).await.unwrap();
    assert!(host.token(&made.secret, NOW).await.unwrap().is_none());
    host.lock_account(&mira.id, false).await.unwrap();
    assert!(host.token(&made.secret, NOW).await.unwrap().is_some());
}

#[tokio::test]
async fn a_text_with_a_letter_that_one_database_cannot_keep_is_refused_by_both() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = crate::common::world(&host, "Eins").await;
    let refused = host.write_note(&world, None, "a\0b").await.unwrap_err();
    assert!(matches!(refused, HostError::Malformed(_)), "{refused}");
    host.write_note(&world, None, "ab").await.unwrap();
}

/// Nothing is written while keys are used, and everything before somebody looks.
#[tokio::test]
async fn the_use_of_a_token_is_written_down_later_and_before_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mira = {
        let host = open(folder.path()).await;
        let mira = account(&host, "Mira").await;
        let made = host
            .make_token(&mira.id, &plan("Bot", Scope::Read, None), NOW)
            .await
            .unwrap();
        assert!(host.token(&made.secret, NOW + 7).await.unwrap().is_some());
        assert_eq!(host.tokens(&mira.id, NOW + 8).await.unwrap()[0].used_at, Some(NOW + 7));
        assert!(host.token(&made.secret, NOW + 6 * MINUTE).await.unwrap().is_some());
        host.write_touches().await.unwrap();
        mira
    };
    let host = open(folder.path()).await;
    let found = &host.tokens(&mira.id, NOW + 7 * MINUTE).await.unwrap()[0];
    assert_eq!(found.used_at, Some(NOW + 6 * MINUTE), "it outlives the program");
}
