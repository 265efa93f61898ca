//! Coats of arms: which one a realm bears, choosing one from the kit, bringing one along.

use super::turn::FormChoice;
use super::{Asked, Called, Problem, Sent, SentImage, done, json};
use crate::identity::{Player, world_segment};
use crate::page::Page;
use crate::pages::arms::drawing;
use crate::pages::seat::holder;
use crate::state::Web;
use axum::extract::State;
use host::arms::{Blazon, Charge, Division, Tincture, charges};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A coat of arms from the kit.
#[derive(Debug, Serialize, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BlazonBody {
    /// How the field is divided: one of the kit's `divisions`.
    #[schema(example = "plain")]
    division: String,
    /// Tincture of the field.
    #[schema(example = "red")]
    field: String,
    /// The second tincture of a divided field.
    #[schema(example = "gold")]
    second: String,
    /// The figure on it; without one it bears none.
    #[serde(default)]
    #[param(required = false)]
    charge: Option<String>,
    /// Tincture of the figure.
    #[schema(example = "silver")]
    charge_tincture: String,
}

impl BlazonBody {
    fn of(blazon: &Blazon) -> Self {
        Self {
            division: blazon.division.code().to_owned(),
            field: blazon.field.code().to_owned(),
            second: blazon.second.code().to_owned(),
            charge: blazon.charge.clone(),
            charge_tincture: blazon.charge_tincture.code().to_owned(),
        }
    }

    /// The coat of arms, if the kit has all its parts.
    fn blazon(&self) -> Result<Blazon, Problem> {
        let tincture = |name: &str, code: &str| {
            Tincture::from_code(code).ok_or_else(|| Problem::refused(&format_args!("{name}: {code}")))
        };
        let division = Division::from_code(&self.division);
        let charge = match self.charge.as_deref() {
            None | Some("") => None,
            Some(name) => {
                let found = Charge::find(name).ok_or_else(|| Problem::refused(&format_args!("charge: {name}")))?;
                Some(found.name.clone())
            }
        };
        Ok(Blazon {
            division: division.ok_or_else(|| Problem::refused(&format_args!("division: {}", self.division)))?,
            field: tincture("field", &self.field)?,
            second: tincture("second", &self.second)?,
            charge,
            charge_tincture: tincture("charge_tincture", &self.charge_tincture)?,
        })
    }
}

/// The kit from which coats of arms are put together.
#[derive(Debug, Serialize, ToSchema)]
pub struct Kit {
    /// How a field can be divided.
    divisions: Vec<FormChoice>,
    /// Metals and colours.
    tinctures: Vec<FormChoice>,
    /// The figures.
    charges: Vec<FormChoice>,
}

/// Your coat of arms.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnArms {
    /// Whether you chose it; else it is what your name says.
    chosen: bool,
    /// How it is put together; nothing for one that you brought along.
    blazon: Option<BlazonBody>,
    /// Address of the drawing.
    drawing: String,
    /// Address of your seal.
    seal: String,
    /// What you can choose from.
    kit: Kit,
}

fn kit(page: &Page) -> Kit {
    let choice = |kind: &str, code: &str| FormChoice {
        value: code.to_owned(),
        name: page.words.of_code("arms", &format!("{kind}-{code}")),
    };
    Kit {
        divisions: Division::ALL.iter().map(|of| choice("division", of.code())).collect(),
        tinctures: Tincture::ALL.iter().map(|of| choice("tincture", of.code())).collect(),
        charges: charges().iter().map(|of| choice("charge", &of.name)).collect(),
    }
}

/// `GET /api/v1/worlds/{world}/arms`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Called {
    let arms = web.host.arms(&player.world, player.realm()).await?;
    let base = format!("/api/v1/worlds/{}", world_segment(&player.world));
    json(&OwnArms {
        chosen: arms.chosen,
        blazon: arms.blazon.as_ref().map(BlazonBody::of),
        drawing: format!("{base}/arms/{}", player.realm()),
        seal: format!("{base}/seals/{}", player.realm()),
        kit: kit(&page),
    })
}

/// `PUT /api/v1/worlds/{world}/arms`
pub async fn choose(State(web): State<Web>, player: Player, Sent(sent): Sent<BlazonBody>) -> Called {
    holder(&player)?;
    let blazon = sent.blazon()?;
    web.host.set_blazon(&player.world, player.realm(), &blazon).await?;
    done()
}

/// `DELETE /api/v1/worlds/{world}/arms`
pub async fn forget(State(web): State<Web>, player: Player) -> Called {
    holder(&player)?;
    web.host.forget_arms(&player.world, player.realm()).await?;
    done()
}

/// `GET /api/v1/worlds/{world}/arms/sketch`: a coat of arms as a drawing, without choosing it.
pub async fn sketch(_: Player, Asked(asked): Asked<BlazonBody>) -> Called {
    Ok(drawing(asked.blazon()?.draw())?)
}

/// What became of a drawing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cleaned {
    /// What was left out of it because it may not be shown.
    left_out: Vec<String>,
}

/// `PUT /api/v1/worlds/{world}/arms/drawing`
pub async fn upload(State(web): State<Web>, player: Player, SentImage(drawing): SentImage) -> Called {
    holder(&player)?;
    let left_out = web.host.upload_arms(&player.world, player.realm(), &drawing).await?;
    json(&Cleaned {
        left_out: left_out.into_iter().collect(),
    })
}
