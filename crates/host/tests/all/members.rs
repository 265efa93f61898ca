//! Who leads and who plays: joining, inviting, leaving, standing in.

use crate::common::{account, open, plan};
use host::membership::{Admission, Invited, Join, Joined, Membership, MembershipError, NewInvitation};
use host::world::World;
use host::{Host, HostError};
use kernel::realm::RealmId;

const NOW: i64 = 1_800_000_000_000;

/// A world whose second and third seats are vacant.
async fn world(host: &Host) -> World {
    let mut plan = plan("Eins");
    for seat in plan.seats.iter_mut().skip(1) {
        seat.vacant = true;
    }
    host.create(&plan, &mut |_, _| {}).await.expect("the world is made")
}

fn why<T: std::fmt::Debug>(result: host::Result<T>) -> MembershipError {
    match result {
        Err(HostError::Membership(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn invitation(to: Invited, uses: u32) -> NewInvitation {
    NewInvitation {
        to,
        uses,
        note: "for a friend".into(),
        expires_at: Some(NOW + 1_000),
    }
}

fn with(code: &str) -> Join {
    Join {
        code: Some(code.into()),
        ..Join::default()
    }
}

fn realm(joined: Joined) -> u16 {
    match joined {
        Joined::Player(seat) => seat.realm.0,
        Joined::Master => panic!("not a seat"),
    }
}

#[tokio::test]
async fn anybody_takes_a_vacant_seat_of_a_public_world_until_none_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let [mira, jonas, late] = [
        account(&host, "Mira").await,
        account(&host, "Jonas").await,
        account(&host, "Late").await,
    ];
    let open_door = Join::default();
    assert_eq!(
        why(host.join(&world, &mira.id, &open_door, NOW).await),
        MembershipError::NotOpen
    );
    assert!(host.public_worlds().await.unwrap().is_empty());
    host.set_admission(&world, Admission::Public, "Nebel.").await.unwrap();
    let listed = host.public_worlds().await.unwrap();
    let vacant: Vec<u16> = listed[0].vacant.iter().map(|seat| seat.realm.0).collect();
    assert_eq!(
        (listed[0].seats, vacant, listed[0].introduction.as_str()),
        (3, vec![2, 3], "Nebel.")
    );
    let held = Join {
        realm: Some(RealmId(1)),
        ..Join::default()
    };
    assert_eq!(
        why(host.join(&world, &mira.id, &held, NOW).await),
        MembershipError::SeatTaken,
        "the first seat was promised to somebody"
    );
    let named = |name: &str| Join {
        realm: Some(RealmId(3)),
        realm_name: Some(name.into()),
        ..Join::default()
    };
    assert_eq!(
        why(host.join(&world, &mira.id, &named("aDLER"), NOW).await),
        MembershipError::RealmNameTaken
    );
    // Names that are read like another one, or like those who lead: letters could seem to come from them.
    assert_eq!(
        why(host.join(&world, &mira.id, &named("Ad\u{ff4c}er"), NOW).await),
        MembershipError::RealmNameTaken
    );
    for name in ["\u{410}dler", "Spielleitung", "GAME  MASTER"] {
        assert_eq!(
            why(host.join(&world, &mira.id, &named(name), NOW).await),
            MembershipError::MisleadingName,
            "{name}"
        );
    }
    assert_eq!(
        realm(host.join(&world, &mira.id, &named("Nebelmark"), NOW).await.unwrap()),
        3
    );
    let seat = host.seat(&world, RealmId(3)).await.unwrap();
    assert_eq!((seat.name.as_str(), seat.player.as_str()), ("Nebelmark", "Mira"));
    assert!(!seat.computer && !seat.vacant);
    assert_eq!(
        why(host.join(&world, &mira.id, &open_door, NOW).await),
        MembershipError::AlreadyPlays
    );
    assert_eq!(realm(host.join(&world, &jonas.id, &open_door, NOW).await.unwrap()), 2);
    assert_eq!(
        why(host.join(&world, &late.id, &open_door, NOW).await),
        MembershipError::Full
    );
    host.leave(&world, &jonas.id).await.unwrap();
    assert_eq!(why(host.leave(&world, &jonas.id).await), MembershipError::NoMember);
    assert_eq!(realm(host.join(&world, &late.id, &open_door, NOW).await.unwrap()), 2);
}

#[tokio::test]
async fn an_invitation_holds_for_its_seat_its_time_its_world_and_its_number_of_people() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let other = host.create(&plan("Zwei"), &mut |_, _| {}).await.unwrap();
    let [mira, jonas, third] = [
        account(&host, "Mira").await,
        account(&host, "Jonas").await,
        account(&host, "Third").await,
    ];
    let seat = host
        .invite(&world, &invitation(Invited::Seat(RealmId(1)), 1), None, NOW)
        .await
        .unwrap();
    assert_eq!(seat.code.len(), 16);
    let elsewhere = host.join(&other, &mira.id, &with(&seat.code), NOW).await;
    assert_eq!(why(elsewhere), MembershipError::BadCode);
    let late = host.join(&world, &mira.id, &with(&seat.code), NOW + 1_000).await;
    assert_eq!(why(late), MembershipError::BadCode);
    let mut wrong = with(&seat.code);
    wrong.realm = Some(RealmId(2));
    assert_eq!(
        why(host.join(&world, &mira.id, &wrong, NOW).await),
        MembershipError::BadCode
    );
    // As people type it: in groups and lower case.
    let typed = format!("{} {}", &seat.code[..8].to_lowercase(), &seat.code[8..]);
    assert_eq!(
        realm(host.join(&world, &mira.id, &with(&typed), NOW + 999).await.unwrap()),
        1
    );
    let twice = host.join(&world, &jonas.id, &with(&seat.code), NOW).await;
    assert_eq!(why(twice), MembershipError::BadCode, "it is used up");

    let two = host
        .invite(&world, &invitation(Invited::Player, 2), None, NOW)
        .await
        .unwrap();
    let again = host.join(&world, &mira.id, &with(&two.code), NOW).await;
    assert_eq!(why(again), MembershipError::AlreadyPlays);
    let (_, left) = host.invitation(&two.code, NOW).await.unwrap().unwrap();
    assert_eq!(left.uses_left, 2, "a refusal uses nothing up");
    host.join(&world, &jonas.id, &with(&two.code), NOW).await.unwrap();
    assert_eq!(host.invitations(&world, NOW).await.unwrap()[0].uses_left, 1);
    assert!(host.revoke_invitation(&world, &two.code).await.unwrap());
    assert!(host.invitation(&two.code, NOW).await.unwrap().is_none());
    assert_eq!(
        why(host.join(&world, &third.id, &with(&two.code), NOW).await),
        MembershipError::BadCode
    );
}

#[tokio::test]
async fn who_leads_does_not_play_and_one_always_leads() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let [mira, jonas] = [account(&host, "Mira").await, account(&host, "Jonas").await];
    host.add_master(&world, &mira.id, NOW).await.unwrap();
    host.set_admission(&world, Admission::Public, "").await.unwrap();
    let join = host.join(&world, &mira.id, &Join::default(), NOW).await;
    assert_eq!(why(join), MembershipError::AlreadyLeads);
    host.join(&world, &jonas.id, &Join::default(), NOW).await.unwrap();
    assert_eq!(
        why(host.add_master(&world, &jonas.id, NOW).await),
        MembershipError::AlreadyPlays
    );
    assert_eq!(
        why(host.remove_master(&world, &mira.id).await),
        MembershipError::LastMaster
    );
    host.leave(&world, &jonas.id).await.unwrap();
    let code = host
        .invite(&world, &invitation(Invited::Master, 1), Some(&mira.id), NOW)
        .await
        .unwrap()
        .code;
    assert_eq!(
        host.join(&world, &jonas.id, &with(&code), NOW).await.unwrap(),
        Joined::Master
    );
    host.remove_master(&world, &mira.id).await.unwrap();
    let masters = host.masters(&world).await.unwrap();
    assert_eq!(masters.len(), 1);
    assert_eq!(masters[0].name, "Jonas");
}

#[tokio::test]
async fn a_stand_in_acts_for_the_seat_from_the_first_moment_to_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let [mira, jonas] = [account(&host, "Mira").await, account(&host, "Jonas").await];
    host.assign_seat(&world, RealmId(1), &mira.id, NOW).await.unwrap();
    let period = (NOW + 10, NOW + 20);
    host.stand_in(&world, RealmId(1), &jonas.id, period, NOW).await.unwrap();
    for (at, acts) in [(9, false), (10, true), (19, true), (20, false)] {
        let part = host.membership(&world, &jonas.id, NOW + at).await.unwrap();
        assert_eq!(part.acts_for(RealmId(1)), acts, "at {at}");
        assert!(!part.acts_for(RealmId(2)));
        assert_eq!(
            host.memberships(&jonas.id, NOW + at).await.unwrap().len(),
            usize::from(acts)
        );
    }
    let mine = host.memberships(&mira.id, NOW).await.unwrap();
    assert_eq!(
        mine[0].1,
        Membership {
            seat: Some(RealmId(1)),
            ..Membership::default()
        }
    );
    assert_eq!(
        why(host.stand_in(&world, RealmId(2), &mira.id, period, NOW).await),
        MembershipError::AlreadyPlays,
        "a rival learns nothing"
    );
    for period in [(NOW + 20, NOW + 20), (NOW - 20, NOW), (NOW, NOW + 800 * 86_400_000)] {
        let refused = host.stand_in(&world, RealmId(1), &jonas.id, period, NOW).await;
        assert_eq!(why(refused), MembershipError::BadPeriod);
    }
    host.assign_seat(&world, RealmId(2), &jonas.id, NOW).await.unwrap();
    let part = host.membership(&world, &jonas.id, NOW + 15).await.unwrap();
    assert!(
        !part.acts_for(RealmId(1)),
        "whoever becomes a rival stands in no longer"
    );
}

#[tokio::test]
async fn whoever_comes_to_lead_looks_after_no_realm_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let [mira, jonas] = [account(&host, "Mira").await, account(&host, "Jonas").await];
    host.assign_seat(&world, RealmId(1), &mira.id, NOW).await.unwrap();
    // One that begins later is no part in the world yet.
    let later = (NOW + 10, NOW + 20);
    host.stand_in(&world, RealmId(1), &jonas.id, later, NOW).await.unwrap();
    host.add_master(&world, &jonas.id, NOW).await.unwrap();
    let part = host.membership(&world, &jonas.id, NOW + 15).await.unwrap();
    assert!(part.master && part.stands_in.is_empty(), "{part:?}");
}

#[tokio::test]
async fn a_player_is_replaced_in_one_go_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let [mira, jonas, greta] = [
        account(&host, "Mira").await,
        account(&host, "Jonas").await,
        account(&host, "Greta").await,
    ];
    let holder = async |realm: u16| {
        let holders = host.holders(&world).await.unwrap();
        let held = holders.into_iter().find(|of| of.realm == Some(RealmId(realm)));
        held.map(|of| of.name)
    };
    host.add_master(&world, &greta.id, NOW).await.unwrap();
    host.replace_player(&world, RealmId(1), &mira.id, NOW).await.unwrap();
    assert_eq!(holder(1).await.as_deref(), Some("Mira"), "a seat that nobody held");
    host.replace_player(&world, RealmId(2), &jonas.id, NOW).await.unwrap();
    // Whoever plays elsewhere in the world or leads it cannot come, and then nobody goes.
    let refused = host.replace_player(&world, RealmId(1), &jonas.id, NOW).await;
    assert_eq!(why(refused), MembershipError::AlreadyPlays);
    let refused = host.replace_player(&world, RealmId(1), &greta.id, NOW).await;
    assert_eq!(why(refused), MembershipError::AlreadyLeads);
    assert_eq!(holder(1).await.as_deref(), Some("Mira"));
    // The computer stands in without taking the seat, and gives it back.
    host.reseat(&world, RealmId(1), "Mira", true).await.unwrap();
    assert!(host.seat(&world, RealmId(1)).await.unwrap().computer);
    assert_eq!(holder(1).await.as_deref(), Some("Mira"));
    host.replace_player(&world, RealmId(1), &mira.id, NOW).await.unwrap();
    assert!(!host.seat(&world, RealmId(1)).await.unwrap().computer);
    // Jonas leaves his own seat and takes hers.
    host.leave(&world, &jonas.id).await.unwrap();
    host.replace_player(&world, RealmId(1), &jonas.id, NOW).await.unwrap();
    assert_eq!(holder(1).await.as_deref(), Some("Jonas"));
    let seat = host.seat(&world, RealmId(1)).await.unwrap();
    assert_eq!(
        (seat.player.as_str(), seat.computer, seat.vacant),
        ("Jonas", false, false)
    );
    assert!(!host.membership(&world, &mira.id, NOW).await.unwrap().is_any());
}

#[tokio::test]
async fn two_who_take_the_last_seat_at_once_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path()).await;
    let two = open(folder.path()).await;
    let world = world(&one).await;
    let [mira, jonas] = [account(&one, "Mira").await, account(&one, "Jonas").await];
    one.set_admission(&world, Admission::Public, "").await.unwrap();
    let third = Join {
        realm: Some(RealmId(3)),
        ..Join::default()
    };
    let (first, second) = tokio::join!(
        one.join(&world, &mira.id, &third, NOW),
        two.join(&world, &jonas.id, &third, NOW)
    );
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert_eq!(one.holders(&world).await.unwrap().len(), 1);
}

#[tokio::test]
async fn whoever_takes_or_leaves_a_seat_is_told_to_the_game_with_the_open_turn() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let mira = account(&host, "Mira").await;
    host.assign_seat(&world, RealmId(2), &mira.id, NOW).await.unwrap();
    host.leave(&world, &mira.id).await.unwrap();
    host.reseat(&world, RealmId(1), "Jonas", false).await.unwrap();
    let told = host.judgements(&world, 1).await.unwrap();
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|judgement| judgement.reason == "seat handed over"));
    // The computer that stands in takes nobody's place in the reports.
    host.reseat(&world, RealmId(1), "Jonas", true).await.unwrap();
    assert_eq!(host.judgements(&world, 1).await.unwrap().len(), 3);
}

#[tokio::test]
async fn the_sign_of_a_seat_that_changed_hands_is_not_taken_back_and_outlives_a_turn_that_is() {
    let folder = tempfile::tempdir().unwrap();
    let host = open(folder.path()).await;
    let world = world(&host).await;
    let counting = async |step: u32| {
        let given = host.judgements(&world, step).await.unwrap();
        given.iter().filter(|judgement| !judgement.withdrawn).count()
    };
    host.reseat(&world, RealmId(1), "Jonas", false).await.unwrap();
    let refused = host.withdraw(&world, 1).await.unwrap_err();
    assert!(
        matches!(refused, HostError::Malformed(host::unfit::Unfit::HandedOver)),
        "{refused}"
    );
    assert_eq!(counting(1).await, 1);
    host.run(&world, crate::common::ANYWAY, &mut |_, _| {}).await.unwrap();
    // Somebody takes a seat while the second turn is open, and the first is taken back.
    let mira = account(&host, "Mira").await;
    host.assign_seat(&world, RealmId(2), &mira.id, NOW).await.unwrap();
    host.edict(&world, "7", "for the turn that never was").await.unwrap();
    host.take_back(&world, None, "a mistake").await.unwrap();
    assert_eq!((counting(1).await, counting(2).await), (2, 0));
    host.run(&world, crate::common::ANYWAY, &mut |_, _| {}).await.unwrap();
    assert!(host.check_step(&world, 1, true).await.unwrap().holds());
}
