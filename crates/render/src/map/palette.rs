//! Inks, papers and washes for the two themes.

use kernel::map::{Ground, Relief, TerrainStyle};

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(u32);

impl Colour {
    /// `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:06x}", self.0)
    }

    /// This colour with a share of another, in percent.
    pub fn mixed(self, other: Colour, percent: u32) -> Colour {
        let channel = |shift: u32| {
            let (a, b) = ((self.0 >> shift) & 255, (other.0 >> shift) & 255);
            ((a * (100 - percent) + b * percent + 50) / 100) << shift
        };
        Colour(channel(16) | channel(8) | channel(0))
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
    paper: Colour(0xf3ead4),
    aged: Colour(0xd9c493),
    panel: Colour(0xf8f1e0),
    ink: Colour(0x3f2f1c),
    soft_ink: Colour(0x5a4a36),
    sea_ink: Colour(0x4f7482),
    river: Colour(0x35779a),
    halo: Colour(0xf7f0df),
    red: Colour(0x8c1c13),
    mark: Colour(0xf2d98a),
    flag_text: Colour(0xffffff),
    tree: Colour(0x86a05c),
    dark_tree: Colour(0x5c7d4c),
    rock: Colour(0xf4ead2),
    grid_opacity: ".26",
    realms: [
        Colour(0x16408f),
        Colour(0xa5231b),
        Colour(0x63298c),
        Colour(0x1e6a3c),
        Colour(0x8a5200),
        Colour(0x0f6470),
        Colour(0x9a1f63),
        Colour(0x4a4a55),
    ],
    land: Colour(0xebe6bf),
    forest: Colour(0xcbd3a0),
    jungle: Colour(0xa3ba8c),
    swamp: Colour(0xd3c6a9),
    steppe: Colour(0xefd5a6),
    desert: Colour(0xf8ecbe),
    ice_desert: Colour(0xf8f7f2),
    water: Colour(0xd6e3d9),
    deep_sea: Colour(0xbcd0cd),
    whirlpool: Colour(0xa7c0c4),
    reef: Colour(0xcddcd4),
    volcano: Colour(0xa39a90),
    ice: Colour(0xe9f1f3),
    void: Colour(0x8d8478),
    hill: (Colour(0xb5854f), 20),
    mountain: (Colour(0x7c5636), 32),
};

/// The same map by candle light.
pub(crate) const CANDLE: Palette = Palette {
    paper: Colour(0x1d150d),
    aged: Colour(0x0f0a05),
    panel: Colour(0x2a2015),
    ink: Colour(0xdcc79c),
    soft_ink: Colour(0xb39d74),
    sea_ink: Colour(0x7fa6b5),
    river: Colour(0x86b9dc),
    halo: Colour(0x1a120a),
    red: Colour(0xf0917f),
    mark: Colour(0x8a6a1e),
    flag_text: Colour(0x1a120a),
    tree: Colour(0x5d7340),
    dark_tree: Colour(0x3a5a36),
    rock: Colour(0x3a2d1c),
    grid_opacity: ".18",
    realms: [
        Colour(0x7fb2f0),
        Colour(0xf08a78),
        Colour(0xc99af0),
        Colour(0x8ccf9a),
        Colour(0xe8b45c),
        Colour(0x78cdd6),
        Colour(0xf098c8),
        Colour(0xc8c8d2),
    ],
    land: Colour(0x4a4a2b),
    forest: Colour(0x38472a),
    jungle: Colour(0x243a26),
    swamp: Colour(0x44392a),
    steppe: Colour(0x5e4728),
    desert: Colour(0x6b5a30),
    ice_desert: Colour(0x6d6f6c),
    water: Colour(0x20343c),
    deep_sea: Colour(0x16262e),
    whirlpool: Colour(0x1a2c38),
    reef: Colour(0x263a42),
    volcano: Colour(0x2b2522),
    ice: Colour(0x5d6d74),
    void: Colour(0x0d0a07),
    hill: (Colour(0x7b5630), 32),
    mountain: (Colour(0x25180d), 44),
};

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
    /// The wash of a terrain.
    pub fn wash(&self, style: TerrainStyle) -> Colour {
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
        let (a, b) = (Colour(0x102030), Colour(0x506070));
        assert_eq!(a.mixed(b, 0), a);
        assert_eq!(a.mixed(b, 100), b);
        assert_eq!(a.mixed(b, 50), Colour(0x304050));
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
                    seen.insert(palette.wash(TerrainStyle { ground, relief }).hex());
                }
            }
        }
        assert_eq!(seen.len(), grounds.len() * 3 * 2);
    }
}
