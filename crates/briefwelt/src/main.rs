//! The program `briefwelt`: one command line for everything.

mod cli;
mod command;
mod opened;
mod output;
mod press;
mod words;

use clap::Parser as _;
use cli::Cli;
use host::HostError;
use kernel::any::GameError;
use output::FoundWrong;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
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
            complain(format_args!("briefwelt: {error}"));
            return ExitCode::from(6);
        }
    };
    let outcome = runtime.block_on(command::run(&cli));
    runtime.block_on(cli.opened.close());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let code = exit_code(&error);
            if !error.is::<FoundWrong>() {
                if cli.json {
                    let told = serde_json::json!({ "error": format!("{error:#}"), "exit_code": code });
                    complain(format_args!("{told}"));
                } else {
                    complain(format_args!("briefwelt: {error:#}"));
                }
            }
            ExitCode::from(code)
        }
    }
}

/// Says on standard error what went wrong; that nobody may be listening there is no further harm.
fn complain(words: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{words}");
}

fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<FoundWrong>() {
        1
    } else if let Some(error) = error.downcast_ref::<HostError>() {
        error.exit_code()
    } else if let Some(error) = error.downcast_ref::<GameError>() {
        HostError::Game(error.clone()).exit_code()
    } else if let Some(error) = error.downcast_ref::<std::io::Error>() {
        HostError::file("standard output".as_ref(), error.kind().into()).exit_code()
    } else {
        6
    }
}
