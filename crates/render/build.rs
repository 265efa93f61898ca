//! Lists the files of wording under `locale/`, so that a new game or language needs no line of code here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    // Asked when it runs, not when it is compiled: a cache of compilers may hand the same program to another copy.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&here).join("../../locale");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut source = String::from(
        "/// Language, name and text of every file of wording.\npub(crate) const FILES: &[(&str, &str, &str)] = &[\n",
    );
    for language in sorted(&root) {
        println!("cargo::rerun-if-changed={}", language.display());
        for file in sorted(&language) {
            if file.extension().is_some_and(|e| e == "toml") {
                println!("cargo::rerun-if-changed={}", file.display());
                let (Some(code), Some(name)) = (language.file_name(), file.file_stem()) else {
                    continue;
                };
                let _ = writeln!(
                    source,
                    "    ({:?}, {:?}, include_str!({:?})),",
                    code.to_string_lossy(),
                    name.to_string_lossy(),
                    file.display().to_string()
                );
            }
        }
    }
    source.push_str("];\n");
    let written = std::env::var_os("OUT_DIR").map(|out| std::fs::write(Path::new(&out).join("locale.rs"), source));
    match written {
        Some(Ok(())) => {}
        Some(Err(error)) => println!("cargo::error=the list of wordings cannot be written: {error}"),
        None => println!("cargo::error=OUT_DIR is not set"),
    }
}

fn sorted(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}
