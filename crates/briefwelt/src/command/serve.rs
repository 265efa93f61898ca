//! `briefwelt serve`: the host in the browser.

use crate::cli::{Cli, Log, Serve};
use crate::command::chores;
use crate::complaint::{Complaint, of_file};
use crate::output::say;
use crate::words::Words;
use host::Host;
use post::Postman;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;
use web::{Settings, Web};

/// Carries out `briefwelt serve`.
pub async fn run(cli: &Cli, command: &Serve) -> anyhow::Result<()> {
    serve(cli, super::open(cli, true).await?, command).await
}

/// Runs the host over a store until it is told to end.
pub async fn serve(cli: &Cli, host: Host, command: &Serve) -> anyhow::Result<()> {
    begin_log(command.log)?;
    let host = Arc::new(host);
    let listener = TcpListener::bind(command.listen).await.map_err(|error| {
        let complaint = Complaint::new("listen").with("address", command.listen);
        complaint.with("why", of_file(&error, Words::of(cli))).code(6)
    })?;
    let address = listener.local_addr()?;
    let public_url = command
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{address}"));
    let settings = Settings {
        public_url: public_url.trim_end_matches('/').to_owned(),
        trust_proxy: command.trust_proxy,
        open_sign_up: !command.closed,
        metrics_token: command.metrics_token.clone(),
    };
    let postman = postman(command, host.data())?;
    say(Words::of(cli).with("at", &[("address", &settings.public_url)]))?;
    let web = Web::new(host.clone(), settings);
    let (tell, told) = watch::channel(false);
    tokio::spawn(async move {
        told_to_end().await;
        // Nobody listening any more means that the end has come already.
        let _ = tell.send(true);
    });
    let mut chores = chores::begin(&web, postman, &told);
    tokio::select! {
        served = web::serve(listener, web, chores::end(told.clone())) => served?,
        // Pages without turns and mail would be half a host, and nobody would notice: better to end and be begun anew.
        Some(Err(broken)) = chores.join_next() => return Err(broken.into()),
    }
    while let Some(ended) = chores.join_next().await {
        ended?;
    }
    Ok(())
}

fn postman(command: &Serve, data: &Path) -> anyhow::Result<Postman> {
    let from = command
        .mail_from
        .parse()
        .map_err(|error| Complaint::new("mail-from").with("why", error))?;
    Ok(match (&command.mail_server, &command.mail_folder) {
        (Some(url), _) => Postman::to_server(url, from),
        (None, Some(folder)) => Postman::to_folder(folder, from),
        (None, None) => Postman::to_folder(&data.join("post"), from),
    }
    .map_err(|error| Complaint::new("mail").with("why", error))?)
}

/// What is logged unless `RUST_LOG` says otherwise. A map that is drawn as a picture carries style rules for browsers, about which the
/// painter would complain each time.
const LOGGED: &str = "info,sqlx=warn,simplecss=error,usvg=error";

fn begin_log(log: Log) -> anyhow::Result<()> {
    let wished = std::env::var("RUST_LOG").unwrap_or_else(|_| LOGGED.to_owned());
    let targets: Targets = wished
        .parse()
        .map_err(|error| Complaint::new("log").with("given", &wished).with("why", error))?;
    // Colours are for a terminal; in a file or a journal they would be noise.
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(targets);
    match log {
        Log::Text => registry.with(lines).try_init(),
        Log::Json => registry.with(lines.json()).try_init(),
    }?;
    Ok(())
}

/// Comes with Ctrl-C or SIGTERM.
async fn told_to_end() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
    tracing::info!("told to end");
}
