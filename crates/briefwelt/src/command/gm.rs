//! `briefwelt gm`

use super::{find_seat, open_world};
use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{read_text, table, tell, time};
use crate::words::Words;
use host::judgement::Judgement;
use host::step::RunPlan;
use kernel::any::AnyGame;
use kernel::turn::Request;
use serde_json::json;
use std::path::Path;

/// Carries out `briefwelt gm`.
pub async fn run(cli: &Cli, command: &cli::Gm) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let words = Words::of(cli);
    let game = host.game(&world.game)?;
    match command {
        cli::Gm::Edict { ruling, reason } => given(cli, &*game, &host.edict(&world, ruling, reason).await?),
        cli::Gm::Answer {
            request,
            ruling,
            reason,
        } => given(cli, &*game, &host.answer(&world, request, ruling, reason).await?),
        cli::Gm::Message { text, realm } => {
            let to = match realm {
                Some(realm) => Some(find_seat(&host, &world, realm).await?.realm),
                None => None,
            };
            let text = match text.as_str() {
                "-" => read_text(Path::new("-"), host::limits::JUDGEMENT_CHARACTERS)?,
                text => text.to_owned(),
            };
            if text.trim().is_empty() {
                return Err(Complaint::new("empty-letter").into());
            }
            given(cli, &*game, &host.letter(&world, to, &text).await?)
        }
        cli::Gm::Requests { turn } => {
            let requests = match turn {
                Some(turn) if *turn < world.open_step => host.requests(&world, *turn).await?,
                _ => {
                    let plan = RunPlan {
                        step: *turn,
                        without_missing: true,
                    };
                    host.trial(&world, plan).await?.0.requests
                }
            };
            tell(cli, &requests, || {
                if requests.is_empty() {
                    return words.t("nothing-asked");
                }
                let row = |request: &Request<String>| {
                    let state = words.t(if request.answered { "answered" } else { "asked" });
                    let default = words.with("default", &[("value", &request.default)]);
                    vec![request.name.clone(), state, default]
                };
                table(&requests.iter().map(row).collect::<Vec<_>>())
            })
        }
        cli::Gm::List { turn } => {
            let judgements = host.judgements(&world, turn.unwrap_or(world.open_step)).await?;
            tell(cli, &judgements, || {
                let row = |judgement: &Judgement| {
                    let kind = match judgement.request.as_str() {
                        "" => words.t("edict"),
                        request => words.with("answer-to", &[("request", &request)]),
                    };
                    let state = match judgement.withdrawn {
                        true => words.t("taken-back"),
                        false => String::new(),
                    };
                    vec![
                        judgement.number.to_string(),
                        time(judgement.given_at),
                        kind,
                        game.ruling_words(&judgement.ruling),
                        judgement.reason.clone(),
                        state,
                    ]
                };
                table(&judgements.iter().map(row).collect::<Vec<_>>())
            })
        }
        cli::Gm::Withdraw { number } => {
            host.withdraw(&world, *number).await?;
            let value = json!({ "number": number, "turn": world.open_step, "withdrawn": true });
            tell(cli, &value, || {
                words.with(
                    "judgement-taken-back",
                    &[("number", number), ("turn", &world.open_step)],
                )
            })
        }
    }
}

fn given(cli: &Cli, game: &dyn AnyGame, judgement: &Judgement) -> anyhow::Result<()> {
    tell(cli, judgement, || {
        Words::of(cli).with(
            "recorded",
            &[
                ("number", &judgement.number),
                ("turn", &judgement.step),
                ("ruling", &game.ruling_words(&judgement.ruling)),
            ],
        )
    })
}
