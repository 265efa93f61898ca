//! Letters: who reads them and who does not, when they come, what is refused.

use crate::common::{arrival, open, plan, world};
use host::letter::{Custom, Draft, Folder, LetterError, LetterKind, LetterState, Post};
use host::step::RunPlan;
use host::world::World;
use host::{Host, HostError, limits};
use kernel::game::Delivery;
use kernel::realm::{RealmId, Viewer};

const ADLER: Viewer = Viewer::Realm(RealmId(1));
const BEAR: Viewer = Viewer::Realm(RealmId(2));
const CHIMERA: Viewer = Viewer::Realm(RealmId(3));
const MASTER: Viewer = Viewer::GameMaster;

fn why<T: std::fmt::Debug>(result: host::Result<T>) -> LetterError {
    match result {
        Err(HostError::Letter(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn letter(to: &[Viewer], body: &str) -> Draft {
    Draft {
        recipients: to.iter().copied().collect(),
        subject: "Vom Paß".into(),
        body: body.into(),
        signature: "Der Herr vom Horst".into(),
        ..Draft::default()
    }
}

fn public(kind: LetterKind, body: &str) -> Draft {
    Draft {
        kind,
        ..letter(&[], body)
    }
}

async fn send(post: &Post<'_>, draft: &Draft) -> host::Result<(String, LetterState)> {
    let id = post.write_draft(draft, None).await?;
    let state = post.send(&id, draft).await?;
    Ok((id, state))
}

async fn bodies(post: &Post<'_>, folder: Folder) -> Vec<String> {
    let found = post.folder(folder, "", 0).await.unwrap();
    found.into_iter().map(|headline| headline.body).collect()
}

async fn set(host: &Host, world: &World, change: impl FnOnce(&mut Custom)) {
    let mut custom = host.post_custom(world).await.unwrap();
    change(&mut custom);
    host.letters(world, MASTER).set_custom(&custom).await.unwrap();
}

async fn run(host: &Host, world: &World) {
    for realm in [1, 2] {
        host.submit(world, arrival(realm, b"TAKE 1\n"), host::now())
            .await
            .unwrap();
    }
    host.run(world, RunPlan::default(), &mut |_, _| {}).await.unwrap();
}

#[tokio::test]
async fn only_author_and_recipients_read_a_letter() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let other = host.create(&plan("Zwei"), &mut |_, _| {}).await.unwrap();
    let (id, state) = send(&host.letters(&world, ADLER), &letter(&[BEAR], "Haltet den Paß."))
        .await
        .unwrap();
    assert_eq!(state, LetterState::Delivered);
    for (viewer, reads) in [(ADLER, true), (BEAR, true), (CHIMERA, false), (MASTER, false)] {
        let post = host.letters(&world, viewer);
        assert_eq!(post.letter(&id).await.is_ok(), reads, "{viewer:?}");
        assert_eq!(post.thread(&id).await.is_ok(), reads, "{viewer:?}");
        assert_eq!(bodies(&post, Folder::Inbox).await.len(), usize::from(viewer == BEAR));
        assert_eq!(bodies(&post, Folder::Sent).await.len(), usize::from(viewer == ADLER));
        assert_eq!(post.unread().await.unwrap(), u32::from(viewer == BEAR));
    }
    // Whoever may not read it cannot do anything else with it either, and hears the same as for a letter that never was.
    let stranger = host.letters(&world, CHIMERA);
    let never = "00000000000000000000000000000000";
    for id in [id.as_str(), never, "", "' OR 1=1 --"] {
        assert_eq!(why(stranger.letter(id).await), LetterError::Unknown);
        assert_eq!(why(stranger.file(id, true).await), LetterError::Unknown);
        assert_eq!(why(stranger.report(id, "x").await), LetterError::Unknown);
        assert_eq!(why(stranger.recall(id).await), LetterError::Unknown);
        assert_eq!(
            why(stranger.save_draft(id, &Draft::default()).await),
            LetterError::Unknown
        );
        assert_eq!(why(stranger.discard_draft(id).await), LetterError::Unknown);
        assert_eq!(
            why(stranger.write_draft(&Draft::default(), Some(id)).await),
            LetterError::Unknown
        );
        assert_eq!(why(stranger.pass(id).await), LetterError::Unknown);
        stranger.mark_read(id).await.unwrap();
    }
    assert_eq!(host.letters(&world, BEAR).unread().await.unwrap(), 1);
    // The same seat of another world is another reader.
    for viewer in [ADLER, BEAR, MASTER] {
        assert_eq!(
            why(host.letters(&other, viewer).letter(&id).await),
            LetterError::Unknown
        );
    }
    host.letters(&world, BEAR).mark_read(&id).await.unwrap();
    assert_eq!(host.letters(&world, BEAR).unread().await.unwrap(), 0);
}

#[tokio::test]
async fn a_letter_at_the_step_end_comes_with_the_step_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    set(&host, &world, |custom| custom.delivery = Delivery::StepEnd).await;
    let adler = host.letters(&world, ADLER);
    let (id, state) = send(&adler, &letter(&[BEAR], "Im Winter kommen wir.")).await.unwrap();
    assert_eq!(state, LetterState::Waiting);
    let bear = host.letters(&world, BEAR);
    assert_eq!(why(bear.letter(&id).await), LetterError::Unknown);
    // A step that breaks a law of the game hands nothing out.
    let edict = host.edict(&world, "5000", "too many stones").await.unwrap();
    let anyway = RunPlan {
        without_missing: true,
        ..RunPlan::default()
    };
    assert!(host.run(&world, anyway, &mut |_, _| {}).await.is_err());
    host.withdraw(&world, edict.number).await.unwrap();
    assert_eq!(why(bear.letter(&id).await), LetterError::Unknown);
    assert_eq!(bear.unread().await.unwrap(), 0);
    run(&host, &world).await;
    let came = bear.letter(&id).await.unwrap();
    assert_eq!(came.headline.state, LetterState::Delivered);
    assert_eq!(came.step, Some(1));
    assert!(came.headline.unread && bear.unread().await.unwrap() == 1);
    assert_eq!(why(adler.recall(&id).await), LetterError::NoDraft);
}

#[tokio::test]
async fn what_nobody_has_yet_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    set(&host, &world, |custom| custom.delivery = Delivery::StepEnd).await;
    let adler = host.letters(&world, ADLER);
    let (id, _) = send(&adler, &letter(&[BEAR], "Ein Fehler.")).await.unwrap();
    adler.recall(&id).await.unwrap();
    assert_eq!(adler.drafts().await.unwrap(), 1);
    run(&host, &world).await;
    assert_eq!(bodies(&host.letters(&world, BEAR), Folder::Inbox).await.len(), 0);
    adler.discard_draft(&id).await.unwrap();
    assert_eq!(why(adler.letter(&id).await), LetterError::Unknown);
}

#[tokio::test]
async fn a_letter_over_the_desk_waits_for_the_game_master() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let adler = host.letters(&world, ADLER);
    let (before, _) = send(&adler, &letter(&[BEAR], "Vor der Zensur.")).await.unwrap();
    set(&host, &world, |custom| custom.desk = true).await;
    let (one, state) = send(&adler, &letter(&[BEAR], "Gold für Frieden.")).await.unwrap();
    let (two, _) = send(&adler, &letter(&[BEAR], "Unflat.")).await.unwrap();
    assert_eq!(state, LetterState::Desk);
    let (master, bear) = (host.letters(&world, MASTER), host.letters(&world, BEAR));
    // He reads what passes his desk, not what went before he wished it so.
    assert_eq!(why(master.letter(&before).await), LetterError::Unknown);
    assert_eq!(master.on_desk().await.unwrap().len(), 2);
    assert_eq!(why(bear.letter(&one).await), LetterError::Unknown);
    assert_eq!(why(bear.on_desk().await), LetterError::Unknown);
    assert_eq!(master.pass(&one).await.unwrap(), LetterState::Delivered);
    master.turn_back(&two, "Bitte ohne Unflat.").await.unwrap();
    assert_eq!(
        bodies(&bear, Folder::Inbox).await,
        ["Gold für Frieden.", "Vor der Zensur."]
    );
    let back = adler.letter(&two).await.unwrap();
    assert_eq!(
        (back.headline.state, back.remark.as_str()),
        (LetterState::Returned, "Bitte ohne Unflat.")
    );
    assert_eq!(why(master.pass(&two).await), LetterError::NoDraft);
    assert_eq!(why(bear.letter(&two).await), LetterError::Unknown);
    adler.recall(&two).await.unwrap();
    // Back in the drawer it is nobody's business again.
    assert_eq!(why(master.letter(&two).await), LetterError::Unknown);
}

#[tokio::test]
async fn letters_to_and_from_the_game_master_go_at_once_and_past_every_custom() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    set(&host, &world, |custom| {
        custom.delivery = Delivery::OrderFile;
        custom.desk = true;
    })
    .await;
    let (adler, master) = (host.letters(&world, ADLER), host.letters(&world, MASTER));
    master.silence(RealmId(1), true).await.unwrap();
    let (_, state) = send(&adler, &letter(&[MASTER], "Gilt die Brücke?")).await.unwrap();
    assert_eq!(state, LetterState::Delivered);
    let (_, state) = send(&master, &letter(&[ADLER, BEAR], "Sie gilt.")).await.unwrap();
    assert_eq!(state, LetterState::Delivered);
    assert_eq!(bodies(&master, Folder::Inbox).await, ["Gilt die Brücke?"]);
    assert_eq!(bodies(&host.letters(&world, BEAR), Folder::Inbox).await, ["Sie gilt."]);
    assert_eq!(
        why(send(&adler, &letter(&[MASTER, BEAR], "x")).await),
        LetterError::MasterAlone
    );
    assert_eq!(why(send(&adler, &letter(&[BEAR], "x")).await), LetterError::Silenced);
    master.silence(RealmId(1), false).await.unwrap();
    assert_eq!(why(send(&adler, &letter(&[BEAR], "x")).await), LetterError::OrderFile);
}

#[tokio::test]
async fn a_rumour_comes_to_all_at_the_step_end_and_names_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    set(&host, &world, |custom| custom.rumours = true).await;
    let adler = host.letters(&world, ADLER);
    let (id, state) = send(&adler, &public(LetterKind::Rumour, "Ein Tor atmet."))
        .await
        .unwrap();
    assert_eq!(state, LetterState::Waiting, "even where letters go at once");
    assert!(bodies(&host.letters(&world, BEAR), Folder::Rumours).await.is_empty());
    // Blocking the author must not unmask him.
    host.letters(&world, BEAR).block(RealmId(1), true).await.unwrap();
    run(&host, &world).await;
    for viewer in [ADLER, BEAR, CHIMERA, MASTER] {
        let post = host.letters(&world, viewer);
        assert_eq!(bodies(&post, Folder::Rumours).await, ["Ein Tor atmet."], "{viewer:?}");
    }
    let bear = host.letters(&world, BEAR);
    let rumour = bear.letter(&id).await.unwrap();
    assert_eq!(rumour.headline.author, None);
    assert!(rumour.headline.recipients.is_empty() && !rumour.mine);
    let text = serde_json::to_string(&rumour).unwrap();
    assert!(!text.contains("Adler") && !text.contains("\"Realm\":1"), "{text}");
    // A search for the author's name does not find it.
    assert!(bear.folder(Folder::Rumours, "adler", 0).await.unwrap().is_empty());
    assert_eq!(bear.folder(Folder::Rumours, "TOR", 0).await.unwrap().len(), 1);
    assert_eq!(adler.letter(&id).await.unwrap().headline.author, Some(ADLER));
}

#[tokio::test]
async fn a_proclamation_names_its_author_and_needs_the_custom() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let adler = host.letters(&world, ADLER);
    let draft = public(LetterKind::Proclamation, "Freier Zoll!");
    let (id, _) = send(&adler, &draft).await.unwrap();
    assert_eq!(
        host.letters(&world, BEAR).letter(&id).await.unwrap().headline.author,
        Some(ADLER)
    );
    set(&host, &world, |custom| custom.proclamations = false).await;
    assert_eq!(why(send(&adler, &draft).await), LetterError::NoProclamations);
    assert_eq!(
        why(send(&adler, &public(LetterKind::Rumour, "x")).await),
        LetterError::NoRumours,
        "the toy has no rumours of its own"
    );
    set(&host, &world, |custom| custom.proclamations = true).await;
    for _ in 1..limits::PUBLIC_LETTERS_PER_STEP {
        send(&adler, &draft).await.unwrap();
    }
    assert_eq!(why(send(&adler, &draft).await), LetterError::TooManyPublic);
}

#[tokio::test]
async fn whoever_blocks_a_realm_hears_nothing_of_it_and_it_does_not_notice() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (adler, bear) = (host.letters(&world, ADLER), host.letters(&world, BEAR));
    bear.block(RealmId(1), true).await.unwrap();
    assert_eq!(bear.blocked().await.unwrap(), [RealmId(1)]);
    let (id, state) = send(&adler, &letter(&[BEAR, CHIMERA], "Hört!")).await.unwrap();
    assert_eq!(state, LetterState::Delivered);
    assert_eq!(adler.letter(&id).await.unwrap().headline.recipients, [BEAR, CHIMERA]);
    assert!(bodies(&bear, Folder::Inbox).await.is_empty());
    assert_eq!(why(bear.letter(&id).await), LetterError::Unknown);
    assert_eq!(bodies(&host.letters(&world, CHIMERA), Folder::Inbox).await.len(), 1);
    send(&adler, &public(LetterKind::Proclamation, "Hört alle!"))
        .await
        .unwrap();
    assert!(bodies(&bear, Folder::Proclamations).await.is_empty());
    // What was refused stays refused; what comes later is taken again.
    bear.block(RealmId(1), false).await.unwrap();
    send(&adler, &letter(&[BEAR], "Noch einmal.")).await.unwrap();
    assert_eq!(bodies(&bear, Folder::Inbox).await, ["Noch einmal."]);
    assert_eq!(why(bear.block(RealmId(2), true).await), LetterError::UnknownRecipient);
    assert!(bear.block(RealmId(99), true).await.is_err());
}

#[tokio::test]
async fn a_complaint_opens_just_this_letter_to_the_game_master() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (adler, bear, master) = (
        host.letters(&world, ADLER),
        host.letters(&world, BEAR),
        host.letters(&world, MASTER),
    );
    let (bad, _) = send(&adler, &letter(&[BEAR], "Unflat.")).await.unwrap();
    let (fine, _) = send(&adler, &letter(&[BEAR], "Gruß.")).await.unwrap();
    bear.report(&bad, "Er flucht.").await.unwrap();
    bear.report(&bad, "Noch einmal").await.unwrap();
    let complaints = master.complaints().await.unwrap();
    assert_eq!(complaints.len(), 1);
    assert_eq!(
        (complaints[0].by, complaints[0].reason.as_str()),
        (RealmId(2), "Er flucht.")
    );
    assert!(master.letter(&bad).await.is_ok());
    assert_eq!(why(master.letter(&fine).await), LetterError::Unknown);
    assert!(
        !adler.letter(&bad).await.unwrap().reported,
        "the author does not learn of it"
    );
    assert_eq!(why(adler.report(&bad, "x").await), LetterError::Unknown);
    assert_eq!(why(bear.complaints().await), LetterError::Unknown);
    assert_eq!(master.waiting().await.unwrap().complaints, 1);
    master.answer_complaint(&bad, RealmId(2), "Verwarnt.").await.unwrap();
    assert_eq!(master.waiting().await.unwrap().complaints, 0);
}

#[tokio::test]
async fn answers_make_an_exchange_that_each_reads_as_far_as_it_concerns_him() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (adler, bear) = (host.letters(&world, ADLER), host.letters(&world, BEAR));
    let (first, _) = send(&adler, &letter(&[BEAR], "Eins.")).await.unwrap();
    let draft = letter(&[ADLER, CHIMERA], "Zwei.");
    let second = bear.write_draft(&draft, Some(&first)).await.unwrap();
    bear.send(&second, &draft).await.unwrap();
    let words = |thread: Vec<host::letter::Headline>| thread.into_iter().map(|h| h.body).collect::<Vec<_>>();
    assert_eq!(words(adler.thread(&second).await.unwrap()), ["Eins.", "Zwei."]);
    let chimera = host.letters(&world, CHIMERA);
    assert_eq!(words(chimera.thread(&second).await.unwrap()), ["Zwei."]);
    assert_eq!(chimera.letter(&second).await.unwrap().answers, None);
    assert_eq!(adler.letter(&second).await.unwrap().answers, Some(first));
}

#[tokio::test]
async fn a_successor_on_the_seat_inherits_the_letters() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (id, _) = send(&host.letters(&world, ADLER), &letter(&[BEAR], "Bleibt."))
        .await
        .unwrap();
    host.reseat(&world, RealmId(2), "Somebody else", false).await.unwrap();
    let letter = host.letters(&world, BEAR).letter(&id).await.unwrap();
    let text = serde_json::to_string(&letter).unwrap();
    assert!(
        letter.headline.body == "Bleibt." && !text.contains("Player of"),
        "{text}"
    );
}

#[tokio::test]
async fn what_is_refused_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let adler = host.letters(&world, ADLER);
    let id = adler.write_draft(&letter(&[BEAR], "Erst."), None).await.unwrap();
    for (draft, error) in [
        (letter(&[BEAR], " \n "), LetterError::Empty),
        (letter(&[], "x"), LetterError::NoRecipient),
        (letter(&[ADLER], "x"), LetterError::UnknownRecipient),
        (
            letter(&[Viewer::Realm(RealmId(77))], "x"),
            LetterError::UnknownRecipient,
        ),
        (
            letter(&[BEAR], &"ä".repeat(limits::LETTER_CHARACTERS + 1)),
            LetterError::TooLong,
        ),
    ] {
        assert_eq!(why(adler.send(&id, &draft).await), error);
        assert_eq!(adler.letter(&id).await.unwrap().headline.body, "Erst.");
        assert_eq!(bodies(&host.letters(&world, BEAR), Folder::Inbox).await.len(), 0);
    }
    let longest = letter(&[BEAR], &"ä".repeat(limits::LETTER_CHARACTERS));
    assert_eq!(adler.send(&id, &longest).await.unwrap(), LetterState::Delivered);
    assert_eq!(why(adler.send(&id, &longest).await), LetterError::NoDraft);
    assert_eq!(why(adler.save_draft(&id, &longest).await), LetterError::NoDraft);
    assert_eq!(why(adler.discard_draft(&id).await), LetterError::NoDraft);
}

#[tokio::test]
async fn a_day_has_a_measure_and_so_has_the_drawer() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    set(&host, &world, |custom| custom.per_day = 2).await;
    let adler = host.letters(&world, ADLER);
    for _ in 0..2 {
        send(&adler, &letter(&[BEAR], "x")).await.unwrap();
    }
    assert_eq!(
        why(send(&adler, &letter(&[BEAR], "x")).await),
        LetterError::TooManyToday(2)
    );
    let bear = host.letters(&world, BEAR);
    send(&bear, &letter(&[ADLER], "x")).await.unwrap();
    for _ in 0..limits::LETTER_DRAFTS {
        bear.write_draft(&Draft::default(), None).await.unwrap();
    }
    assert_eq!(
        why(bear.write_draft(&Draft::default(), None).await),
        LetterError::TooManyDrafts
    );
}

#[tokio::test]
async fn a_search_takes_its_signs_literally() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (adler, bear) = (host.letters(&world, ADLER), host.letters(&world, BEAR));
    send(&adler, &letter(&[BEAR], "Zehn % Zoll, ÜBERALL")).await.unwrap();
    send(&adler, &letter(&[BEAR], "Zehn Taler")).await.unwrap();
    for (search, count) in [
        ("%", 1),
        ("_", 0),
        ("zehn", 2),
        ("überall", 1),
        ("adler", 2),
        ("!", 0),
        ("' OR 1", 0),
    ] {
        assert_eq!(
            bear.folder(Folder::Inbox, search, 0).await.unwrap().len(),
            count,
            "{search}"
        );
    }
    bear.file(&bear.folder(Folder::Inbox, "taler", 0).await.unwrap()[0].id, true)
        .await
        .unwrap();
    assert_eq!(bodies(&bear, Folder::Inbox).await.len(), 1);
    assert_eq!(bodies(&bear, Folder::Filed).await, ["Zehn Taler"]);
}

#[tokio::test]
async fn ids_tell_nothing_about_other_letters() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let adler = host.letters(&world, ADLER);
    let one = adler.write_draft(&Draft::default(), None).await.unwrap();
    let two = adler.write_draft(&Draft::default(), None).await.unwrap();
    assert!(one.len() == 32 && two.len() == 32);
    let shared = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count();
    assert!(shared < 12, "{one} and {two} follow each other");
}
