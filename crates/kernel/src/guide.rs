//! What a game tells players beside its reports: figures for charts, all that is known of a field, what would happen if.
//!
//! Everything works from a view, so nothing can be learnt here that the view does not say. [`Guide`] is what a game writes,
//! [`AnyGuide`] what the host asks, bytes in and bytes out; [`crate::any::Adapter`] joins the two. Every function has an
//! answer of its own for a game that has nothing to say.

use crate::any::{Adapter, GameError, open_view, view_schema};
use crate::codec;
use crate::diagnostic::Name;
use crate::game::Game;
use crate::map::Spot;
use crate::realm::RealmId;
use crate::report::ReportSink;
use serde::{Deserialize, Serialize};

/// A number that describes a realm, to be followed from turn to turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// The realm it describes: the viewer's own, or every realm for the game master.
    pub realm: RealmId,
    /// What is shown together, as key of a word: a chart has one group.
    pub group: Name,
    /// What is counted, as key of a word. A figure that is missing counts 0.
    pub key: Name,
    /// How much.
    pub value: i64,
}

/// A field that the viewer knows: where it lies in the drawing, and how players write it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KnownPlace {
    /// Where it lies in the scene.
    pub at: Spot,
    /// The field in the game's own notation.
    pub place: String,
}

/// The guide of a game.
pub trait Guide: Game {
    /// Numbers that describe the viewer's realm after the step, in the order of charts.
    fn figures(tables: &Self::Tables, view: &Self::View) -> Vec<Figure> {
        let _ = (tables, view);
        Vec::new()
    }

    /// Every field the viewer knows, as the map shows them.
    fn places(tables: &Self::Tables, view: &Self::View) -> Vec<KnownPlace> {
        let scene = Self::map(tables, view);
        let known = scene.fields.into_iter().filter(|field| field.knowledge.is_known());
        known
            .map(|field| KnownPlace {
                at: field.at,
                place: field.label,
            })
            .collect()
    }

    /// Writes all that the viewer knows of a field. A place that is none, or nothing is known of, gives a finding.
    fn dossier(tables: &Self::Tables, view: &Self::View, place: &str, sink: &mut dyn ReportSink) {
        let _ = (tables, view, place, sink);
    }

    /// What the viewer would know after the step if nobody else did anything and all dice fell in the middle. Nothing for
    /// a viewer who gives no orders.
    fn preview(tables: &Self::Tables, view: &Self::View, file: &[u8]) -> Option<Self::View> {
        let _ = (tables, view, file);
        None
    }
}

/// The guide of a game as the host asks it.
pub trait AnyGuide: Send + Sync {
    /// Numbers that describe the viewer's realm, for charts; of every realm for the game master.
    fn figures(&self, view: &[u8]) -> Result<Vec<Figure>, GameError>;
    /// Every field the viewer knows: what a click on the map means.
    fn places(&self, view: &[u8]) -> Result<Vec<KnownPlace>, GameError>;
    /// Writes all that the viewer knows of a field. A place that is none gives a finding.
    fn dossier(&self, view: &[u8], place: &str, sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// What would happen if nobody else moved: a view as it would be after the step, from the viewer's own knowledge and
    /// with dice that fall in the middle. Report, map and figures are made from it as from any other view; it can itself be
    /// previewed. Nothing for a viewer who gives no orders.
    fn preview(&self, view: &[u8], file: &[u8]) -> Result<Option<Vec<u8>>, GameError>;
}

impl<G: Guide> AnyGuide for Adapter<G> {
    fn figures(&self, view: &[u8]) -> Result<Vec<Figure>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::figures(&tables, &view))
    }

    fn places(&self, view: &[u8]) -> Result<Vec<KnownPlace>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::places(&tables, &view))
    }

    fn dossier(&self, view: &[u8], place: &str, sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let (tables, view) = open_view::<G>(view)?;
        G::dossier(&tables, &view, place, sink);
        Ok(())
    }

    fn preview(&self, view: &[u8], file: &[u8]) -> Result<Option<Vec<u8>>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        match G::preview(&tables, &view, file) {
            Some(view) => Ok(Some(codec::encode(view_schema::<G>(), &view)?)),
            None => Ok(None),
        }
    }
}
