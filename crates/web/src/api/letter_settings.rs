//! What somebody wishes about his letters: the words below them, whether a stand-in reads them, whose are not taken.

use super::letters::Correspondent;
use super::{Called, Problem, Sent, done, json};
use crate::pages::letters::writing;
use crate::state::Web;
use axum::extract::State;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What you wish about your letters.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LetterSettings {
    /// What stands below a new letter.
    #[serde(default)]
    #[schema(max_length = 80)]
    signature: String,
    /// Whether somebody who stands in for you reads and writes them.
    #[serde(default)]
    stand_in: bool,
    /// Numbers of the realms whose letters you do not take.
    #[serde(default)]
    blocked: Vec<u16>,
}

/// `GET /api/v1/worlds/{world}/letter-settings` and `GET /api/v1/worlds/{world}/lead/letter-settings`
pub async fn show(State(web): State<Web>, Correspondent(writer): Correspondent) -> Called {
    writer.settles()?;
    let post = writer.post(&web);
    let preferences = post.preferences().await?;
    json(&LetterSettings {
        signature: preferences.signature,
        stand_in: preferences.stand_in,
        blocked: post.blocked().await?.into_iter().map(|realm| realm.0).collect(),
    })
}

/// `PUT /api/v1/worlds/{world}/letter-settings` and `PUT /api/v1/worlds/{world}/lead/letter-settings`
pub async fn set(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Sent(sent): Sent<LetterSettings>,
) -> Called {
    // Nobody blocks himself, and the game master nobody: he stops letters at his desk.
    let own = |realm: &u16| writer.is_master() || kernel::realm::Viewer::Realm(RealmId(*realm)) == writer.viewer;
    if sent.blocked.iter().any(own) {
        return Err(Problem::refused(&"blocked"));
    }
    let wanted = sent.blocked.into_iter().map(RealmId).collect();
    writing::keep_settings(&web, &writer, sent.stand_in, &sent.signature, wanted).await?;
    done()
}
