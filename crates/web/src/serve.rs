//! Listening, and ending without cutting anybody off.

use crate::shield::Peer;
use crate::state::Web;
use axum::body::Body;
use axum::http::Request;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

/// Connections at once.
const CONNECTIONS: usize = 8_192;
/// Time in which a client must have sent the head of a request.
const HEAD: Duration = Duration::from_secs(15);
/// Time that requests under way get when the host ends.
const FAREWELL: Duration = Duration::from_secs(20);

/// Serves until `end` comes, then lets what is under way come to its end.
///
/// # Errors
/// If the host cannot listen any more.
pub async fn serve(listener: TcpListener, web: Web, end: impl Future<Output = ()>) -> io::Result<()> {
    let app = crate::routes::app(web);
    // Browsers speak HTTP/2 only inside TLS, which is the business of a proxy, and a proxy speaks HTTP/1 to us.
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    tokio::pin!(end);
    loop {
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place.map_err(io::Error::other)?,
            () = &mut end => break,
        };
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of files, or a client that was gone at once: neither is a reason to stop, nor to spin.
                    tracing::warn!(%error, "accept");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut end => break,
        };
        // A page is a few small packets: waiting to fill them only makes it late.
        let _ = stream.set_nodelay(true);
        let peer = Peer(address.ip());
        let service = app.clone().map_request(move |request: Request<hyper::body::Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer);
            request
        });
        let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection");
            }
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(FAREWELL) => tracing::warn!("some connections did not end in time"),
    }
    Ok(())
}
