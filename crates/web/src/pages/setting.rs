//! Small choices that need no account.

use crate::Answer;
use crate::context::{LIGHT_COOKIE, Light, forget, lasting};
use crate::page::{go, own_path};
use crate::state::Web;
use axum::Form;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::Uri;
use axum::http::header::REFERER;
use axum::response::IntoResponse as _;
use axum_extra::extract::CookieJar;
use serde::Deserialize;

/// The light that was chosen.
#[derive(Deserialize)]
pub struct LightForm {
    licht: String,
}

/// `POST /einstellung/licht`
pub async fn light(State(web): State<Web>, headers: HeaderMap, Form(form): Form<LightForm>) -> Answer {
    let cookie = match Light::of(&form.licht) {
        Light::Device => forget(&web, LIGHT_COOKIE),
        light => lasting(&web, LIGHT_COOKIE, light.name().to_owned()),
    };
    Ok((CookieJar::new().add(cookie), go(&came_from(&headers))?).into_response())
}

/// The page of this host that the visitor comes from. The browser tells it only to us.
pub fn came_from(headers: &HeaderMap) -> String {
    let referer = headers.get(REFERER).and_then(|value| value.to_str().ok());
    let uri = referer.and_then(|text| text.parse::<Uri>().ok());
    let path = uri
        .as_ref()
        .and_then(Uri::path_and_query)
        .map_or("/", |path| path.as_str());
    own_path(path).to_owned()
}
