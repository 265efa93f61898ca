//! Coats of arms and seals: as pictures, and the page on which a ruler chooses his.

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Member, Player};
use crate::kept;
use crate::page::{Flash, Page, go_with};
use crate::pages::map::picture;
use crate::pages::seat::holder;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::IntoResponse as _;
use host::HostError;
use host::arms::{Arms, Blazon, Charge, Division, Tincture, charges};
use host::letter::Acquaintance;
use host::world::World;
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A drawing may show itself and nothing else, wherever it is opened.
const DRAWING_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// What a drawing comes with.
const DRAWING_HEADERS: [(HeaderName, &str); 2] = [
    (CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
    (CONTENT_SECURITY_POLICY, DRAWING_POLICY),
];

/// Names, arms and seals of the correspondents of a world, as one viewer knows them: whom he has not met is a number and
/// bears no arms.
pub struct Heralds {
    base: String,
    master: String,
    stranger: Vec<(RealmId, String)>,
    known: Acquaintance,
    changed: BTreeMap<RealmId, i64>,
}

impl Heralds {
    /// Those that a viewer knows.
    pub async fn of(web: &Web, page: &Page, world: &World, viewer: Viewer) -> Result<Self, Fault> {
        let known = web.host.letters(world, viewer).acquaintance().await?;
        let strangers = known.reachable.iter().filter(|realm| !known.names.contains_key(realm));
        Ok(Self {
            base: page.in_world(""),
            master: page.t("letters.master"),
            stranger: strangers.map(|realm| (*realm, stranger(page, *realm))).collect(),
            changed: web.host.arms_changed(world).await?,
            known,
        })
    }

    /// All of a world: for its game master, and for what is printed for everybody.
    pub async fn all(web: &Web, page: &Page, world: &World) -> Result<Self, Fault> {
        Self::of(web, page, world, Viewer::GameMaster).await
    }

    /// The realms that the viewer may write to, by number.
    pub fn realms(&self) -> impl Iterator<Item = (RealmId, String)> {
        let reachable = self.known.reachable.iter();
        reachable.map(|realm| (*realm, self.name(Viewer::Realm(*realm))))
    }

    /// What a correspondent is called.
    pub fn name(&self, viewer: Viewer) -> String {
        match viewer {
            Viewer::GameMaster => self.master.clone(),
            Viewer::Realm(realm) => match self.known.names.get(&realm) {
                Some(name) => name.clone(),
                None => {
                    let number = self.stranger.iter().find(|(of, _)| *of == realm);
                    number.map_or_else(|| realm.to_string(), |(_, name)| name.clone())
                }
            },
        }
    }

    fn picture(&self, kind: &str, viewer: Viewer) -> Option<String> {
        match viewer {
            Viewer::Realm(realm) if self.known.names.contains_key(&realm) => {
                let changed = self.changed.get(&realm).copied().unwrap_or(0);
                Some(format!("{}{kind}/{realm}?v={changed}", self.base))
            }
            _ => None,
        }
    }

    /// Address of the coat of arms; the game master has none, and a stranger's is not known.
    pub fn arms(&self, viewer: Viewer) -> Option<String> {
        self.picture("wappen", viewer)
    }

    /// Address of the seal; the game master has none, and a stranger's is not known.
    pub fn seal(&self, viewer: Viewer) -> Option<String> {
        self.picture("siegel", viewer)
    }
}

/// A realm of which only the number is known.
fn stranger(page: &Page, realm: RealmId) -> String {
    page.t1("letters.stranger", "number", realm)
}

/// Whether a member knows the arms of a realm; to others there are none.
async fn may_see(web: &Web, member: &Member, realm: RealmId) -> Result<(), Fault> {
    let viewer = match &member.seat {
        Some(seat) => Viewer::Realm(seat.realm),
        None => Viewer::GameMaster,
    };
    let known = web.host.letters(&member.world, viewer).acquaintance().await?;
    match known.names.contains_key(&realm) {
        true => Ok(()),
        false => Err(Fault::Missing),
    }
}

/// A drawing as an answer, harmless even when it is opened by itself.
pub fn drawing(svg: String) -> Answer {
    Ok((DRAWING_HEADERS, svg).into_response())
}

/// A drawing that a browser may keep as long as it asks whether it may still show it: after signing out it may not.
pub fn kept_drawing(asked: &HeaderMap, svg: String) -> Answer {
    let tag = kept::key(&[svg.as_bytes()]);
    let mut response = picture::kept(asked, &tag, svg);
    for (name, value) in DRAWING_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// The realm in an address.
#[derive(Deserialize)]
pub struct RealmPath {
    realm: u16,
}

/// `GET /welt/{world}/wappen/{realm}`
pub async fn arms(State(web): State<Web>, member: Member, Path(path): Path<RealmPath>, headers: HeaderMap) -> Answer {
    may_see(&web, &member, RealmId(path.realm)).await?;
    let svg = web.host.arms(&member.world, RealmId(path.realm)).await?.svg;
    kept_drawing(&headers, svg)
}

/// `GET /welt/{world}/siegel/{realm}`
pub async fn seal(State(web): State<Web>, member: Member, Path(path): Path<RealmPath>, headers: HeaderMap) -> Answer {
    may_see(&web, &member, RealmId(path.realm)).await?;
    let svg = web.host.seal_of(&member.world, RealmId(path.realm)).await?;
    kept_drawing(&headers, svg)
}

/// What the kit's form sends.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct KitForm {
    teilung: String,
    feld: String,
    zweite: String,
    figur: String,
    figurfarbe: String,
}

impl KitForm {
    fn blazon(&self) -> Option<Blazon> {
        Some(Blazon {
            division: Division::from_code(&self.teilung)?,
            field: Tincture::from_code(&self.feld)?,
            second: Tincture::from_code(&self.zweite)?,
            charge: Charge::find(&self.figur).map(|charge| charge.name.clone()),
            charge_tincture: Tincture::from_code(&self.figurfarbe)?,
        })
    }

    fn of(blazon: &Blazon) -> Self {
        Self {
            teilung: blazon.division.code().to_owned(),
            feld: blazon.field.code().to_owned(),
            zweite: blazon.second.code().to_owned(),
            figur: blazon.charge.clone().unwrap_or_default(),
            figurfarbe: blazon.charge_tincture.code().to_owned(),
        }
    }

    fn query(&self) -> String {
        format!(
            "teilung={}&feld={}&zweite={}&figur={}&figurfarbe={}",
            self.teilung, self.feld, self.zweite, self.figur, self.figurfarbe
        )
    }
}

/// One of several things to choose from.
struct Choice {
    value: String,
    text: String,
    chosen: bool,
}

#[derive(Template)]
#[template(path = "arms.html")]
struct ArmsPage<'a> {
    page: &'a Page,
    realm_name: String,
    current: String,
    seal: String,
    preview: Option<String>,
    clear: bool,
    chosen: bool,
    divisions: Vec<Choice>,
    charges: Vec<Choice>,
    field: Vec<Choice>,
    second: Vec<Choice>,
    charge_tincture: Vec<Choice>,
    mistake: Option<String>,
}

fn tinctures(page: &Page, chosen: &str) -> Vec<Choice> {
    let all = Tincture::ALL.iter().map(|tincture| Choice {
        value: tincture.code().to_owned(),
        text: page.words.with(&format!("arms.tincture-{}", tincture.code()), &[]),
        chosen: tincture.code() == chosen,
    });
    all.collect()
}

async fn draw(
    web: &Web,
    page: &Page,
    player: &Player,
    form: &KitForm,
    preview: bool,
    mistake: Option<String>,
) -> Answer {
    let heralds = Heralds::of(web, page, &player.world, player.viewer()).await?;
    let Arms { chosen, blazon, .. } = web.host.arms(&player.world, player.realm()).await?;
    let sketch = form.blazon();
    let shown = sketch
        .clone()
        .or(blazon)
        .unwrap_or_else(|| Blazon::of_name(&player.seat.name));
    let form = KitForm::of(&shown);
    let divisions = Division::ALL.iter().map(|division| Choice {
        value: division.code().to_owned(),
        text: page.words.with(&format!("arms.division-{}", division.code()), &[]),
        chosen: *division == shown.division,
    });
    let none = Choice {
        value: "ohne".into(),
        text: page.t("arms.charge-none"),
        chosen: shown.charge.is_none(),
    };
    let figures = charges().iter().map(|charge| Choice {
        value: charge.name.clone(),
        text: page.words.with(&format!("arms.charge-{}", charge.name), &[]),
        chosen: shown.charge.as_ref() == Some(&charge.name),
    });
    let template = ArmsPage {
        realm_name: player.seat.name.clone(),
        current: heralds.arms(player.viewer()).unwrap_or_default(),
        seal: heralds.seal(player.viewer()).unwrap_or_default(),
        preview: (preview && sketch.is_some()).then(|| page.in_world(&format!("wappen-entwurf?{}", form.query()))),
        clear: shown.is_clear(),
        chosen,
        divisions: divisions.collect(),
        charges: std::iter::once(none).chain(figures).collect(),
        field: tinctures(page, &form.feld),
        second: tinctures(page, &form.zweite),
        charge_tincture: tinctures(page, &form.figurfarbe),
        mistake,
        page,
    };
    let status = if template.mistake.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    page.show_as(status, &template)
}

/// `GET /welt/{world}/wappen`
pub async fn choose(State(web): State<Web>, page: Page, player: Player, Query(form): Query<KitForm>) -> Answer {
    holder(&player)?;
    draw(&web, &page, &player, &form, true, None).await
}

/// `GET /welt/{world}/wappen-entwurf`
pub async fn sketch(player: Player, Query(form): Query<KitForm>) -> Answer {
    let blazon = form.blazon().unwrap_or_else(|| Blazon::of_name(&player.seat.name));
    drawing(blazon.draw())
}

/// `POST /welt/{world}/wappen`
pub async fn save(State(web): State<Web>, page: Page, player: Player, Form(form): Form<KitForm>) -> Answer {
    holder(&player)?;
    let blazon = form.blazon().ok_or(Fault::Malformed)?;
    web.host.set_blazon(&player.world, player.realm(), &blazon).await?;
    go_with(&web, &page.in_world("wappen"), &Flash::good("flash.arms-saved"))
}

/// `POST /welt/{world}/wappen/vergessen`
pub async fn forget(State(web): State<Web>, page: Page, player: Player) -> Answer {
    holder(&player)?;
    web.host.forget_arms(&player.world, player.realm()).await?;
    go_with(&web, &page.in_world("wappen"), &Flash::good("flash.arms-forgotten"))
}

/// `POST /welt/{world}/wappen/datei`
pub async fn upload(State(web): State<Web>, page: Page, player: Player, parts: Multipart) -> Answer {
    holder(&player)?;
    let (_, file) = read_parts(parts).await?;
    let form = KitForm::default();
    let Some(file) = file else {
        let mistake = page.t("arms-fault.arms-no-drawing");
        return draw(&web, &page, &player, &form, false, Some(mistake)).await;
    };
    match web.host.upload_arms(&player.world, player.realm(), &file).await {
        Ok(left_out) if left_out.is_empty() => {
            go_with(&web, &page.in_world("wappen"), &Flash::good("flash.arms-saved"))
        }
        Ok(left_out) => {
            let parts = left_out.into_iter().take(8).collect::<Vec<_>>().join(", ");
            let flash = Flash::good("flash.arms-without").with("parts", parts);
            go_with(&web, &page.in_world("wappen"), &flash)
        }
        Err(HostError::Arms(error)) => {
            let mistake = page.words.with(&format!("arms-fault.{}", error.code()), &[]);
            draw(&web, &page, &player, &form, false, Some(mistake)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads a form with a file: its fields by name, and the file if one was chosen.
pub async fn read_parts(mut parts: Multipart) -> Result<(BTreeMap<String, String>, Option<Vec<u8>>), Fault> {
    let mut fields = BTreeMap::new();
    let mut file = None;
    let wrong = |error: axum::extract::multipart::MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Fault::TooLarge,
        _ => Fault::Malformed,
    };
    while let Some(part) = parts.next_field().await.map_err(wrong)? {
        let name = part.name().unwrap_or_default().to_owned();
        if part.file_name().is_some() {
            let bytes = part.bytes().await.map_err(wrong)?;
            if !bytes.is_empty() {
                file = Some(bytes.to_vec());
            }
        } else {
            if fields.len() >= 40 {
                return Err(Fault::Malformed);
            }
            fields.insert(name, part.text().await.map_err(wrong)?);
        }
    }
    Ok((fields, file))
}
