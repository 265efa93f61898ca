//! What the tests need beside Rust, fetched if it is missing: Debian's packages, and two packages for the browser tests.

use crate::run::{output, root};
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The browser that the tests drive.
pub fn chromium() -> anyhow::Result<PathBuf> {
    let path = Path::new("/usr/bin/chromium");
    if !path.exists() {
        debian(&["chromium"])?;
    }
    Ok(path.to_owned())
}

/// The packages of the browser tests, exactly as their lock file names them.
pub fn browser_tests() -> anyhow::Result<PathBuf> {
    let folder = root()?.join("tests/browser");
    let lock = std::fs::read(folder.join("package-lock.json"))?;
    // A copy of the lock file beside what was installed by it tells whether it is still the same.
    let stamp = folder.join("node_modules/.installed");
    if std::fs::read(&stamp).ok().as_deref() != Some(lock.as_slice()) {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir(&folder);
        output(&mut npm).context("fetching the packages of the browser tests")?;
        std::fs::write(&stamp, &lock)?;
    }
    Ok(folder)
}

/// Installs packages of Debian.
pub fn debian(packages: &[&str]) -> anyhow::Result<()> {
    println!("installing {}", packages.join(", "));
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        output(&mut command)
    };
    // An old list of packages names versions that are no longer there.
    apt(&["update"]).context("refreshing Debian's list of packages")?;
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(packages);
    apt(&install).with_context(|| format!("installing {}", packages.join(", ")))?;
    Ok(())
}
