//! HTTP/1.1 as little of it as the crowd needs, and what it notes of times.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::settings::Settings;

pub(crate) fn now_ms() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs_f64() * 1e3
}

pub(crate) fn quantiles(values: &mut [f64]) -> String {
    values.sort_by(f64::total_cmp);
    let at = |thousandths: usize| {
        let last = values.len().saturating_sub(1);
        let index = (values.len() * thousandths / 1000).min(last);
        values.get(index).copied().unwrap_or(f64::NAN)
    };
    format!(
        "n {}, p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms, max {:.2} ms",
        values.len(),
        at(500),
        at(950),
        at(990),
        at(1000)
    )
}

pub(crate) fn request(method: &str, path: &str, bearer: &str, head: &str, body: &str) -> String {
    let length = match (method, body.len()) {
        ("GET", 0) => String::new(),
        (_, length) => format!("Content-Length: {length}\r\n"),
    };
    format!(
        "{method} {path} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {bearer}\r\n{head}{length}\r\n{body}"
    )
}

/// Where a message's head ends and how long its body is, once the head is there.
pub(crate) fn head_of(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let mut length = 0;
    for line in bytes[..end].split(|byte| *byte == b'\n').skip(1) {
        let name = b"content-length:";
        if line.len() > name.len() && line[..name.len()].eq_ignore_ascii_case(name) {
            let digits = line.iter().filter(|byte| byte.is_ascii_digit());
            length = digits.fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'));
        }
    }
    Some((end + 4, length))
}

/// Reads one answer with a Content-Length into `buffer`; its status and where its body begins.
pub(crate) async fn answer(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> std::io::Result<(u16, usize)> {
    buffer.clear();
    loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if let Some((body, length)) = head_of(buffer)
            && buffer.len() >= body + length
        {
            let digits = std::str::from_utf8(&buffer[9..12]).unwrap_or("");
            return Ok((digits.parse().unwrap_or(0), body));
        }
    }
}

/// One call over a connection of its own.
pub(crate) async fn once(
    gate: SocketAddr,
    method: &str,
    path: &str,
    bearer: &str,
    head: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(gate).await?;
    let head = format!("{head}Connection: close\r\n");
    let request = request(method, path, bearer, &head, body);
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = Vec::new();
    let (status, at) = answer(&mut stream, &mut buffer).await?;
    Ok((status, String::from_utf8_lossy(&buffer[at..]).into_owned()))
}

/// A call that can be sent again: until it is answered, if the visitor is patient.
pub(crate) async fn ask(
    settings: &Settings,
    visitor: usize,
    path: &str,
    bearer: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    for round in 0.. {
        let gate = settings.gates[(visitor + round) % settings.gates.len()];
        let call = once(gate, "POST", path, bearer, "", body);
        let answer = tokio::time::timeout(Duration::from_secs(10), call).await;
        match answer {
            // Ten tries a second at a gate that cannot write are soon too many for it: 429.
            Ok(Ok((status, answer)))
                if !(settings.patient && matches!(status, 0 | 429 | 500..)) =>
            {
                return Ok((status, answer));
            }
            Ok(Err(error)) if !settings.patient => return Err(error),
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    unreachable!("visitors are patient without end")
}

/// From an address of its own for each 20,000: ports of one run out.
pub(crate) async fn connect(settings: &Settings, visitor: usize) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    let host = u8::try_from(2 + visitor / 20_000).unwrap_or(2);
    socket.bind(SocketAddr::from(([127, 0, 0, host], 0)))?;
    let gate = settings.gates[visitor % settings.gates.len()];
    let stream = socket.connect(gate).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
