//! Writes the rule constants of `rules/thoramar.toml`.

fn main() {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    rulebook::build(&manifest.join("../../rules/thoramar.toml"));
}
