//! Writes the rule constants of `rules/pygma-isis.toml`.

fn main() {
    // Asked when it runs, not when it is compiled: a cache of compilers may hand the same program to another copy.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let manifest = std::path::Path::new(&here);
    rulebook::build(&manifest.join("../../rules/pygma-isis.toml"));
}
