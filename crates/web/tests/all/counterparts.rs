//! Whatever pages can do, programs can do: every page that changes something names its calls, or why it has none.

use axum::http::Method;
use std::collections::{BTreeMap, BTreeSet};
use web::api::Call;
use web::routes::{Guard, routes};

/// What programs use instead of a page.
enum Counterpart {
    /// These calls together do what the form does.
    Calls(&'static [&'static str]),
    /// There is none, and this is why.
    None(Why),
}

/// Why there is no call.
enum Why {
    /// A stolen key must not be able to take an account or the host over: such things need a session.
    NeedsSession,
    /// It makes, ends or changes the session itself; a program has none.
    Session,
    /// It keeps something in this browser only.
    Browser,
    /// A program puts in a whole text or plan; it needs no help in writing it step by step.
    Step,
}

use Counterpart::{Calls, None as Nothing};

/// Every page that changes something.
const COUNTERPARTS: &[(&str, Counterpart)] = &[
    ("/einstellung/licht", Nothing(Why::Browser)),
    ("/anmelden", Nothing(Why::Session)),
    ("/anmelden/link", Nothing(Why::Session)),
    ("/anmelden/link/{token}", Nothing(Why::Session)),
    ("/abmelden", Nothing(Why::Session)),
    ("/registrieren", Nothing(Why::Session)),
    ("/einladung", Calls(&["accept-invitation"])),
    ("/beitreten/{name}", Calls(&["join-world"])),
    ("/konto", Calls(&["put-wishes"])),
    ("/konto/briefe", Calls(&["put-wishes"])),
    ("/konto/kennwort", Nothing(Why::NeedsSession)),
    ("/konto/sitzungen/ende", Nothing(Why::NeedsSession)),
    ("/konto/sitzungen/alle", Nothing(Why::NeedsSession)),
    ("/konto/schluessel", Nothing(Why::NeedsSession)),
    ("/konto/schluessel/zurueck", Nothing(Why::NeedsSession)),
    ("/konto/loeschen", Nothing(Why::NeedsSession)),
    ("/neue-welt/verwerfen", Nothing(Why::Step)),
    ("/neue-welt/{step}", Calls(&["found-world"])),
    ("/welt/{world}/sitz/erinnerungen", Calls(&["put-reminders"])),
    ("/welt/{world}/sitz/abwesenheit", Calls(&["add-absence", "end-absence"])),
    (
        "/welt/{world}/sitz/vertretung",
        Calls(&["add-stand-in", "end-stand-in"]),
    ),
    ("/welt/{world}/sitz/wahl", Nothing(Why::Browser)),
    ("/welt/{world}/sitz/verlassen", Calls(&["leave-world"])),
    ("/welt/{world}/karte/weg", Calls(&["get-route", "put-draft"])),
    ("/welt/{world}/befehle/pruefen", Calls(&["check-orders"])),
    ("/welt/{world}/befehle/sichern", Calls(&["put-draft"])),
    ("/welt/{world}/befehle/reparatur", Calls(&["check-orders", "put-draft"])),
    ("/welt/{world}/befehle/zeile", Calls(&["write-order", "put-draft"])),
    ("/welt/{world}/befehle/hilfe", Calls(&["complete-orders"])),
    ("/welt/{world}/befehle/vorschau", Calls(&["preview-orders"])),
    ("/welt/{world}/befehle/siegeln", Calls(&["submit-orders"])),
    ("/welt/{world}/befehle/hochladen", Calls(&["put-draft"])),
    (
        "/welt/{world}/befehle/verlauf",
        Calls(&["get-old-draft", "get-sent-orders", "put-draft"]),
    ),
    (
        "/welt/{world}/zugbogen",
        Calls(&["check-sheet", "put-sheet", "submit-orders"]),
    ),
    ("/welt/{world}/zugbogen/hochladen", Calls(&["put-sheet-file"])),
    ("/welt/{world}/wirtschaft", Calls(&["put-assignment"])),
    ("/welt/{world}/brett/tat", Calls(&["list-offers", "put-draft"])),
    ("/welt/{world}/brett/zurueck", Calls(&["put-draft"])),
    ("/welt/{world}/brett/senden", Calls(&["submit-orders"])),
    ("/welt/{world}/briefe/neu", Calls(&["write-letter"])),
    (
        "/welt/{world}/briefe/entwurf/{letter}",
        Calls(&["put-letter", "delete-letter"]),
    ),
    ("/welt/{world}/briefe/brief/{letter}", Calls(&["act-on-letter"])),
    ("/welt/{world}/briefe/einstellungen", Calls(&["put-letter-settings"])),
    (
        "/welt/{world}/zeitung/einreichen",
        Calls(&["send-article", "put-article-picture"]),
    ),
    (
        "/welt/{world}/zeitung/artikel/{article}",
        Calls(&[
            "put-article",
            "delete-article",
            "put-article-picture",
            "delete-article-picture",
        ]),
    ),
    ("/welt/{world}/wappen", Calls(&["put-arms"])),
    ("/welt/{world}/wappen/datei", Calls(&["put-arms-drawing"])),
    ("/welt/{world}/wappen/vergessen", Calls(&["delete-arms"])),
    ("/welt/{world}/leitung/briefe/neu", Calls(&["write-master-letter"])),
    (
        "/welt/{world}/leitung/briefe/entwurf/{letter}",
        Calls(&["put-master-letter", "delete-master-letter"]),
    ),
    (
        "/welt/{world}/leitung/briefe/brief/{letter}",
        Calls(&["act-on-master-letter"]),
    ),
    (
        "/welt/{world}/leitung/briefe/einstellungen",
        Calls(&["put-master-letter-settings"]),
    ),
    ("/welt/{world}/leitung/briefe/pult/{letter}", Calls(&["decide-letter"])),
    (
        "/welt/{world}/leitung/briefe/brauch",
        Calls(&["put-custom", "put-voice"]),
    ),
    (
        "/welt/{world}/leitung/zeitung",
        Calls(&["gather-articles", "publish-issue"]),
    ),
    ("/welt/{world}/leitung/zeitung/kopf", Calls(&["put-newspaper-head"])),
    ("/welt/{world}/leitung/zeitung/neu", Calls(&["write-article"])),
    (
        "/welt/{world}/leitung/zeitung/artikel/{article}",
        Calls(&["decide-article"]),
    ),
    (
        "/welt/{world}/leitung/zeitung/artikel/{article}/bearbeiten",
        Calls(&["edit-article", "edit-article-picture", "remove-article-picture"]),
    ),
    ("/welt/{world}/leitung/karte/bearbeiten", Calls(&["change-map"])),
    (
        "/welt/{world}/leitung/karte/bearbeiten/zurueck",
        Calls(&["undo-map-change"]),
    ),
    (
        "/welt/{world}/leitung/karte/bearbeiten/wieder",
        Calls(&["redo-map-change"]),
    ),
    ("/welt/{world}/leitung/karte/bearbeiten/blatt", Calls(&["change-map"])),
    ("/welt/{world}/leitung/mahnen", Calls(&["chase"])),
    ("/welt/{world}/leitung/ruecknahme", Calls(&["take-back"])),
    ("/welt/{world}/leitung/probe", Calls(&["run-trial"])),
    ("/welt/{world}/leitung/veroeffentlichen", Calls(&["publish"])),
    ("/welt/{world}/leitung/urteil", Calls(&["judge"])),
    ("/welt/{world}/leitung/urteil/zurueck", Calls(&["withdraw-judgement"])),
    ("/welt/{world}/leitung/reich/{realm}/notiz", Calls(&["put-note"])),
    ("/welt/{world}/leitung/reich/{realm}/buchung", Calls(&["book"])),
    ("/welt/{world}/leitung/reich/{realm}/sitz", Calls(&["put-player"])),
    (
        "/welt/{world}/leitung/reich/{realm}/abwesenheit",
        Calls(&["add-absence-of", "end-absence-of"]),
    ),
    (
        "/welt/{world}/leitung/reich/{realm}/vertretung",
        Calls(&["add-stand-in-of", "end-stand-in-of"]),
    ),
    ("/welt/{world}/leitung/kasse", Calls(&["book-all"])),
    (
        "/welt/{world}/leitung/reich/{realm}/befehle",
        Calls(&["hand-in-orders"]),
    ),
    ("/welt/{world}/leitung/frist", Calls(&["put-deadline"])),
    ("/welt/{world}/leitung/frist/verfahren", Calls(&["put-policy"])),
    ("/welt/{world}/leitung/frist/rhythmus", Calls(&["put-rhythm"])),
    ("/welt/{world}/leitung/frist/pause", Calls(&["add-pause"])),
    ("/welt/{world}/leitung/frist/pause/zurueck", Calls(&["end-pause"])),
    ("/welt/{world}/leitung/frist/entschuldigen", Calls(&["excuse"])),
    ("/welt/{world}/leitung/aushang", Calls(&["announce"])),
    ("/welt/{world}/leitung/zutritt", Calls(&["put-admission"])),
    ("/welt/{world}/leitung/einladung", Calls(&["invite"])),
    ("/welt/{world}/leitung/einladung/zurueck", Calls(&["revoke-invitation"])),
    ("/verwaltung/untersuchung", Calls(&["examine-host"])),
    ("/verwaltung/arbeit/{job}", Calls(&["retry-job"])),
    ("/verwaltung/post/{mail}", Calls(&["settle-mail"])),
    ("/verwaltung/konten/{account}", Calls(&["act-on-account"])),
    ("/verwaltung/welten/{name}", Calls(&["set-lead"])),
    ("/verwaltung/beschwerden/{letter}", Calls(&["answer-complaint"])),
];

#[test]
fn every_page_that_changes_something_has_its_call_or_a_reason_why_not() {
    let all = routes();
    let calls: BTreeMap<&str, (&Method, Guard)> = all
        .iter()
        .filter_map(|route| Some((route.call.as_ref()?.name, (&route.method, route.guard))))
        .collect();
    let mut listed: BTreeMap<&str, &Counterpart> = BTreeMap::new();
    for (path, counterpart) in COUNTERPARTS {
        assert!(
            listed.insert(path, counterpart).is_none(),
            "{path} stands twice in the list"
        );
    }
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for page in all
        .iter()
        .filter(|route| route.call.is_none() && route.method != Method::GET)
    {
        let path = page.path;
        let counterpart = listed.remove(path).unwrap_or_else(|| panic!("{path} names no call"));
        match counterpart {
            Calls(names) => {
                assert!(!names.is_empty(), "{path}");
                for name in *names {
                    let (_, guard) = calls
                        .get(name)
                        .unwrap_or_else(|| panic!("{path}: there is no call {name}"));
                    assert_eq!(*guard, page.guard, "{path}: {name} is for the same people");
                    used.insert(name);
                }
            }
            Nothing(Why::NeedsSession) => assert_eq!(page.guard, Guard::Account, "{path}"),
            Nothing(Why::Session) => assert_eq!(page.guard, Guard::Anyone, "{path}"),
            Nothing(Why::Browser | Why::Step) => {}
        }
    }
    assert_eq!(
        listed.keys().collect::<Vec<_>>(),
        Vec::<&&str>::new(),
        "pages that are gone"
    );
    // The other way round: a call that writes and belongs to no page would be a door that nobody sees.
    let writes = |route: &&web::routes::Route| route.method != Method::GET;
    let reads = |call: &Call| call.scope == Some(host::token::Scope::Read);
    let calls = all.iter().filter(writes).filter_map(|route| route.call.as_ref());
    let unseen: Vec<&str> = calls
        .filter(|call| !reads(call) && !used.contains(call.name))
        .map(|call| call.name)
        .collect();
    assert_eq!(unseen, Vec::<&str>::new());
}
