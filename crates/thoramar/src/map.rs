//! The map as a viewer knows it.

use crate::tables::Tables;
use crate::view::View;
use kernel::map::Scene;

/// The map of a view.
pub fn scene(tables: &Tables, view: &View) -> Scene {
    let _ = (tables, view);
    Scene::default()
}
