//! The smallest client that will do: HTTP/1.1 over one connection that stays open.

use anyhow::{Context as _, bail, ensure};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::TcpStream;

/// Time that an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request.
pub struct Request {
    method: &'static str,
    path: String,
    headers: String,
    body: String,
}

impl Request {
    /// Asks for something.
    pub fn get(path: &str) -> Self {
        Self {
            method: "GET",
            path: path.to_owned(),
            headers: String::new(),
            body: String::new(),
        }
    }

    /// Sends JSON.
    pub fn post(path: &str, body: &str) -> Self {
        Self {
            method: "POST",
            path: path.to_owned(),
            headers: "content-type: application/json\r\n".to_owned(),
            body: body.to_owned(),
        }
    }

    /// In the name of a token.
    pub fn with_token(mut self, token: &str) -> Self {
        self.headers += &format!("authorization: Bearer {token}\r\n");
        self
    }

    /// In a session.
    pub fn with_session(mut self, token: &str) -> Self {
        self.headers += &format!("cookie: sitzung={token}\r\n");
        self
    }
}

/// A client.
pub struct Client {
    address: String,
    stream: Option<BufStream<TcpStream>>,
}

impl Client {
    /// A client of the host at this address.
    pub fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            stream: None,
        }
    }

    /// Sends a request and reads its answer, which must be a good one.
    pub async fn send(&mut self, request: &Request) -> anyhow::Result<()> {
        let answered = tokio::time::timeout(PATIENCE, self.exchange(request)).await;
        let answered = answered.unwrap_or_else(|_| bail!("no answer in time"));
        if answered.is_err() {
            self.stream = None;
        }
        answered.with_context(|| format!("{} {}", request.method, request.path))
    }

    async fn exchange(&mut self, request: &Request) -> anyhow::Result<()> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(&self.address).await?;
                stream.set_nodelay(true)?;
                BufStream::new(stream)
            }
        };
        let Request {
            method,
            path,
            headers,
            body,
        } = request;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{headers}content-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        stream.flush().await?;
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let status: u16 = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .with_context(|| format!("no answer: {line:?}"))?;
        let (mut length, mut chunked) = (0_usize, false);
        loop {
            line.clear();
            ensure!(stream.read_line(&mut line).await? > 0, "the answer breaks off");
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse()?,
                "transfer-encoding" => chunked = value.trim().eq_ignore_ascii_case("chunked"),
                _ => {}
            }
        }
        let text = if chunked {
            chunks(&mut stream).await?
        } else {
            let mut bytes = vec![0; length];
            stream.read_exact(&mut bytes).await?;
            bytes
        };
        if !(200..300).contains(&status) {
            let text: String = String::from_utf8_lossy(&text).chars().take(200).collect();
            bail!("{status}: {text}");
        }
        self.stream = Some(stream);
        Ok(())
    }
}

async fn chunks(stream: &mut BufStream<TcpStream>) -> anyhow::Result<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let length = usize::from_str_radix(line.trim(), 16)?;
        // Every chunk ends with an empty line, the last one too.
        let mut bytes = vec![0; length + 2];
        stream.read_exact(&mut bytes).await?;
        if length == 0 {
            return Ok(all);
        }
        bytes.truncate(length);
        all.extend(bytes);
    }
}
