//! The program `briefwelt`: one command line for everything.

mod cli;
mod command;
mod complaint;
mod help;
mod opened;
mod output;
mod press;
mod words;

use clap::FromArgMatches as _;
use cli::Cli;
use output::FoundWrong;
use std::ffi::OsString;
use std::process::ExitCode;
use words::Words;

fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let words = Words::in_language(help::language(&line));
    let read = help::command_line(words).try_get_matches_from(&line);
    let cli = match read.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if help::is_help(&error) => return tell_help(&error, help::language(&line)),
        Err(error) => {
            let json = line.iter().any(|word| word == "--json");
            return complain(json, 2, &help::complaint(&error, words));
        }
    };
    // Only a host has many things to do at once.
    let runtime = match &cli.command {
        cli::Command::Serve(_) | cli::Command::Demo(_) => {
            tokio::runtime::Builder::new_multi_thread().enable_all().build()
        }
        _ => tokio::runtime::Builder::new_current_thread().enable_all().build(),
    };
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            let error = anyhow::Error::from(error);
            return complain(
                cli.json,
                complaint::exit_code(&error),
                &complaint::told(&error, cli.lang),
            );
        }
    };
    let outcome = runtime.block_on(command::run(&cli));
    runtime.block_on(cli.opened.close());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if error.is::<FoundWrong>() => ExitCode::from(1),
        Err(error) => complain(
            cli.json,
            complaint::exit_code(&error),
            &complaint::told(&error, cli.lang),
        ),
    }
}

/// Prints help or the version, as clap laid it out.
fn tell_help(help: &clap::Error, lang: cli::Lang) -> ExitCode {
    match help.print() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let error = anyhow::Error::from(error);
            complain(false, complaint::exit_code(&error), &complaint::told(&error, lang))
        }
        _ => ExitCode::from(u8::try_from(help.exit_code()).unwrap_or(2)),
    }
}

/// Says on standard error what went wrong; that nobody may be listening there is no further harm.
fn complain(json: bool, code: u8, told: &str) -> ExitCode {
    use std::io::Write as _;
    let _ = match json {
        true => writeln!(
            std::io::stderr(),
            "{}",
            serde_json::json!({ "error": told, "exit_code": code })
        ),
        false => writeln!(std::io::stderr(), "briefwelt: {told}"),
    };
    ExitCode::from(code)
}
