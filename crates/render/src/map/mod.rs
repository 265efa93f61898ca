//! Maps as hand-drawn pictures: ink and washes on parchment.
//!
//! [`svg`] draws a [`Scene`] as a stand-alone SVG. It reads nothing but the scene, and of the scene nothing but what the
//! viewer knows: a field that was never seen leaves no trace, not even in the size of the picture. The same scene and
//! options always give the same bytes.
//!
//! [`live`] draws the same land for a page that pans and zooms: in chunks, in the page's colours ([`style_sheet`]), near and
//! far at once. [`index`] tells the page's script what lies where, [`changes`] what differs between two turns,
//! [`gazetteer`] the same in words.

mod atlas;
pub mod board;
mod changes;
mod frame;
mod gazetteer;
mod index;
mod land;
mod legend;
mod live;
mod palette;
mod pens;
mod pieces;
mod symbols;
mod things;
mod ways;
mod words;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use kernel::map::{Place, Scene, Spot, TerrainStyle};

use crate::locale::{Language, Wording};
use atlas::Atlas;
use palette::{CANDLE, PAPER, PRINT, Palette};
use things::Taken;
use words::Words;
use write::number;

pub use changes::{Change, changes, changes_at};
pub use gazetteer::{Entry, gazetteer};
pub use index::index;
pub use live::{live, outline, style_sheet};

/// Fonts with their stand-ins where the own ones are not at hand.
const SERIF: &str = "EB Garamond,Garamond,Georgia,serif";
const FELL: &str = "IM FELL English,EB Garamond,Georgia,serif";
const SMALL_CAPS: &str = "IM FELL English SC,IM Fell SC,EB Garamond,Georgia,serif";
const SANS: &str = "Alegreya Sans,Gill Sans,Calibri,sans-serif";

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Ink on parchment.
    #[default]
    Paper,
    /// Light ink on dark paper.
    Candle,
    /// Ink on white, for a printer.
    Print,
}

impl Theme {
    const fn palette(self) -> &'static Palette {
        match self {
            Self::Paper => &PAPER,
            Self::Candle => &CANDLE,
            Self::Print => &PRINT,
        }
    }
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The hexagonal grid.
    pub grid: bool,
    /// Hachures between fields of different height.
    pub heights: bool,
    /// Washes and borders of the realms.
    pub realms: bool,
    /// Rivers and bridges.
    pub rivers: bool,
    /// Roads.
    pub roads: bool,
    /// Walls.
    pub walls: bool,
    /// The hatching over what was seen earlier, and the fading rim.
    pub fog: bool,
    /// Coordinates.
    pub coordinates: bool,
    /// Blessings and lowered yields.
    pub yields: bool,
    /// Buildings and other places.
    pub places: bool,
    /// Names of places and regions.
    pub names: bool,
    /// Armies.
    pub armies: bool,
    /// Routes and marked fields.
    pub routes: bool,
    /// The banner with the title.
    pub title: bool,
    /// The key to signs and terrains.
    pub legend: bool,
    /// Compass rose, scale and the beasts of unknown land.
    pub ornaments: bool,
}

impl Layers {
    /// Everything.
    pub const ALL: Self = Self {
        grid: true,
        heights: true,
        realms: true,
        rivers: true,
        roads: true,
        walls: true,
        fog: true,
        coordinates: true,
        yields: true,
        places: true,
        names: true,
        armies: true,
        routes: true,
        title: true,
        legend: true,
        ornaments: true,
    };

    /// The map alone, for a page that has its own title and key.
    pub const BARE: Self = Self {
        title: false,
        legend: false,
        ornaments: false,
        ..Self::ALL
    };
}

impl Default for Layers {
    fn default() -> Self {
        Self::ALL
    }
}

/// How a map is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct MapOptions {
    /// Width of the whole picture in pixels; without it the fields decide.
    pub width: Option<u32>,
    /// Width of a field in pixels, unless `width` is given. Without both, the map chooses: near drawing for a realm, far
    /// for a world. From 26 up fields show small drawings, from 8 up bold marks, below only washes.
    pub field: Option<u32>,
    /// Light or dark.
    pub theme: Theme,
    /// What is drawn.
    pub layers: Layers,
    /// What ids inside the picture begin with. Two maps on one page need different ones; only letters and digits count.
    pub id: String,
    /// Whether the fonts are put into the file, so that it looks the same everywhere. A page that has them says no.
    pub embed_fonts: bool,
    /// What lies on top of everything else on the land: mark-up in units of the drawing, which `render` itself wrote.
    pub overlay: String,
}

impl Default for MapOptions {
    fn default() -> Self {
        Self {
            width: None,
            field: None,
            theme: Theme::Paper,
            layers: Layers::ALL,
            id: "m".to_owned(),
            embed_fonts: true,
            overlay: String::new(),
        }
    }
}

/// How much of a field is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Small drawings, hachures, labels.
    Near,
    /// One bold mark per field.
    Far,
    /// Washes and realms.
    Tiny,
}

/// The widest and the narrowest field, the widest picture, in pixels.
const FIELD_PIXELS: (f64, f64) = (2.0, 160.0);
const PICTURE_PIXELS: (f64, f64) = (240.0, 20_000.0);

/// A map being drawn.
struct Drawing<'a> {
    scene: &'a Scene,
    palette: &'static Palette,
    words: Words,
    layers: Layers,
    id: String,
    atlas: Atlas<'a>,
    known_places: Vec<&'a Place>,
    place_spots: BTreeSet<Spot>,
    detail: Detail,
    /// Width of a field in pixels.
    field_width: f64,
    /// Units per pixel.
    unit: f64,
    /// The land's extent in units: west, north, east, south.
    extent: [f64; 4],
    taken: Taken,
    /// The fill of each terrain, for the key.
    fills: BTreeMap<TerrainStyle, String>,
    /// Whether the drawing is for a page: in chunks, in the page's colours, near and far at once.
    live: bool,
    /// The ids of the pieces of the shore.
    shores: Vec<String>,
    definitions: String,
    out: String,
}

impl<'a> Drawing<'a> {
    /// An empty sheet for what the viewer knows.
    fn new(scene: &'a Scene, palette: &'static Palette, options: &MapOptions) -> Self {
        let atlas = Atlas::new(scene);
        let spots = atlas.fields.iter().map(|f| f.at);
        let extent = land::extent(&atlas, spots).unwrap_or([-260.0, -180.0, 260.0, 180.0]);
        let known_places: Vec<&Place> = scene
            .places
            .iter()
            .filter(|place| atlas.find(place.at).is_some())
            .collect();
        let place_spots = known_places.iter().map(|place| place.at).collect();
        let id: String = options
            .id
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(20)
            .collect();
        Self {
            scene,
            palette,
            words: Words::new(Language::from_code(&scene.language).unwrap_or_default()),
            layers: options.layers,
            id: if id.starts_with(|c: char| c.is_ascii_alphabetic()) {
                id
            } else {
                format!("m{id}")
            },
            atlas,
            known_places,
            place_spots,
            detail: Detail::Near,
            field_width: 52.0,
            unit: 1.0,
            extent,
            taken: Taken::default(),
            fills: BTreeMap::new(),
            live: false,
            shores: Vec::new(),
            definitions: String::new(),
            out: String::new(),
        }
    }

    /// From here on draws for fields of this width in pixels.
    fn show_at(&mut self, field_width: f64) {
        self.field_width = field_width;
        self.unit = 52.0 / field_width;
        self.detail = match field_width {
            w if w >= 26.0 => Detail::Near,
            w if w >= 8.0 => Detail::Far,
            _ => Detail::Tiny,
        };
    }

    /// A line's width on near and on far maps.
    fn line(&self, near: f64, far: f64) -> f64 {
        match self.detail {
            Detail::Near => near,
            Detail::Far | Detail::Tiny => far,
        }
    }

    /// A size in units that is at least so many pixels; with one decimal.
    fn at_least(&self, units: f64, pixels: f64) -> f64 {
        ((units.max(pixels * self.unit)) * 10.0).round() / 10.0
    }

    fn slot(&self, realm: u16) -> u16 {
        self.scene.realms.get(&realm).map_or(realm, |r| r.slot)
    }

    fn owner_ink(&self, owner: Option<u16>) -> String {
        match owner {
            Some(realm) => self.palette.realm_ink(self.slot(realm)).hex(),
            None => self.palette.soft_ink.hex(),
        }
    }

    fn draw_land(&mut self) {
        self.ground();
        self.shore();
        if self.layers.grid {
            self.grid();
        }
        if self.layers.heights {
            self.heights();
        }
        if self.layers.realms {
            self.realms();
        }
        self.provinces();
        if self.layers.rivers {
            self.rivers();
            self.ditches();
        }
        if self.layers.roads {
            self.roads();
        }
        if self.layers.rivers {
            self.bridges();
        }
        if self.layers.walls {
            self.walls();
            self.gates();
        }
        if self.layers.fog {
            self.fog();
        }
    }

    fn draw_things(&mut self) {
        if self.layers.coordinates {
            self.coordinates();
        }
        if self.layers.yields {
            self.yields();
        }
        if self.layers.routes {
            self.highlights();
        }
        if self.layers.places {
            self.places();
        }
        if self.layers.names {
            self.regions();
        }
        if self.layers.routes {
            self.routes();
        }
        if self.layers.armies {
            self.armies();
        }
        if self.layers.names {
            self.names();
        }
    }
}

/// Draws a map.
pub fn svg(scene: &Scene, options: &MapOptions) -> String {
    let mut drawing = Drawing::new(scene, options.theme.palette(), options);
    let field_width = field_width(drawing.extent, options);
    drawing.show_at(field_width);
    drawing.draw_land();
    drawing.draw_things();
    drawing.out += &options.overlay;
    frame::page(drawing, options)
}

/// Title and second line of a map in the scene's language: the whole world has a name of its own, and a scene without a
/// second line tells its step.
pub fn heading(scene: &Scene) -> (String, String) {
    let language = Language::from_code(&scene.language).unwrap_or_default();
    let is_whole_world = scene.title.is_empty() && scene.own_realm.is_none() && scene.caption.is_some();
    let title = if is_whole_world {
        Words::new(language).get("whole_world").to_owned()
    } else {
        scene.title.clone()
    };
    let subtitle = match &scene.caption {
        Some(caption) if scene.subtitle.is_empty() => {
            let wording = Wording::of(&scene.game, language);
            let mut text = Vec::new();
            wording.fill(&mut text, wording.term(&caption.key), &caption.key, &caption.args);
            String::from_utf8_lossy(&text).into_owned()
        }
        _ => scene.subtitle.clone(),
    };
    (title, subtitle)
}

/// The width of a field in pixels that the options ask for, within bounds.
fn field_width(extent: [f64; 4], options: &MapOptions) -> f64 {
    let columns = ((extent[2] - extent[0]) / 52.0).max(1.0);
    let rows = ((extent[3] - extent[1]) / 45.0).max(1.0);
    let wanted = match (options.width, options.field) {
        (Some(width), _) => {
            let width = f64::from(width).clamp(PICTURE_PIXELS.0, PICTURE_PIXELS.1);
            (width - 2.0 * frame::border(width)) / columns
        }
        (None, Some(field)) => f64::from(field),
        // A realm of thirty columns in near detail; a world on a sheet one can still hold, its marks large enough to read.
        (None, None) => (1500.0 / columns).clamp(12.0, 84.0),
    };
    let most = (PICTURE_PIXELS.1 / columns).min(PICTURE_PIXELS.1 / rows);
    let field = wanted.clamp(FIELD_PIXELS.0, FIELD_PIXELS.1).min(most.max(0.05));
    // Rounded, so that a transform with few digits is exact.
    (field * 100.0).round().max(1.0) / 100.0
}

/// A field's width over its units, as text for a transform.
fn scale_text(field_width: f64) -> String {
    let text = format!("{:.5}", field_width / 52.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn pair(x: f64, y: f64) -> String {
    format!("{} {}", number(x), number(y))
}
