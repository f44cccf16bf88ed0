//! Asking a proxy for a connection to somewhere else: CONNECT, and SOCKS 5.

use std::net::IpAddr;

use loadline_wire::{RequestKind, RequestWriter, ResponseEvent, ResponseHead, ResponseParser};

use crate::failure::{Cause, Failure, Operation};
use crate::proxy::Proxy;
use crate::stream::Stream;

/// `host` with `port`, as it stands in a request for a tunnel.
pub(crate) fn authority(host: &str, port: u16) -> String {
    if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}

/// Has the HTTP proxy behind `stream` connect to `host`.
///
/// # Errors
/// The proxy's own words when it does not, as Go tells them; or the connection's failure.
pub(crate) async fn connect(
    stream: &mut Stream,
    proxy: &Proxy,
    host: &str,
    port: u16,
) -> Result<(), Failure> {
    let target = authority(host, port);
    let mut bytes = Vec::with_capacity(128);
    let mut writer = RequestWriter::begin(&mut bytes, "CONNECT", &target)?;
    writer.field("Host", &target)?;
    if let Some(authorization) = &proxy.authorization {
        writer.field("Proxy-Authorization", authorization)?;
    }
    writer.finish();
    write(stream, &bytes).await?;

    let mut head = ResponseHead::default();
    let mut parser = ResponseParser::new();
    parser.begin(RequestKind::Connect, &mut head);
    let mut buffer = [0; 4096];
    loop {
        let count = read(stream, &mut buffer).await?;
        if count == 0 {
            parser.finish(&mut head)?;
        }
        let mut bytes = &buffer[..count];
        while !bytes.is_empty() {
            let (used, event) = parser.advance(&mut head, bytes)?;
            bytes = &bytes[used..];
            match event {
                ResponseEvent::Head => return granted(&head),
                ResponseEvent::Incomplete => {}
                // Nothing of a body comes before the head.
                ResponseEvent::Body(_) | ResponseEvent::End => break,
            }
        }
    }
}

fn granted(head: &ResponseHead) -> Result<(), Failure> {
    if head.status() == 200 {
        return Ok(());
    }
    let text = String::from_utf8_lossy(head.status_text());
    let reason = text.split_once(' ').map(|(_, reason)| reason);
    Err(Cause::Other(reason.unwrap_or("unknown status code").to_owned()).into())
}

/// Has the SOCKS 5 proxy behind `stream` connect to `host` (RFC 1928, RFC 1929). Names
/// are looked up by the proxy, as in Go.
///
/// # Errors
/// The proxy's refusal in Go's words, or the connection's failure.
pub(crate) async fn socks5(
    stream: &mut Stream,
    proxy: &Proxy,
    host: &str,
    port: u16,
) -> Result<(), Failure> {
    const SOCKS_VERSION: u8 = 5;
    const METHOD_NO_LOGIN: u8 = 0;
    const METHOD_LOGIN: u8 = 2;
    let target = authority(host, port);
    let proxy_at = stream.remote();
    let refused = |reason: &str| {
        Failure::from(Cause::Tcp(format!(
            "socks connect tcp {proxy_at}->{target}: {reason}"
        )))
    };

    let methods: &[u8] = match proxy.user {
        None => &[SOCKS_VERSION, 1, METHOD_NO_LOGIN],
        Some(_) => &[SOCKS_VERSION, 2, METHOD_NO_LOGIN, METHOD_LOGIN],
    };
    write(stream, methods).await?;
    let chosen: [u8; 2] = read_exactly(stream).await?;
    match (chosen, &proxy.user) {
        ([SOCKS_VERSION, METHOD_NO_LOGIN], _) => {}
        ([SOCKS_VERSION, METHOD_LOGIN], Some((name, password))) => {
            let mut login = vec![1];
            for part in [name, password] {
                let length =
                    u8::try_from(part.len()).map_err(|_| refused("invalid username/password"))?;
                login.push(length);
                login.extend_from_slice(part.as_bytes());
            }
            write(stream, &login).await?;
            let [_, outcome]: [u8; 2] = read_exactly(stream).await?;
            if outcome != 0 {
                return Err(refused("username/password authentication failed"));
            }
        }
        ([SOCKS_VERSION, _], _) => return Err(refused("no acceptable authentication methods")),
        ([other, _], _) => {
            return Err(refused(&format!("unexpected protocol version {other}")));
        }
    }

    let mut request = vec![SOCKS_VERSION, 1, 0];
    match host.parse() {
        Ok(IpAddr::V4(ip)) => {
            request.push(1);
            request.extend(ip.octets());
        }
        Ok(IpAddr::V6(ip)) => {
            request.push(4);
            request.extend(ip.octets());
        }
        Err(_) => {
            let length = u8::try_from(host.len()).map_err(|_| refused("FQDN too long"))?;
            request.extend([3, length]);
            request.extend(host.as_bytes());
        }
    }
    request.extend(port.to_be_bytes());
    write(stream, &request).await?;
    let [_, reply, _, kind]: [u8; 4] = read_exactly(stream).await?;
    if reply != 0 {
        return Err(refused(&format!("unknown error {}", reply_text(reply))));
    }
    // The address the proxy connects from, which nobody asked for.
    match kind {
        1 => {
            let _: [u8; 6] = read_exactly(stream).await?;
        }
        4 => {
            let _: [u8; 18] = read_exactly(stream).await?;
        }
        3 => {
            let [length]: [u8; 1] = read_exactly(stream).await?;
            for _ in 0..u16::from(length) + 2 {
                let _: [u8; 1] = read_exactly(stream).await?;
            }
        }
        _ => return Err(refused("unknown address type")),
    }
    Ok(())
}

fn reply_text(code: u8) -> String {
    let text = match code {
        1 => "general SOCKS server failure",
        2 => "connection not allowed by ruleset",
        3 => "network unreachable",
        4 => "host unreachable",
        5 => "connection refused",
        6 => "TTL expired",
        7 => "command not supported",
        8 => "address type not supported",
        other => return format!("unknown code: {other}"),
    };
    text.to_owned()
}

async fn write(stream: &mut Stream, bytes: &[u8]) -> Result<(), Failure> {
    let outcome = stream.write_all(bytes).await;
    outcome.map_err(|error| stream.cause(Operation::Write, &error).into())
}

async fn read(stream: &mut Stream, buffer: &mut [u8]) -> Result<usize, Failure> {
    let outcome = stream.read_some(buffer).await;
    outcome.map_err(|error| stream.cause(Operation::Read, &error).into())
}

async fn read_exactly<const N: usize>(stream: &mut Stream) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    let mut filled = 0;
    while filled < N {
        let count = read(stream, &mut bytes[filled..]).await?;
        if count == 0 {
            let text = if filled == 0 { "EOF" } else { "unexpected EOF" };
            return Err(Cause::Other(text.to_owned()).into());
        }
        filled += count;
    }
    Ok(bytes)
}
