//! Calculators of the game, such as for battles: they reckon with the same rules as the turn, from what the player fills in.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::orders::forms::{FieldView, Filled, fields};
use crate::pages::report::{Reader, aside};
use crate::state::Web;
use askama::Template;
use axum::extract::{Query, State};
use kernel::form::Values;
use render::sheet::{Form, Lists, Part, sheet};

/// Values that are looked at.
const VALUES_MAX: usize = 200;

/// A calculator, worded.
struct Calculator {
    name: String,
    title: String,
    help: String,
    rules: Vec<String>,
    fields: Vec<FieldView>,
    answer: Vec<Part>,
}

#[derive(Template)]
#[template(path = "calculator.html")]
struct Calculators<'a> {
    page: &'a Page,
    list: Vec<Calculator>,
}

/// `GET /welt/{world}/rechner`
pub async fn show(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Answer {
    if pairs.len() > VALUES_MAX {
        return Err(Fault::TooLarge);
    }
    let reader = Reader::new(player.game(&web)?, &page);
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let list = aside(move || reckon(&reader, &view, &pairs)).await?;
    page.show(&Calculators { page: &page, list })
}

fn reckon(reader: &Reader, view: &[u8], pairs: &[(String, String)]) -> Result<Vec<Calculator>, Fault> {
    let asked = pairs
        .iter()
        .find(|(name, _)| name == "rechner")
        .map(|(_, value)| value.as_str());
    let mut list = Vec::new();
    for form in reader.game.calculators(view)? {
        let prefix = format!("{}.", form.name);
        let values = pairs.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix(&prefix)?;
            (!value.is_empty()).then(|| (name.to_owned(), value.replace("\r\n", "\n")))
        });
        let sent = (asked == Some(&*form.name)).then(|| Filled {
            form: form.name.to_string(),
            values: values.collect::<Values>(),
            faults: Vec::new(),
        });
        let answer = match &sent {
            Some(sent) => {
                let options = reader.options(Form::Story, Lists::All, None);
                let mut failed = None;
                let parts = sheet(reader.wording, options, |sink| {
                    failed = reader.game.calculate(view, &form.name, &sent.values, sink).err();
                });
                match failed {
                    Some(error) => return Err(error.into()),
                    None => parts,
                }
            }
            None => Vec::new(),
        };
        list.push(Calculator {
            fields: fields(reader, &form, sent.as_ref()),
            title: reader.word(&form.title),
            help: reader.word(&form.help),
            rules: form.rules.iter().map(|rule| rule.to_string()).collect(),
            name: form.name.to_string(),
            answer,
        });
    }
    Ok(list)
}
