//! Style sheets, scripts, fonts and symbols: part of the program, and kept by browsers for ever.
//!
//! Every file under `crates/web/assets/` is served as `/assets/<digest of all of them>/<its name>`. A change of any file
//! changes the digest and so the addresses of all; within style sheets and scripts files name each other relatively.

use crate::error::Fault;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The address under which the assets lie, with a slash at its end.
pub fn base() -> &'static str {
    static BASE: OnceLock<String> = OnceLock::new();
    BASE.get_or_init(|| format!("/assets/{}/", digest()))
}

fn digest() -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in FILES {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hasher.finalize().to_hex().chars().take(16).collect()
}

/// Whether there is such a file.
pub fn exists(name: &str) -> bool {
    FILES.iter().any(|(of, _)| *of == name)
}

/// `GET /assets/{digest}/{*name}`
pub async fn show(Path((digest, name)): Path<(String, String)>) -> Result<Response, Fault> {
    let current = base().trim_start_matches("/assets/").trim_end_matches('/') == digest;
    let (_, bytes) = FILES.iter().find(|(of, _)| *of == name).ok_or(Fault::Missing)?;
    // After an update a page from before may still ask under the old digest: it gets today's file, but must not keep it.
    let keep = if current {
        "public, max-age=31536000, immutable"
    } else {
        "no-store"
    };
    Ok(([(CONTENT_TYPE, kind(&name)), (CACHE_CONTROL, keep)], *bytes).into_response())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" | "webmanifest" => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_a_style_sheet_names_is_there() {
        let sheets = FILES.iter().filter(|(name, _)| name.ends_with(".css"));
        let mut named = 0;
        for (sheet, bytes) in sheets {
            let text = String::from_utf8_lossy(bytes);
            for part in text.split("url(").skip(1) {
                let name = part.split(')').next().unwrap().trim_matches(['"', '\'']);
                // A picture within the sheet, or a part of the page.
                if !name.starts_with("data:") && !name.starts_with(['#', '%']) {
                    assert!(exists(name), "{sheet} names {name}");
                    named += 1;
                }
            }
        }
        assert!(named > 5, "the style sheets name fonts");
    }

    #[test]
    fn every_font_has_its_licence() {
        for (name, _) in FILES.iter().filter(|(name, _)| name.ends_with(".woff2")) {
            let family = name.trim_start_matches("fonts/").split("-latin-").next().unwrap();
            assert!(exists(&format!("fonts/OFL-{family}.txt")), "{name}");
        }
    }
}
