//! What goes to standard output, to files and to the progress bar.

use crate::cli::Cli;
use crate::complaint::Complaint;
use crate::words::Words;
use host::HostError;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Ends the program with exit code 1: something was checked and found wrong, and has been printed.
#[derive(Clone, Copy, Debug)]
pub struct FoundWrong;

impl std::fmt::Display for FoundWrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("found wrong")
    }
}

impl std::error::Error for FoundWrong {}

/// Prints a text with a line end. A reader who has gone away stops nothing: the work is done to its end, and the exit code is that of the work.
pub fn say(text: impl std::fmt::Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints JSON, or the text.
pub fn tell<T: Serialize>(cli: &Cli, value: &T, text: impl FnOnce() -> String) -> anyhow::Result<()> {
    if cli.json {
        say(serde_json::to_string_pretty(value)?)
    } else {
        say(text().trim_end())
    }
}

/// Prints where something was written, or for programs an object that says the same.
pub fn tell_written(cli: &Cli, what: &str, path: &Path) -> anyhow::Result<()> {
    tell(cli, &serde_json::json!({ what: path }), || {
        Words::of(cli).with(what, &[("folder", &path.display())])
    })
}

/// Whether the error only says that nobody reads standard output any more, which ends what does nothing but write there.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Reads a file, or standard input for `-`, within a limit.
pub fn read(path: &Path, limit: usize) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = limit as u64 + 1;
    let read = if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(|error| HostError::file(path, error))?;
    if bytes.len() > limit {
        let size = std::fs::metadata(path).map_or(most, |data| data.len().max(most));
        let complaint = Complaint::new("too-large").with("file", path.display());
        return Err(complaint.with("size", size).with("limit", limit).code(7).into());
    }
    Ok(bytes)
}

/// Reads a text file within a limit.
pub fn read_text(path: &Path, limit: usize) -> anyhow::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|_| Complaint::new("no-text").with("file", path.display()).into())
}

/// Makes a folder with all above it.
pub fn make_folder(path: &Path) -> Result<(), HostError> {
    std::fs::create_dir_all(path).map_err(|error| HostError::file(path, error))
}

/// Writes a file that appears under its name only when it is complete. What is no file, such as a terminal or a pipe, is written into
/// and never replaced.
pub fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let is_device = std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder)?;
    }
    let unnamed = || Complaint::new("no-file-name").with("file", path.display());
    let name = path.file_name().ok_or_else(unnamed)?;
    let mut part = name.to_owned();
    part.push(".part");
    let part = path.with_file_name(part);
    let failed = |error: io::Error| HostError::file(path, error);
    let written = (|| {
        let target = if is_device { path } else { &part };
        let mut file = io::BufWriter::new(std::fs::File::create(target).map_err(failed)?);
        fill(&mut file)?;
        file.flush().map_err(failed)?;
        if is_device {
            return Ok(());
        }
        std::fs::rename(&part, path).map_err(failed)?;
        anyhow::Ok(())
    })();
    if written.is_err() && !is_device {
        // A half-written part is of no use to anyone; that it may not go away either is no further harm.
        let _ = std::fs::remove_file(&part);
    }
    written.map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => failed(error).into(),
        Err(other) => other,
    })
}

/// A progress bar on standard error; invisible where nobody watches.
pub fn bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template("{msg:<28} {bar:32} {pos:>6}/{len:<6} {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Shows that work goes on whose length nobody knows; invisible where nobody watches.
pub fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {msg:<28} {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Runs something that catches panics and tells of them itself, so that they are not told twice.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

/// A point in time as people read it, in UTC.
pub fn time(milliseconds: i64) -> String {
    let seconds = milliseconds.div_euclid(1_000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1 March of the year 0, in eras of 400 years: the leap day is the last of its year.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (rest / 3_600, rest / 60 % 60);
    format!("{year:04}-{month:02}-{day_of_month:02} {hour:02}:{minute:02} UTC")
}

/// Columns of text, each as wide as its widest cell; the last is not padded.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count().min(*width)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (milliseconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399_999, "2000-02-28 23:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (951_868_800_000, "2000-03-01 00:00 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00 UTC"),
            (-1, "1969-12-31 23:59 UTC"),
        ] {
            assert_eq!(time(milliseconds), text);
        }
    }

    #[test]
    fn columns_align_and_lines_have_no_blanks_at_their_end() {
        let rows = [
            vec!["Bär".to_owned(), "1".to_owned()],
            vec!["Chimäre".to_owned(), String::new()],
        ];
        assert_eq!(table(&rows), "Bär      1\nChimäre\n");
    }
}
