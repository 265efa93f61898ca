//! The calls of a ruler's own affairs, and those of the game master about letters, joining and the map changed by hand.

use super::super::{Guard, Route, delete, get, post, put};
use crate::api::{Call, Family, account, chronicle, desk, join, keeping, letter_settings, orders, seat, turn};
use crate::pages;

/// For players.
pub(super) fn for_players() -> Vec<Route> {
    use Family::World;
    use Guard::{Account, Member, Seat};
    let call = Call::new;
    vec![
        get("/api/v1/account/wishes", Account, account::wishes)
            .call(call("get-wishes", Family::Account).gives::<account::Wishes>()),
        put("/api/v1/account/wishes", Account, account::wish)
            .call(call("put-wishes", Family::Account).takes::<account::Wishes>()),
        get("/api/v1/account/data", Account, account::data)
            .call(call("get-data", Family::Account).shows(&["application/json"])),
        get("/api/v1/open-worlds", Account, join::list)
            .call(call("list-open-worlds", Family::Account).gives::<join::OpenWorlds>()),
        post("/api/v1/open-worlds/{name}/join", Account, join::join).call(
            call("join-world", Family::Account)
                .takes::<join::JoinSent>()
                .makes::<join::Came>(),
        ),
        get("/api/v1/invitations/{code}", Account, join::invitation)
            .call(call("get-invitation", Family::Account).gives::<join::OpenWorld>()),
        post("/api/v1/invitations/{code}/accept", Account, join::accept).call(
            call("accept-invitation", Family::Account)
                .takes::<join::JoinSent>()
                .makes::<join::Came>(),
        ),
        get("/api/v1/worlds/{world}/record", Member, chronicle::record)
            .call(call("get-open-record", World).gives::<chronicle::OpenRecord>()),
        get("/api/v1/worlds/{world}/chronicle", Seat, chronicle::show)
            .call(call("get-chronicle", World).gives::<chronicle::Chronicle>()),
        get("/api/v1/worlds/{world}/turns/{turn}/map.txt", Seat, turn::map_in_words)
            .call(call("get-map-text", Family::Turn).shows(&["text/plain"])),
        get("/api/v1/worlds/{world}/letter-settings", Seat, letter_settings::show)
            .call(call("get-letter-settings", Family::Letters).gives::<letter_settings::LetterSettings>()),
        put("/api/v1/worlds/{world}/letter-settings", Seat, letter_settings::set)
            .call(call("put-letter-settings", Family::Letters).takes::<letter_settings::LetterSettings>()),
        get("/api/v1/worlds/{world}/seat", Seat, seat::show).call(call("get-affairs", World).gives::<seat::Affairs>()),
        delete("/api/v1/worlds/{world}/seat", Seat, seat::depart)
            .call(call("leave-world", World).asks::<seat::DepartureAsked>()),
        put("/api/v1/worlds/{world}/seat/reminders", Seat, seat::remind)
            .call(call("put-reminders", World).takes::<seat::RemindersSent>()),
        post("/api/v1/worlds/{world}/seat/absences", Seat, seat::leave)
            .call(call("add-absence", World).takes::<seat::AbsenceSent>()),
        delete("/api/v1/worlds/{world}/seat/absences", Seat, seat::stay)
            .call(call("end-absence", World).asks::<seat::AbsenceAsked>()),
        post("/api/v1/worlds/{world}/seat/stand-ins", Seat, seat::hand_over)
            .call(call("add-stand-in", World).takes::<seat::StandInSent>()),
        delete("/api/v1/worlds/{world}/seat/stand-ins/{account}", Seat, seat::take_over)
            .call(call("end-stand-in", World)),
    ]
}

/// For game masters.
pub(super) fn for_masters() -> Vec<Route> {
    use Family::Lead;
    use Guard::GameMaster;
    let call = Call::new;
    vec![
        get("/api/v1/worlds/{world}/lead/post", GameMaster, desk::post)
            .call(call("get-post-desk", Lead).gives::<desk::PostDesk>()),
        put("/api/v1/worlds/{world}/lead/post/custom", GameMaster, desk::set_custom)
            .call(call("put-custom", Lead).takes::<desk::CustomBody>()),
        post(
            "/api/v1/worlds/{world}/lead/post/{letter}/act",
            GameMaster,
            desk::decide,
        )
        .call(call("decide-letter", Lead).takes::<desk::DeskActSent>()),
        put(
            "/api/v1/worlds/{world}/lead/seats/{realm}/voice",
            GameMaster,
            desk::silence,
        )
        .call(call("put-voice", Lead).takes::<desk::VoiceSent>()),
        post(
            "/api/v1/worlds/{world}/lead/seats/{realm}/orders",
            GameMaster,
            desk::hand_in,
        )
        .call(
            call("hand-in-orders", Lead)
                .takes::<desk::PaperSent>()
                .makes::<orders::Receipt>(),
        )
        .with_body(pages::orders::BODY_BYTES),
        get("/api/v1/worlds/{world}/lead/admission", GameMaster, desk::admission)
            .call(call("get-admission", Lead).gives::<desk::AdmissionBody>()),
        put("/api/v1/worlds/{world}/lead/admission", GameMaster, desk::admit)
            .call(call("put-admission", Lead).takes::<desk::AdmissionBody>()),
        get(
            "/api/v1/worlds/{world}/lead/letter-settings",
            GameMaster,
            letter_settings::show,
        )
        .call(call("get-master-letter-settings", Lead).gives::<letter_settings::LetterSettings>()),
        put(
            "/api/v1/worlds/{world}/lead/letter-settings",
            GameMaster,
            letter_settings::set,
        )
        .call(call("put-master-letter-settings", Lead).takes::<letter_settings::LetterSettings>()),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/map.txt",
            GameMaster,
            turn::map_in_words,
        )
        .call(call("get-whole-map-text", Lead).shows(&["text/plain"])),
        get(
            "/api/v1/worlds/{world}/lead/map-changes/map",
            GameMaster,
            desk::changed_map,
        )
        .call(call("get-changed-map", Lead).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/lead/map-sheet", GameMaster, desk::sheet)
            .call(call("get-map-sheet", Lead).shows(&["text/plain"])),
        get("/api/v1/worlds/{world}/lead/map-changes", GameMaster, desk::map_changes)
            .call(call("list-map-changes", Lead).gives::<desk::ChangeEntries>()),
        post("/api/v1/worlds/{world}/lead/map-changes", GameMaster, desk::change_map)
            .call(
                call("change-map", Lead)
                    .takes::<desk::ChangesSent>()
                    .gives::<desk::ChangesMade>(),
            )
            .with_body(pages::lead::editor::SHEET_BYTES),
        post("/api/v1/worlds/{world}/lead/map-changes/undo", GameMaster, desk::undo)
            .call(call("undo-map-change", Lead).gives::<desk::ChangeMoved>()),
        post("/api/v1/worlds/{world}/lead/map-changes/redo", GameMaster, desk::redo)
            .call(call("redo-map-change", Lead).gives::<desk::ChangeMoved>()),
    ]
}

/// For those who keep the host.
pub(super) fn for_keepers() -> Vec<Route> {
    use Family::Host;
    use Guard::Admin;
    let call = Call::new;
    vec![
        get("/api/v1/host", Admin, keeping::show).call(call("get-host", Host).gives::<keeping::HostFile>()),
        post("/api/v1/host/examination", Admin, keeping::examine)
            .call(call("examine-host", Host).gives::<keeping::HostFindings>()),
        post("/api/v1/host/jobs/{job}/retry", Admin, keeping::retry_job).call(call("retry-job", Host)),
        post("/api/v1/host/mails/{mail}", Admin, keeping::settle_mail)
            .call(call("settle-mail", Host).takes::<keeping::MailSent>()),
        get("/api/v1/host/accounts", Admin, keeping::accounts).call(
            call("list-accounts", Host)
                .asks::<keeping::AccountsAsked>()
                .gives::<keeping::AccountEntries>(),
        ),
        post("/api/v1/host/accounts/{account}/act", Admin, keeping::act_on_account)
            .call(call("act-on-account", Host).takes::<keeping::AccountActSent>()),
        get("/api/v1/host/worlds", Admin, keeping::worlds)
            .call(call("list-host-worlds", Host).gives::<keeping::HostWorlds>()),
        post("/api/v1/host/worlds/{name}/lead", Admin, keeping::set_lead)
            .call(call("set-lead", Host).takes::<keeping::LeadSent>()),
        get("/api/v1/host/complaints", Admin, keeping::complaints)
            .call(call("list-complaints", Host).gives::<keeping::OpenComplaints>()),
        post("/api/v1/host/complaints/{letter}/answer", Admin, keeping::answer)
            .call(call("answer-complaint", Host).takes::<keeping::AnswerSent>()),
    ]
}
