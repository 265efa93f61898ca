//! Inks, papers and washes for the two themes.

use kernel::map::{Ground, Relief, TerrainStyle};

use super::words::ground_key;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// A colour of its own, red, green and blue.
    Fixed(u32),
    /// What the page's style sheet calls by this name, so that one drawing serves every theme.
    Named(&'static str),
}

const fn rgb(value: u32) -> Colour {
    Colour::Fixed(value)
}

impl Colour {
    /// As an attribute's value: `#rrggbb`, or the style sheet's variable.
    pub fn hex(self) -> String {
        match self {
            Self::Fixed(rgb) => format!("#{rgb:06x}"),
            Self::Named(name) => format!("var(--map-{name})"),
        }
    }

    /// This colour with a share of another, in percent. A name stays what it is.
    pub fn mixed(self, other: Colour, percent: u32) -> Colour {
        let (Self::Fixed(own), Self::Fixed(other)) = (self, other) else {
            return self;
        };
        let channel = |shift: u32| {
            let (a, b) = ((own >> shift) & 255, (other >> shift) & 255);
            ((a * (100 - percent) + b * percent + 50) / 100) << shift
        };
        Colour::Fixed(channel(16) | channel(8) | channel(0))
    }
}

/// Everything the drawing takes its colours from.
pub(crate) struct Palette {
    /// Empty paper: unknown land, and the sheet itself.
    pub paper: Colour,
    /// The sheet's edge, where it has darkened.
    pub aged: Colour,
    /// A lighter paper for panels.
    pub panel: Colour,
    /// The ink of the map.
    pub ink: Colour,
    /// A lighter ink for second lines of text.
    pub soft_ink: Colour,
    /// The ink of everything wet.
    pub sea_ink: Colour,
    /// Rivers.
    pub river: Colour,
    /// The light rim around words and symbols.
    pub halo: Colour,
    /// Routes, fights, the current place.
    pub red: Colour,
    /// Marks a chosen field.
    pub mark: Colour,
    /// Writing on a filled flag.
    pub flag_text: Colour,
    /// Crowns of trees.
    pub tree: Colour,
    /// Firs and crowns of the jungle.
    pub dark_tree: Colour,
    /// The lit side of rocks and hills.
    pub rock: Colour,
    /// Opacity of the hexagonal grid.
    pub grid_opacity: &'static str,
    realms: [Colour; 8],
    land: Colour,
    forest: Colour,
    jungle: Colour,
    swamp: Colour,
    steppe: Colour,
    desert: Colour,
    ice_desert: Colour,
    water: Colour,
    deep_sea: Colour,
    whirlpool: Colour,
    reef: Colour,
    volcano: Colour,
    ice: Colour,
    void: Colour,
    hill: (Colour, u32),
    mountain: (Colour, u32),
}

/// Ink on parchment.
pub(crate) const PAPER: Palette = Palette {
    paper: rgb(0xf3ead4),
    aged: rgb(0xd9c493),
    panel: rgb(0xf8f1e0),
    ink: rgb(0x3f2f1c),
    soft_ink: rgb(0x5a4a36),
    sea_ink: rgb(0x4f7482),
    river: rgb(0x35779a),
    halo: rgb(0xf7f0df),
    red: rgb(0x8c1c13),
    mark: rgb(0xf2d98a),
    flag_text: rgb(0xffffff),
    tree: rgb(0x86a05c),
    dark_tree: rgb(0x5c7d4c),
    rock: rgb(0xf4ead2),
    grid_opacity: ".26",
    realms: [
        rgb(0x16408f),
        rgb(0xa5231b),
        rgb(0x63298c),
        rgb(0x1e6a3c),
        rgb(0x8a5200),
        rgb(0x0f6470),
        rgb(0x9a1f63),
        rgb(0x4a4a55),
    ],
    land: rgb(0xebe6bf),
    forest: rgb(0xcbd3a0),
    jungle: rgb(0xa3ba8c),
    swamp: rgb(0xd3c6a9),
    steppe: rgb(0xefd5a6),
    desert: rgb(0xf8ecbe),
    ice_desert: rgb(0xf8f7f2),
    water: rgb(0xd6e3d9),
    deep_sea: rgb(0xbcd0cd),
    whirlpool: rgb(0xa7c0c4),
    reef: rgb(0xcddcd4),
    volcano: rgb(0xa39a90),
    ice: rgb(0xe9f1f3),
    void: rgb(0x8d8478),
    hill: (rgb(0xb5854f), 20),
    mountain: (rgb(0x7c5636), 32),
};

/// The same map by candle light.
pub(crate) const CANDLE: Palette = Palette {
    paper: rgb(0x1d150d),
    aged: rgb(0x0f0a05),
    panel: rgb(0x2a2015),
    ink: rgb(0xdcc79c),
    soft_ink: rgb(0xb39d74),
    sea_ink: rgb(0x7fa6b5),
    river: rgb(0x86b9dc),
    halo: rgb(0x1a120a),
    red: rgb(0xf0917f),
    mark: rgb(0x8a6a1e),
    flag_text: rgb(0x1a120a),
    tree: rgb(0x5d7340),
    dark_tree: rgb(0x3a5a36),
    rock: rgb(0x3a2d1c),
    grid_opacity: ".18",
    realms: [
        rgb(0x7fb2f0),
        rgb(0xf08a78),
        rgb(0xc99af0),
        rgb(0x8ccf9a),
        rgb(0xe8b45c),
        rgb(0x78cdd6),
        rgb(0xf098c8),
        rgb(0xc8c8d2),
    ],
    land: rgb(0x4a4a2b),
    forest: rgb(0x38472a),
    jungle: rgb(0x243a26),
    swamp: rgb(0x44392a),
    steppe: rgb(0x5e4728),
    desert: rgb(0x6b5a30),
    ice_desert: rgb(0x6d6f6c),
    water: rgb(0x20343c),
    deep_sea: rgb(0x16262e),
    whirlpool: rgb(0x1a2c38),
    reef: rgb(0x263a42),
    volcano: rgb(0x2b2522),
    ice: rgb(0x5d6d74),
    void: rgb(0x0d0a07),
    hill: (rgb(0x7b5630), 32),
    mountain: (rgb(0x25180d), 44),
};

/// Lighter washes on white, for a page that goes to the printer.
pub(crate) const PRINT: Palette = Palette {
    paper: rgb(0xffffff),
    aged: rgb(0xffffff),
    panel: rgb(0xffffff),
    ink: rgb(0x221a10),
    halo: rgb(0xffffff),
    river: rgb(0x123f66),
    tree: rgb(0xa9bd86),
    dark_tree: rgb(0x86a279),
    rock: rgb(0xffffff),
    land: rgb(0xf4f4e0),
    forest: rgb(0xdfe6c6),
    jungle: rgb(0xc6d4ba),
    swamp: rgb(0xe6ddca),
    steppe: rgb(0xf7e6c6),
    desert: rgb(0xfcf5d6),
    ice_desert: rgb(0xffffff),
    water: rgb(0xe8f1f0),
    deep_sea: rgb(0xd3e3e6),
    whirlpool: rgb(0xc8dbe0),
    reef: rgb(0xe0ecec),
    volcano: rgb(0xcfc9c2),
    ice: rgb(0xf6fafb),
    ..PAPER
};

/// The colours by their names in the page's style sheet.
pub(crate) const LIVE: Palette = Palette {
    paper: Colour::Named("paper"),
    aged: Colour::Named("aged"),
    panel: Colour::Named("panel"),
    ink: Colour::Named("ink"),
    soft_ink: Colour::Named("soft-ink"),
    sea_ink: Colour::Named("sea-ink"),
    river: Colour::Named("river"),
    halo: Colour::Named("halo"),
    red: Colour::Named("red"),
    mark: Colour::Named("mark"),
    flag_text: Colour::Named("flag-text"),
    tree: Colour::Named("tree"),
    dark_tree: Colour::Named("dark-tree"),
    rock: Colour::Named("rock"),
    grid_opacity: "var(--map-grid)",
    realms: [
        Colour::Named("realm-1"),
        Colour::Named("realm-2"),
        Colour::Named("realm-3"),
        Colour::Named("realm-4"),
        Colour::Named("realm-5"),
        Colour::Named("realm-6"),
        Colour::Named("realm-7"),
        Colour::Named("realm-8"),
    ],
    // Washes are named by ground and relief; shallow water is asked for by itself.
    water: Colour::Named("wash-water"),
    ..PAPER
};

const GROUNDS: [Ground; 19] = [
    Ground::Land,
    Ground::Forest,
    Ground::LightForest,
    Ground::DeepForest,
    Ground::Jungle,
    Ground::Mangrove,
    Ground::Swamp,
    Ground::Steppe,
    Ground::Desert,
    Ground::Oasis,
    Ground::IceDesert,
    Ground::Water,
    Ground::DeepSea,
    Ground::Whirlpool,
    Ground::Reef,
    Ground::Volcano,
    Ground::Ice,
    Ground::Mesa,
    Ground::Void,
];
const RELIEFS: [Relief; 4] = [Relief::Flat, Relief::Hills, Relief::Peaks, Relief::Summit];

/// A terrain's part of a name: `deep-forest`, `land-hills`.
pub(super) fn style_name(style: TerrainStyle) -> String {
    let ground = ground_key(style.ground).trim_start_matches("ground.").replace('_', "-");
    match style.relief {
        Relief::Flat => ground,
        Relief::Hills => ground + "-hills",
        Relief::Peaks => ground + "-peaks",
        Relief::Summit => ground + "-summit",
    }
}

/// The style sheet that gives the names of a live map their colours: by day, by candle light and on white paper.
pub(super) fn style_sheet() -> String {
    let candle = CANDLE.declarations();
    format!(
        "/* Colours of live maps, written by render::map::style_sheet; change them in palette.rs. */\n:root,:root[data-theme=paper]{{{}}}\n:root[data-theme=candle]{{{candle}}}\n@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{candle}}}}}\n@media print{{:root,:root[data-theme],:root:not([data-theme]){{{}}}}}\n",
        PAPER.declarations(),
        PRINT.declarations()
    )
}

/// Dashes of realm borders in multiples of the line's width. A further realm gets a new dash before a new hue.
const DASHES: [&[f64]; 8] = [
    &[],
    &[2.6, 0.9],
    &[2.2, 0.9, 0.5, 0.9],
    &[0.8, 0.9],
    &[3.4, 0.7, 0.6, 0.7, 0.6, 0.7],
    &[5.0, 1.1],
    &[1.4, 1.4],
    &[3.0, 0.6, 1.2, 0.6],
];

impl Palette {
    /// Whether its paper is clean: white for the printer shows neither stains nor fibres.
    pub fn is_clean(&self) -> bool {
        self.aged == self.paper
    }

    /// Every name with its colour.
    fn declarations(&self) -> String {
        let named = [
            ("paper", self.paper),
            ("aged", self.aged),
            ("panel", self.panel),
            ("ink", self.ink),
            ("soft-ink", self.soft_ink),
            ("sea-ink", self.sea_ink),
            ("river", self.river),
            ("halo", self.halo),
            ("red", self.red),
            ("mark", self.mark),
            ("flag-text", self.flag_text),
            ("tree", self.tree),
            ("dark-tree", self.dark_tree),
            ("rock", self.rock),
        ];
        let mut out = String::new();
        for (name, colour) in named {
            out += &format!("--map-{name}:{};", colour.hex());
        }
        for (n, colour) in self.realms.iter().enumerate() {
            out += &format!("--map-realm-{}:{};", n + 1, colour.hex());
        }
        for ground in GROUNDS {
            for relief in RELIEFS {
                let style = TerrainStyle { ground, relief };
                out += &format!("--map-wash-{}:{};", style_name(style), self.blend(style).hex());
            }
        }
        out + &format!("--map-grid:{}", self.grid_opacity)
    }

    /// The wash of a terrain, as an attribute's value.
    pub fn wash(&self, style: TerrainStyle) -> String {
        match self.water {
            Colour::Named(_) => format!("var(--map-wash-{})", style_name(style)),
            Colour::Fixed(_) => self.blend(style).hex(),
        }
    }

    fn blend(&self, style: TerrainStyle) -> Colour {
        let base = match style.ground {
            Ground::Land => self.land,
            Ground::Forest => self.forest,
            Ground::LightForest => self.land.mixed(self.forest, 45),
            Ground::DeepForest => self.forest.mixed(self.jungle, 45),
            Ground::Jungle => self.jungle,
            Ground::Mangrove => self.swamp.mixed(self.forest, 50),
            Ground::Swamp => self.swamp,
            Ground::Steppe => self.steppe,
            Ground::Desert | Ground::Oasis => self.desert,
            Ground::IceDesert => self.ice_desert,
            Ground::Water => self.water,
            Ground::DeepSea => self.deep_sea,
            Ground::Whirlpool => self.whirlpool,
            Ground::Reef => self.reef,
            Ground::Volcano => return self.volcano,
            Ground::Ice => self.ice,
            Ground::Mesa => return self.land.mixed(self.mountain.0, self.mountain.1),
            Ground::Void => return self.void,
        };
        match style.relief {
            Relief::Flat => base,
            Relief::Hills => base.mixed(self.hill.0, self.hill.1),
            Relief::Peaks => base.mixed(self.mountain.0, self.mountain.1),
            Relief::Summit => base.mixed(self.mountain.0, self.mountain.1 + 26),
        }
    }

    /// The wash of shallow water, in which the shore is lined.
    pub fn shallows(&self) -> Colour {
        self.water
    }

    /// The ink of a realm.
    pub fn realm_ink(&self, slot: u16) -> Colour {
        // Slots usually are realm numbers and start at 1, which shall be the first ink.
        let index = usize::from(slot.wrapping_sub(1)) % self.realms.len();
        self.realms.get(index).copied().unwrap_or(self.ink)
    }

    /// The dash of a realm's border for a line of the given width; empty for a solid line.
    pub fn realm_dash(&self, slot: u16, width: f64) -> String {
        let slot = usize::from(slot.wrapping_sub(1));
        let index = (slot + slot / DASHES.len()) % DASHES.len();
        let dash: Vec<String> = DASHES
            .get(index)
            .copied()
            .unwrap_or_default()
            .iter()
            .map(|part| super::write::number(part * width))
            .collect();
        dash.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn mixing_goes_from_one_colour_to_the_other() {
        let (a, b) = (rgb(0x102030), rgb(0x506070));
        assert_eq!(a.mixed(b, 0), a);
        assert_eq!(a.mixed(b, 100), b);
        assert_eq!(a.mixed(b, 50), rgb(0x304050));
    }

    #[test]
    fn sixty_four_realms_differ_by_ink_or_dash() {
        let looks: BTreeSet<(String, String)> = (1..=64)
            .map(|slot| (PAPER.realm_ink(slot).hex(), PAPER.realm_dash(slot, 4.0)))
            .collect();
        assert_eq!(looks.len(), 64);
    }

    #[test]
    fn the_first_three_realms_are_solid_dashed_and_dash_dotted() {
        assert_eq!(PAPER.realm_dash(1, 5.0), "");
        assert_eq!(PAPER.realm_dash(2, 5.0), "13 4.5");
        assert_eq!(PAPER.realm_dash(3, 5.0), "11 4.5 2.5 4.5");
    }

    #[test]
    fn every_ground_and_relief_of_land_has_its_own_wash() {
        let mut seen = BTreeSet::new();
        let grounds = [
            Ground::Land,
            Ground::Forest,
            Ground::Jungle,
            Ground::Swamp,
            Ground::Steppe,
            Ground::Desert,
            Ground::IceDesert,
        ];
        for ground in grounds {
            for relief in [Relief::Flat, Relief::Hills, Relief::Peaks] {
                for palette in [&PAPER, &CANDLE] {
                    seen.insert(palette.wash(TerrainStyle { ground, relief }));
                }
            }
        }
        assert_eq!(seen.len(), grounds.len() * 3 * 2);
    }

    #[test]
    fn every_name_that_a_live_map_uses_has_a_colour_in_every_theme() {
        let sheet = style_sheet();
        let blocks = sheet.matches("--map-ink:").count();
        assert_eq!(blocks, 4, "paper, candle, dark without a choice, print");
        let mut names: BTreeSet<String> = LIVE
            .realms
            .iter()
            .chain([&LIVE.paper, &LIVE.water, &LIVE.flag_text, &LIVE.soft_ink])
            .map(|colour| colour.hex())
            .collect();
        for ground in GROUNDS {
            names.extend(RELIEFS.map(|relief| LIVE.wash(TerrainStyle { ground, relief })));
        }
        for name in names {
            let name = name.trim_start_matches("var(").trim_end_matches(')');
            assert_eq!(sheet.matches(&format!("{name}:")).count(), blocks, "{name}");
        }
    }
}
