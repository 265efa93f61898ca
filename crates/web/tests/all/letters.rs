//! Letters, newspaper and arms in the browser: the way of a letter, and what hostile writers try.

use crate::{open_post, stage};
use axum::http::StatusCode;
use web::testing::{Browser, Seen, Stage};

/// What people put into text fields who mean no good.
const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg/onload=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "{{7*7}} javascript:alert(1)",
    "&lt;b&gt;\u{202e}<b onmouseover=alert(1)>",
];

/// Whether a page has markup that nobody of ours wrote.
fn is_clean(seen: &Seen) -> bool {
    let text = &seen.text;
    let scripts = text.matches("<script").count();
    let own = text.matches("<script src=\"/assets/").count();
    scripts == own && !text.contains("<img src=x") && !text.contains("<svg/onload") && !text.contains("<b on")
}

async fn world(stage: &Stage) -> (Browser, Browser, Browser, Browser) {
    let world = stage.world("Nebelmark", "toy", &["Adler", "Bär", "Chimäre"]).await;
    open_post(stage, &world, false).await;
    // The first account keeps the host; it has no part in this.
    stage.account("Verwalter").await;
    (
        stage.player("Mira", &world, 1).await,
        stage.player("Jonas", &world, 2).await,
        stage.player("Ruth", &world, 3).await,
        stage.game_master("Leitung", &world).await,
    )
}

fn letter<'a>(to: &'a str, subject: &'a str, text: &'a str, act: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("art", "letter"),
        ("an", to),
        ("betreff", subject),
        ("text", text),
        ("unterschrift", "Die Herrin"),
        ("tun", act),
    ]
}

/// The address of a letter in one's own post, as another would have to guess it.
fn path_of(location: &str) -> String {
    location.split('?').next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_letter_goes_from_desk_to_desk_and_nowhere_else() {
    let stage = stage().await;
    let (mut mira, mut jonas, mut ruth, mut master) = world(&stage).await;
    let draft = mira
        .post(
            "/welt/Nebelmark/briefe/neu",
            &letter("2", "Vom Paß", "Werter Nachbar,\n\nkommt *allein*.", "speichern"),
        )
        .await;
    let draft = draft.location().to_owned();
    assert!(draft.contains("/briefe/entwurf/"), "{draft}");
    assert!(mira.get(&draft).await.text.contains("kommt *allein*."));
    for other in [&mut jonas, &mut ruth] {
        assert_eq!(other.get(&draft).await.status, StatusCode::NOT_FOUND);
    }
    let sent = mira
        .post(
            &draft,
            &letter("2", "Vom Paß", "Werter Nachbar,\n\nkommt *allein*.", "siegeln"),
        )
        .await;
    let address = path_of(sent.location());
    assert!(address.contains("/briefe/brief/"), "{address}");
    let inbox = jonas.get("/welt/Nebelmark/briefe").await;
    assert!(inbox.text.contains("Vom Paß") && inbox.text.contains("Adler"));
    let read = jonas.get(&address).await;
    assert_eq!(read.status, StatusCode::OK);
    let text = read.text.replace('\u{ad}', "");
    assert!(text.contains("<p class=\"hail\">Werter Nachbar,</p>"), "{text}");
    assert!(text.contains("<em>allein</em>") && text.contains("Die Herrin"));
    // Nothing about the account behind the realm.
    assert!(!read.text.contains("Mira"));
    // To everybody else it is as if it were not there, byte for byte.
    let never = address.replace(address.rsplit('/').next().unwrap(), &"0".repeat(32));
    for other in [&mut ruth, &mut master] {
        let base = "/welt/Nebelmark/briefe";
        let (there, nowhere) = (other.get(&address).await, other.get(&never).await);
        assert_eq!(there.status, StatusCode::NOT_FOUND);
        assert_eq!((there.status, there.text), (nowhere.status, nowhere.text));
        assert!(!other.visit(base).await.text.contains("Vom Paß"));
    }
    let desk = address.replace("/briefe/", "/leitung/briefe/");
    assert_eq!(master.get(&desk).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ruth.get(&desk).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_game_master_passes_letters_where_the_world_wants_it() {
    let stage = stage().await;
    let (mut mira, mut jonas, _, mut master) = world(&stage).await;
    let form = [("zustellung", "at-once"), ("pult", "1"), ("taeglich", "20")];
    let set = master.submit("/welt/Nebelmark/leitung/briefe/brauch", &form).await;
    assert!(set.status.is_success());
    let sent = mira
        .post(
            "/welt/Nebelmark/briefe/neu",
            &letter("2", "Über das Pult", "Hört.", "siegeln"),
        )
        .await;
    let id = path_of(sent.location()).rsplit('/').next().unwrap().to_owned();
    assert!(!jonas.get("/welt/Nebelmark/briefe").await.text.contains("Über das Pult"));
    // Wherever he stands at his desk, the game master sees that something waits: here a letter, and an article.
    let raven = article(&[("rubrik", "article"), ("titel", "Rabe"), ("text", "Er flog.")], None);
    mira.post_bytes("/welt/Nebelmark/zeitung/einreichen", BOUNDARY, raven)
        .await;
    let waits =
        |text: &str, way: &str| text.contains(&format!("{way} <span class=\"waits\" aria-hidden=\"true\">1</span>"));
    let desk = master.get("/welt/Nebelmark/leitung").await.text;
    assert!(waits(&desk, "Pult der Briefe") && waits(&desk, "Zeitung"), "{desk}");
    assert!(desk.contains("eins wartet auf Euch"));
    assert!(
        !waits(&mira.get("/welt/Nebelmark/zeitung").await.text, "Zeitung"),
        "for nobody else"
    );
    assert!(
        master
            .get("/welt/Nebelmark/leitung/briefe/pult")
            .await
            .text
            .contains("Über das Pult")
    );
    let decide = format!("/welt/Nebelmark/leitung/briefe/pult/{id}");
    assert_eq!(
        jonas.post(&decide, &[("tun", "durchlassen")]).await.status,
        StatusCode::NOT_FOUND
    );
    master.submit(&decide, &[("tun", "durchlassen")]).await;
    assert!(jonas.get("/welt/Nebelmark/briefe").await.text.contains("Über das Pult"));
    assert!(!waits(
        &master.get("/welt/Nebelmark/leitung").await.text,
        "Pult der Briefe"
    ));
}

#[tokio::test]
async fn what_is_written_never_becomes_markup() {
    let stage = stage().await;
    let (mut mira, mut jonas, _, mut master) = world(&stage).await;
    for text in HOSTILE {
        let fields = [
            ("art", "letter"),
            ("an", "2"),
            ("betreff", text),
            ("text", text),
            ("unterschrift", text),
            ("antwort", ""),
            ("tun", "siegeln"),
        ];
        let preview: Vec<(&str, &str)> = fields[..6].iter().copied().chain([("tun", "vorschau")]).collect();
        assert!(
            is_clean(&mira.submit("/welt/Nebelmark/briefe/neu", &preview).await),
            "{text}"
        );
        let sent = mira.submit("/welt/Nebelmark/briefe/neu", &fields).await;
        assert!(is_clean(&sent), "{}", sent.text);
        let list = jonas.get("/welt/Nebelmark/briefe").await;
        assert!(is_clean(&list), "{}", list.text);
        let search = format!(
            "/welt/Nebelmark/briefe?suche={}&fach={0}",
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
        );
        assert!(is_clean(&jonas.get(&search).await));
        mira.submit("/welt/Nebelmark/briefe/einstellungen", &[("unterschrift", text)])
            .await;
        assert!(is_clean(&mira.get("/welt/Nebelmark/briefe/einstellungen").await));
        let news = article(
            &[
                ("titel", text),
                ("vorspann", text),
                ("text", text),
                ("name", text),
                ("bildtext", text),
            ],
            None,
        );
        assert!(is_clean(
            &mira
                .post_bytes("/welt/Nebelmark/zeitung/einreichen", BOUNDARY, news)
                .await
        ));
        assert!(is_clean(&mira.get("/welt/Nebelmark/zeitung/einreichen").await));
        let head = [("titel", text), ("links", text), ("rechts", text), ("ort", text)];
        master.submit("/welt/Nebelmark/leitung/zeitung/kopf", &head).await;
        let desk = master.get("/welt/Nebelmark/leitung/zeitung").await;
        assert!(is_clean(&desk), "{}", desk.text);
    }
    // All of it in print.
    let desk = master.get("/welt/Nebelmark/leitung/zeitung").await;
    for piece in desk.text.split("/leitung/zeitung/artikel/").skip(1) {
        let id: String = piece.chars().take(32).collect();
        master
            .post(
                &format!("/welt/Nebelmark/leitung/zeitung/artikel/{id}"),
                &[("tun", "annehmen")],
            )
            .await;
    }
    let printed = master
        .submit("/welt/Nebelmark/leitung/zeitung", &[("tun", "drucken")])
        .await;
    assert!(printed.status.is_success() && is_clean(&printed), "{}", printed.text);
    assert!(is_clean(&jonas.get("/welt/Nebelmark/zeitung").await));
    assert!(is_clean(&jonas.get("/welt/Nebelmark/zeitung/ausgaben").await));
}

const BOUNDARY: &str = "multipart/form-data; boundary=grenze";

/// A form with a file.
fn article(fields: &[(&str, &str)], file: Option<&[u8]>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--grenze\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
    }
    if let Some(file) = file {
        body.extend(b"--grenze\r\nContent-Disposition: form-data; name=\"bild\"; filename=\"a\"\r\n\r\n");
        body.extend(file);
        body.extend(b"\r\n");
    }
    body.extend(b"--grenze--\r\n");
    body
}

const DRAWING: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\" onload=\"alert(1)\"><path d=\"M0 0h9\"/><script>alert(1)</script></svg>";

#[tokio::test]
async fn an_article_with_a_picture_is_sent_taken_in_and_printed() {
    let stage = stage().await;
    let (mut mira, mut jonas, _, mut master) = world(&stage).await;
    let body = article(
        &[
            ("rubrik", "lead"),
            ("titel", "Blut am Grauzahn"),
            ("text", "Es begab sich."),
            ("name", "Ein Wanderer"),
        ],
        Some(DRAWING),
    );
    let sent = mira
        .post_bytes("/welt/Nebelmark/zeitung/einreichen", BOUNDARY, body)
        .await;
    assert!(sent.status.is_redirection(), "{}", sent.text);
    let desk = master.get("/welt/Nebelmark/leitung/zeitung").await;
    assert!(desk.text.contains("Blut am Grauzahn") && desk.text.contains("Adler"));
    let id: String = desk
        .text
        .split("/leitung/zeitung/artikel/")
        .nth(1)
        .unwrap()
        .chars()
        .take(32)
        .collect();
    let path = format!("/welt/Nebelmark/leitung/zeitung/artikel/{id}");
    assert_eq!(
        mira.post(&path, &[("tun", "annehmen")]).await.status,
        StatusCode::NOT_FOUND
    );
    master.submit(&path, &[("tun", "annehmen")]).await;
    let proof = master.get("/welt/Nebelmark/leitung/zeitung/abzug").await;
    let picture = proof.text.split("/zeitung/bild/").nth(1).unwrap();
    let picture = format!(
        "/welt/Nebelmark/zeitung/bild/{}",
        picture.chars().take(32).collect::<String>()
    );
    assert_eq!(jonas.get(&picture).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        jonas.get("/welt/Nebelmark/zeitung/nr/1").await.status,
        StatusCode::NOT_FOUND
    );
    master
        .submit("/welt/Nebelmark/leitung/zeitung", &[("tun", "drucken")])
        .await;
    let paper = jonas.get("/welt/Nebelmark/zeitung").await;
    assert!(paper.text.contains("Blut am Grauzahn") && paper.text.contains("Ein Wanderer"));
    assert!(!paper.text.contains("Adler"), "a pen name hides the realm");
    let seen = jonas.get(&picture).await;
    assert_eq!(seen.headers["content-type"], "image/svg+xml; charset=utf-8");
    assert!(
        seen.headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("sandbox")
    );
    assert!(seen.text.contains("<path") && !seen.text.contains("alert"));
    assert_eq!(
        master.post(&path, &[("tun", "zuruecklegen")]).await.status,
        StatusCode::SEE_OTHER
    );
    assert!(
        jonas
            .get("/welt/Nebelmark/zeitung")
            .await
            .text
            .contains("Blut am Grauzahn")
    );
}

#[tokio::test]
async fn arms_are_drawn_cleaned_and_served_by_themselves() {
    let stage = stage().await;
    let (mut mira, mut jonas, _, _) = world(&stage).await;
    // Who wrote to somebody is known to him.
    mira.post(
        "/welt/Nebelmark/briefe/neu",
        &letter("2", "Gruß", "Seht mein Wappen.", "siegeln"),
    )
    .await;
    let arms = jonas.get("/welt/Nebelmark/wappen/1").await;
    assert_eq!(arms.headers["content-type"], "image/svg+xml; charset=utf-8");
    let policy = arms.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("sandbox"),
        "{policy}"
    );
    let kit = [
        ("teilung", "quarterly"),
        ("feld", "red"),
        ("zweite", "gold"),
        ("figur", "tower"),
        ("figurfarbe", "silver"),
    ];
    assert!(mira.submit("/welt/Nebelmark/wappen", &kit).await.status.is_success());
    let chosen = jonas.get("/welt/Nebelmark/wappen/1").await.text;
    assert_ne!(chosen, arms.text);
    let upload = |file: &[u8]| article(&[], Some(file));
    let taken = mira
        .post_bytes("/welt/Nebelmark/wappen/datei", BOUNDARY, upload(DRAWING))
        .await;
    assert!(taken.status.is_redirection(), "{}", taken.text);
    let brought = jonas.get("/welt/Nebelmark/wappen/1").await.text;
    assert!(brought.contains("<path d=\"M0 0h9\"/>") && !brought.contains("alert") && !brought.contains("onload"));
    for bad in [
        &b"<html>"[..],
        b"\xff\xfe",
        b"<svg/>",
        b"<!DOCTYPE svg [<!ENTITY a \"b\">]><svg/>",
    ] {
        let refused = mira
            .post_bytes("/welt/Nebelmark/wappen/datei", BOUNDARY, upload(bad))
            .await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(jonas.get("/welt/Nebelmark/wappen/1").await.text, brought);
    }
    let huge = vec![b' '; host::limits::DRAWING_BYTES * 2];
    let refused = mira
        .post_bytes("/welt/Nebelmark/wappen/datei", BOUNDARY, upload(&huge))
        .await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        mira.get("/welt/Nebelmark/wappen/99").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        stage.browser().get("/welt/Nebelmark/wappen/1").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn every_page_has_its_words_in_both_languages() {
    let stage = stage().await;
    let (mut mira, _, _, mut master) = world(&stage).await;
    mira.post("/welt/Nebelmark/briefe/neu", &letter("2", "Gruß", "Hört.", "siegeln"))
        .await;
    for language in ["de", "en"] {
        for path in [
            "briefe",
            "briefe/neu",
            "briefe?fach=gesandt",
            "briefe/einstellungen",
            "wappen",
            "zeitung",
            "zeitung/ausgaben",
            "zeitung/einreichen",
        ] {
            let glue = if path.contains('?') { '&' } else { '?' };
            let seen = mira
                .get(&format!("/welt/Nebelmark/{path}{glue}sprache={language}"))
                .await;
            assert_eq!(seen.status, StatusCode::OK, "{path}");
            for table in ["letters.", "news.", "arms.", "flash."] {
                assert!(
                    !seen.text.contains(&format!(">{table}")),
                    "{path} lacks words of {table}"
                );
            }
        }
        for path in [
            "leitung/briefe",
            "leitung/briefe/pult",
            "leitung/zeitung",
            "leitung/zeitung/neu",
            "leitung/zeitung/abzug",
        ] {
            let seen = master.get(&format!("/welt/Nebelmark/{path}?sprache={language}")).await;
            assert_eq!(seen.status, StatusCode::OK, "{path}");
        }
    }
}
