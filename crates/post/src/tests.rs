//! Mails as they arrive.

use crate::{Address, ENCLOSURE_BYTES, Enclosure, Mail, PostError, Postman, SUBJECT_CHARACTERS};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

fn address(text: &str) -> Address {
    text.parse().expect("an address")
}

fn mail(subject: &str) -> Mail {
    Mail {
        id: "0011223344556677".into(),
        to: address("Bär <baer@example.org>"),
        subject: subject.into(),
        text: "Drei Fristen noch, dann fällt der Paß.\n".into(),
        enclosures: Vec::new(),
    }
}

#[test]
fn an_address_is_read_with_and_without_a_name() {
    assert_eq!(address("Reich Bär <baer@example.org>").mail(), "baer@example.org");
    assert_eq!(address("Reich Bär <baer@example.org>").name(), Some("Reich Bär"));
    assert_eq!(address(" baer@example.org ").name(), None);
}

#[test]
fn what_is_no_address_is_refused() {
    let long = format!("{}@example.org", "a".repeat(320));
    for text in [
        "",
        "baer",
        "a@b@c",
        "a b@example.org",
        "x <y",
        "a@example.org\r\nBcc: c@example.org",
        &long,
    ] {
        assert!(text.parse::<Address>().is_err(), "{text:?}");
    }
}

#[tokio::test]
async fn a_mail_in_a_folder_has_sender_receiver_subject_and_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let postman = Postman::to_folder(folder.path(), address("Briefwelt <post@example.org>")).expect("a postman");
    postman.carry(&mail("Euer Zug ist fällig")).await.expect("carried");
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .flatten()
        .collect();
    assert_eq!(files.len(), 1);
    let text = std::fs::read_to_string(files[0].path()).expect("the mail");
    assert!(text.contains("From: Briefwelt <post@example.org>"), "{text}");
    assert!(text.contains("<baer@example.org>"), "{text}");
    // Umlauts travel in encoded words and quoted-printable text.
    assert!(text.contains("Subject: Euer Zug ist =?utf-8?"), "{text}");
    assert!(text.contains("f=C3=A4llt der Pa=C3=9F"), "{text}");
}

#[tokio::test]
async fn line_breaks_and_folders_cannot_be_smuggled_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let postman = Postman::to_folder(folder.path(), address("post@example.org")).expect("a postman");
    let refused = |mail: Mail| {
        let postman = &postman;
        async move { matches!(postman.carry(&mail).await, Err(PostError::Mail(_))) }
    };
    assert!(refused(mail("Frist\r\nBcc: x@example.org")).await);
    assert!(refused(mail(&"x".repeat(SUBJECT_CHARACTERS + 1))).await);
    for name in ["a\nb", "../a", "a\\b"] {
        let mut mail = mail("Bericht");
        mail.enclosures.push(enclosure(name, 1));
        assert!(refused(mail).await, "{name:?}");
    }
    let mut mail = mail("Bericht");
    mail.enclosures = vec![enclosure("a", ENCLOSURE_BYTES), enclosure("b", 1)];
    assert!(refused(mail).await);
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

fn enclosure(name: &str, bytes: usize) -> Enclosure {
    Enclosure {
        name: name.into(),
        media_type: "text/plain".into(),
        bytes: vec![b'x'; bytes],
    }
}

/// A mail server of a few lines, which answers `answer` to a whole mail.
async fn server(answer: &'static str) -> (String, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("smtp://{}", listener.local_addr().expect("its address"));
    let heard = Arc::new(Mutex::new(String::new()));
    let ear = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let (read, mut write) = socket.split();
            let mut lines = BufReader::new(read).lines();
            let mut data = false;
            let _ = write.write_all(b"220 test\r\n").await;
            while let Ok(Some(line)) = lines.next_line().await {
                ear.lock().expect("the ear").push_str(&format!("{line}\n"));
                let reply = match line.as_str() {
                    "." => {
                        data = false;
                        answer
                    }
                    _ if data => continue,
                    "DATA" => {
                        data = true;
                        "354 go on"
                    }
                    _ => "250 ok",
                };
                if write.write_all(format!("{reply}\r\n").as_bytes()).await.is_err() {
                    break;
                }
            }
        }
    });
    (url, heard)
}

#[tokio::test]
async fn a_server_gets_the_mail_with_its_enclosure() {
    let (url, heard) = server("250 taken").await;
    let postman = Postman::to_server(&url, address("post@example.org")).expect("a postman");
    let mut mail = mail("Bericht");
    mail.enclosures.push(Enclosure {
        name: "ERGEBNIS.TXT".into(),
        media_type: "text/plain; charset=cp437".into(),
        bytes: vec![0x81, 0x0d, 0x0a],
    });
    postman.carry(&mail).await.expect("carried");
    let heard = heard.lock().expect("the ear");
    assert!(heard.contains("RCPT TO:<baer@example.org>"), "{heard}");
    assert!(heard.contains("ERGEBNIS.TXT"), "{heard}");
    // The three bytes in base64: nothing was changed on the way.
    assert!(heard.contains("gQ0K"), "{heard}");
}

#[tokio::test]
async fn a_refusal_for_good_is_told_apart_from_one_for_now() {
    for (answer, passing) in [("550 no such person", false), ("451 come again", true)] {
        let (url, _) = server(answer).await;
        let postman = Postman::to_server(&url, address("post@example.org")).expect("a postman");
        let error = postman.carry(&mail("Bericht")).await.expect_err("refused");
        assert_eq!(error.is_passing(), passing, "{answer}: {error}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_worth_another_try() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("smtp://{}", listener.local_addr().expect("its address"));
    drop(listener);
    let postman = Postman::to_server(&url, address("post@example.org")).expect("a postman");
    let error = postman.carry(&mail("Bericht")).await.expect_err("nobody there");
    assert!(error.is_passing(), "{error}");
}
