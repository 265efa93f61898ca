//! Calculators of the game, such as for battles: they reckon with the same rules as the turn, from what the player fills in.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::orders::forms::{FieldView, Filled, fields};
use crate::pages::report::{Reader, aside};
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::extract::{Query, State};
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
pub async fn show(State(web): State<Web>, page: Page, player: Player, Query(pairs): Query<Pairs>) -> Answer {
    let pairs = pairs.limited(VALUES_MAX)?;
    let reader = Reader::new(player.game(&web)?, &page);
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let list = aside(move || reckon(&reader, &view, &pairs)).await?;
    page.show(&Calculators { page: &page, list })
}

fn reckon(reader: &Reader, view: &[u8], pairs: &Pairs) -> Result<Vec<Calculator>, Fault> {
    let asked = pairs.one("rechner");
    let mut list = Vec::new();
    for form in reader.game.calculators(view)? {
        let sent = (asked == Some(&*form.name)).then(|| Filled {
            form: form.name.to_string(),
            values: pairs.values_of(&form.name),
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
