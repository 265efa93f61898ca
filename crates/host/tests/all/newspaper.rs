//! The newspaper and the coats of arms.

use crate::common::{arrival, open, world};
use host::arms::{ArmsError, Blazon, Division};
use host::letter::{Draft, LetterKind};
use host::newspaper::{ArticleState, Manuscript, Masthead, NewspaperError, Section};
use host::picture::PictureError;
use host::step::RunPlan;
use host::{HostError, limits};
use kernel::realm::{RealmId, Viewer};

const ADLER: Viewer = Viewer::Realm(RealmId(1));
const BEAR: Viewer = Viewer::Realm(RealmId(2));
const MASTER: Viewer = Viewer::GameMaster;

fn why<T: std::fmt::Debug>(result: host::Result<T>) -> NewspaperError {
    match result {
        Err(HostError::Newspaper(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn article(title: &str) -> Manuscript {
    Manuscript {
        title: title.into(),
        body: "Es begab sich.".into(),
        ..Manuscript::default()
    }
}

const DRAWING: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"><path d=\"M0 0h9\"/><script>alert(1)</script></svg>";

#[tokio::test]
async fn an_article_is_its_authors_and_the_editors_until_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (adler, bear, editor) = (
        host.newspaper(&world, ADLER),
        host.newspaper(&world, BEAR),
        host.newspaper(&world, MASTER),
    );
    let manuscript = Manuscript {
        byline: "Ein Wanderer".into(),
        picture: Some(DRAWING.to_vec()),
        ..article("Blut am Grauzahn")
    };
    let id = adler.submit(&manuscript).await.unwrap();
    let (picture, ..) = adler.article(&id).await.unwrap().picture.unwrap();
    assert_eq!(why(bear.article(&id).await), NewspaperError::Unknown);
    assert_eq!(why(bear.picture(&picture).await), NewspaperError::Unknown);
    assert_eq!(why(bear.withdraw(&id).await), NewspaperError::Unknown);
    assert_eq!(why(bear.revise(&id, &manuscript).await), NewspaperError::Unknown);
    assert!(editor.article(&id).await.is_ok());
    let issue = editor.open_issue().await.unwrap();
    assert_eq!(issue, 1);
    assert_eq!(editor.open_issue().await.unwrap(), 1);
    assert_eq!(why(editor.publish(issue).await), NewspaperError::NothingToPrint);
    editor.accept(&id, issue).await.unwrap();
    assert_eq!(why(adler.revise(&id, &manuscript).await), NewspaperError::Taken);
    assert_eq!(adler.article(&id).await.unwrap().state, ArticleState::Submitted);
    assert_eq!(why(bear.issue(issue).await), NewspaperError::Unknown);
    assert_eq!(why(bear.articles(issue).await), NewspaperError::Unknown);
    assert!(bear.issues().await.unwrap().is_empty());
    for act in ["accept", "reject", "shift", "publish", "masthead"] {
        let refused = match act {
            "accept" => adler.accept(&id, issue).await,
            "reject" => adler.reject(&id, "").await,
            "shift" => adler.shift(&id, true).await,
            "publish" => adler.publish(issue).await,
            _ => adler.set_masthead(&Masthead::default()).await,
        };
        assert_eq!(why(refused), NewspaperError::Unknown, "{act}");
    }
    editor.publish(issue).await.unwrap();
    let printed = bear.articles(issue).await.unwrap();
    assert_eq!(printed.len(), 1);
    assert_eq!(
        (printed[0].title.as_str(), printed[0].byline.as_str()),
        ("Blut am Grauzahn", "Ein Wanderer")
    );
    assert_eq!(printed[0].author, None, "a pen name hides the realm");
    let picture = bear.picture(&picture).await.unwrap();
    let text = String::from_utf8(picture.bytes).unwrap();
    assert!(text.contains("<path") && !text.contains("script"), "{text}");
}

#[tokio::test]
async fn an_issue_is_dated_when_it_is_printed_and_not_when_it_was_begun() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let editor = host.newspaper(&world, MASTER);
    let issue = editor.open_issue().await.unwrap();
    let begun = editor.issue(issue).await.unwrap();
    assert_eq!(begun.step, 1);
    let id = editor.submit(&article("Eins")).await.unwrap();
    editor.accept(&id, issue).await.unwrap();
    let anyway = RunPlan {
        without_missing: true,
        ..RunPlan::default()
    };
    host.run(&world, anyway, &mut |_, _| {}).await.unwrap();
    assert_eq!(editor.open_issue().await.unwrap(), issue, "the same issue");
    let dated = editor.issue(issue).await.unwrap();
    assert_eq!(dated.step, 2);
    editor.publish(issue).await.unwrap();
    host.run(&world, anyway, &mut |_, _| {}).await.unwrap();
    assert_eq!(editor.open_issue().await.unwrap(), issue + 1);
    assert_eq!(editor.issue(issue).await.unwrap().step, 2, "what is printed stays");
}

#[tokio::test]
async fn a_printed_issue_never_changes() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let editor = host.newspaper(&world, MASTER);
    let head = Masthead {
        title: "Der Weltenbote".into(),
        ..Masthead::default()
    };
    editor.set_masthead(&head).await.unwrap();
    let issue = editor.open_issue().await.unwrap();
    let id = editor.submit(&article("Eins")).await.unwrap();
    editor.accept(&id, issue).await.unwrap();
    editor.publish(issue).await.unwrap();
    let before = (
        editor.issue(issue).await.unwrap(),
        editor.articles(issue).await.unwrap(),
    );
    assert_eq!(why(editor.edit(&id, &article("Zwei")).await), NewspaperError::Printed);
    assert_eq!(why(editor.reject(&id, "x").await), NewspaperError::Printed);
    assert_eq!(why(editor.put_back(&id).await), NewspaperError::Printed);
    assert_eq!(why(editor.shift(&id, true).await), NewspaperError::Printed);
    assert_eq!(why(editor.set_place(issue, "x").await), NewspaperError::Printed);
    assert_eq!(why(editor.publish(issue).await), NewspaperError::Printed);
    assert_eq!(why(editor.gather(issue).await), NewspaperError::Printed);
    let late = editor.submit(&article("Spät")).await.unwrap();
    assert_eq!(why(editor.accept(&late, issue).await), NewspaperError::Printed);
    editor.set_masthead(&Masthead::default()).await.unwrap();
    assert_eq!(
        (
            editor.issue(issue).await.unwrap(),
            editor.articles(issue).await.unwrap()
        ),
        before
    );
    assert_eq!(editor.open_issue().await.unwrap(), 2);
}

#[tokio::test]
async fn the_editor_orders_changes_and_rejects() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let (adler, editor) = (host.newspaper(&world, ADLER), host.newspaper(&world, MASTER));
    let issue = editor.open_issue().await.unwrap();
    let mut ids = Vec::new();
    for title in ["A", "B", "C"] {
        let id = adler.submit(&article(title)).await.unwrap();
        editor.accept(&id, issue).await.unwrap();
        ids.push(id);
    }
    let titles = async || -> String {
        let articles = editor.articles(issue).await.unwrap();
        articles.into_iter().map(|article| article.title).collect()
    };
    editor.shift(&ids[2], true).await.unwrap();
    assert_eq!(titles().await, "ACB");
    editor.shift(&ids[0], true).await.unwrap();
    assert_eq!(titles().await, "ACB", "the first cannot go higher");
    editor.edit(&ids[0], &article("D")).await.unwrap();
    editor.reject(&ids[1], "Zu lang.").await.unwrap();
    assert_eq!(titles().await, "DC");
    let mine = adler.article(&ids[0]).await.unwrap();
    assert!(mine.edited && mine.title == "D");
    let rejected = adler.article(&ids[1]).await.unwrap();
    assert_eq!(
        (rejected.state, rejected.reason.as_str()),
        (ArticleState::Rejected, "Zu lang.")
    );
    adler.withdraw(&ids[1]).await.unwrap();
    assert_eq!(adler.submissions().await.unwrap().len(), 2);
}

#[tokio::test]
async fn rumours_and_proclamations_can_be_gathered_once_and_stay_anonymous() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let mut custom = host.post_custom(&world).await.unwrap();
    custom.rumours = true;
    host.letters(&world, MASTER).set_custom(&custom).await.unwrap();
    let post = host.letters(&world, ADLER);
    for (kind, body) in [
        (LetterKind::Rumour, "Es spukt."),
        (LetterKind::Proclamation, "Zoll frei."),
    ] {
        let draft = Draft {
            kind,
            body: body.into(),
            ..Draft::default()
        };
        let id = post.write_draft(&draft, None).await.unwrap();
        post.send(&id, &draft).await.unwrap();
    }
    for realm in [1, 2] {
        host.submit(&world, arrival(realm, b"TAKE 1\n"), host::now())
            .await
            .unwrap();
    }
    host.run(&world, RunPlan::default(), &mut |_, _| {}).await.unwrap();
    let editor = host.newspaper(&world, MASTER);
    let issue = editor.open_issue().await.unwrap();
    assert_eq!(editor.gather(issue).await.unwrap(), 2);
    assert_eq!(editor.gather(issue).await.unwrap(), 0);
    editor.publish(issue).await.unwrap();
    let printed = host.newspaper(&world, BEAR).articles(issue).await.unwrap();
    let rumour = printed
        .iter()
        .find(|article| article.section == Section::Rumour)
        .unwrap();
    let notice = printed
        .iter()
        .find(|article| article.section == Section::Notice)
        .unwrap();
    assert_eq!((rumour.author, rumour.body.as_str()), (None, "Es spukt."));
    assert_eq!((notice.author, notice.body.as_str()), (Some(ADLER), "Zoll frei."));
    // Not even among what its author has sent.
    assert_eq!(host.newspaper(&world, ADLER).submissions().await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_too_long_too_much_or_no_picture_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let adler = host.newspaper(&world, ADLER);
    let with = |change: fn(&mut Manuscript)| {
        let mut manuscript = article("x");
        change(&mut manuscript);
        manuscript
    };
    let long = with(|m| m.body = "ä".repeat(limits::ARTICLE_CHARACTERS + 1));
    assert_eq!(why(adler.submit(&long).await), NewspaperError::TooLong);
    assert!(
        adler
            .submit(&with(|m| m.body = "ä".repeat(limits::ARTICLE_CHARACTERS)))
            .await
            .is_ok()
    );
    assert_eq!(
        why(adler.submit(&with(|m| m.body = " ".into())).await),
        NewspaperError::Empty
    );
    for (picture, error) in [
        (&b"GIF89a"[..], PictureError::UnknownKind),
        (b"<html>", PictureError::Drawing(ArmsError::NoDrawing)),
        (b"\x89PNG\r\n\x1a\nxx", PictureError::Damaged),
    ] {
        let manuscript = Manuscript {
            picture: Some(picture.to_vec()),
            ..article("x")
        };
        match adler.submit(&manuscript).await {
            Err(HostError::Picture(found)) => assert_eq!(found, error),
            other => panic!("{other:?}"),
        }
    }
    for _ in 1..limits::ARTICLES_WAITING {
        adler.submit(&article("x")).await.unwrap();
    }
    assert_eq!(why(adler.submit(&article("x")).await), NewspaperError::TooMany);
}

#[tokio::test]
async fn arms_are_the_names_the_kits_or_brought_along() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    let realm = RealmId(1);
    let first = host.arms(&world, realm).await.unwrap();
    assert!(!first.chosen && first.blazon == Some(Blazon::of_name("Adler")));
    let blazon = Blazon {
        division: Division::Quarterly,
        ..Blazon::of_name("Adler")
    };
    host.set_blazon(&world, realm, &blazon).await.unwrap();
    assert_eq!(host.arms(&world, realm).await.unwrap().blazon, Some(blazon));
    let left_out = host.upload_arms(&world, realm, DRAWING).await.unwrap();
    assert_eq!(left_out.into_iter().collect::<Vec<_>>(), ["script"]);
    let brought = host.arms(&world, realm).await.unwrap();
    assert!(brought.chosen && brought.blazon.is_none() && !brought.svg.contains("script"));
    let seal = host.seal_of(&world, realm).await.unwrap();
    assert!(seal.contains("<path d=\"M0 0h9\"/>"));
    // What is refused leaves the arms as they are.
    assert!(matches!(
        host.upload_arms(&world, realm, b"<html/>").await,
        Err(HostError::Arms(ArmsError::NoDrawing))
    ));
    assert_eq!(host.arms(&world, realm).await.unwrap(), brought);
    assert_eq!(host.arms_changed(&world).await.unwrap().len(), 1);
    host.forget_arms(&world, realm).await.unwrap();
    assert_eq!(host.arms(&world, realm).await.unwrap(), first);
    assert!(host.arms(&world, RealmId(9)).await.is_err());
}

#[tokio::test]
async fn an_exported_world_has_its_arms_and_its_printed_paper_and_no_letters() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host, "Eins").await;
    host.upload_arms(&world, RealmId(1), DRAWING).await.unwrap();
    host.set_blazon(&world, RealmId(2), &Blazon::of_name("Turm"))
        .await
        .unwrap();
    let editor = host.newspaper(&world, MASTER);
    let issue = editor.open_issue().await.unwrap();
    let manuscript = Manuscript {
        picture: Some(DRAWING.to_vec()),
        ..article("Gedruckt")
    };
    let id = editor.submit(&manuscript).await.unwrap();
    editor.accept(&id, issue).await.unwrap();
    editor.publish(issue).await.unwrap();
    editor.submit(&article("Ungedruckt")).await.unwrap();
    let post = host.letters(&world, ADLER);
    let draft = Draft {
        recipients: [BEAR].into(),
        body: "Streng geheim.".into(),
        ..Draft::default()
    };
    let letter = post.write_draft(&draft, None).await.unwrap();
    post.send(&letter, &draft).await.unwrap();
    let file = folder.path().join("eins.world");
    host.export(&world, &file).await.unwrap();
    let other = tempfile::tempdir().unwrap();
    let host = open(other.path()).await;
    let copy = host.import(&file, None).await.unwrap();
    assert!(
        host.arms(&copy, RealmId(1))
            .await
            .unwrap()
            .svg
            .contains("<path d=\"M0 0h9\"/>")
    );
    assert_eq!(
        host.arms(&copy, RealmId(2)).await.unwrap().blazon,
        Some(Blazon::of_name("Turm"))
    );
    let paper = host.newspaper(&copy, BEAR);
    let articles = paper.articles(1).await.unwrap();
    assert_eq!(articles.len(), 1);
    assert_eq!(articles[0].title, "Gedruckt");
    let (picture, ..) = articles[0].picture.clone().unwrap();
    assert!(paper.picture(&picture).await.is_ok());
    assert_eq!(host.letters(&copy, BEAR).unread().await.unwrap(), 0);
    assert!(host.newspaper(&copy, MASTER).submissions().await.unwrap().is_empty());
}
