//! Lists the files under `assets/`, so that a new style sheet, script or picture needs no line of code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    // Asked when it runs, not when it is compiled: a cache of compilers may hand the same program to another copy.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&here).join("assets");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut source = String::from(
        "/// Name and bytes of every file under `assets/`, by name.\npub(crate) const FILES: &[(&str, &[u8])] = &[\n",
    );
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file
            .strip_prefix(&root)
            .unwrap_or(&file)
            .to_string_lossy()
            .replace('\\', "/");
        let _ = writeln!(
            source,
            "    ({name:?}, include_bytes!({:?})),",
            file.display().to_string()
        );
    }
    source.push_str("];\n");
    let written = std::env::var_os("OUT_DIR").map(|out| std::fs::write(Path::new(&out).join("assets.rs"), source));
    match written {
        Some(Ok(())) => {}
        Some(Err(error)) => println!("cargo::error=the list of assets cannot be written: {error}"),
        None => println!("cargo::error=OUT_DIR is not set"),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
