//! Reads where to listen, as people type it.
//!
//! No name is looked up: a listener belongs to an address of this machine, and
//! `localhost` is the one name that is the same everywhere.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Why an address to listen on was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The part before the port is neither an IP address nor `localhost`.
    #[error(
        "listen address `{text}`: `{host}` is neither an IP address nor localhost; write 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080"
    )]
    NotAnIp {
        /// What was typed.
        text: String,
        /// The part that is no IP address.
        host: String,
    },
    /// The port is missing, not a number, or over 65535.
    #[error("listen address `{text}`: port `{port}` is not a number from 0 to 65535")]
    BadPort {
        /// What was typed.
        text: String,
        /// The part that is no port.
        port: String,
    },
}

/// Reads `HOST:PORT`, `:PORT` or `PORT`; without a host it is 127.0.0.1.
///
/// HOST is an IPv4 address, an IPv6 address in brackets, or `localhost`
/// (127.0.0.1). Port 0 lets the system choose.
///
/// # Errors
/// [`AddressError`], naming the part that cannot be read.
pub fn parse_address(text: &str) -> Result<SocketAddr, AddressError> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let host = parse_host(host).ok_or_else(|| AddressError::NotAnIp {
        text: text.to_owned(),
        host: host.to_owned(),
    })?;
    let port = parse_port(port).ok_or_else(|| AddressError::BadPort {
        text: text.to_owned(),
        port: port.to_owned(),
    })?;
    Ok(SocketAddr::new(host, port))
}

fn parse_host(host: &str) -> Option<IpAddr> {
    if host.is_empty() || host.eq_ignore_ascii_case("localhost") {
        return Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    match host.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']')?.parse().ok().map(IpAddr::V6),
        None => host.parse().ok().map(IpAddr::V4),
    }
}

/// Digits only: `u16::from_str` would also take `+80`.
fn parse_port(port: &str) -> Option<u16> {
    if port.is_empty() || !port.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    port.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse_address;

    fn parsed(text: &str) -> String {
        parse_address(text).map_or_else(|e| e.to_string(), |a| a.to_string())
    }

    #[test]
    fn every_written_form_names_one_address() {
        assert_eq!(parsed("127.0.0.1:8080"), "127.0.0.1:8080");
        assert_eq!(parsed("0.0.0.0:80"), "0.0.0.0:80");
        assert_eq!(parsed("[::1]:8080"), "[::1]:8080");
        assert_eq!(parsed("localhost:9000"), "127.0.0.1:9000");
        assert_eq!(parsed(":8080"), "127.0.0.1:8080");
        assert_eq!(parsed("8080"), "127.0.0.1:8080");
        assert_eq!(parsed("0"), "127.0.0.1:0");
    }

    #[test]
    fn a_bad_address_is_named_with_what_is_wrong() {
        insta::assert_snapshot!(
            ["example.com:80", "127.0.0.1:", "127.0.0.1:99999", "8o80", "+80", "::1:8080x", ""]
                .map(parsed)
                .join("\n"),
            @r"
        listen address `example.com:80`: `example.com` is neither an IP address nor localhost; write 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080
        listen address `127.0.0.1:`: port `` is not a number from 0 to 65535
        listen address `127.0.0.1:99999`: port `99999` is not a number from 0 to 65535
        listen address `8o80`: port `8o80` is not a number from 0 to 65535
        listen address `+80`: port `+80` is not a number from 0 to 65535
        listen address `::1:8080x`: `::1` is neither an IP address nor localhost; write 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080
        listen address ``: port `` is not a number from 0 to 65535
        "
        );
    }
}
