//! nginx's variables: `$remote_addr`, `${request_time}`.

use loadline_units::DurationUnit;

use super::{Meaning, Piece, push};

/// Whether a format is nginx's: a dollar sign before a letter.
pub(super) fn is_one(text: &str) -> bool {
    let mut pairs = text.as_bytes().windows(2);
    pairs.any(|pair| pair[0] == b'$' && (pair[1].is_ascii_alphabetic() || pair[1] == b'{'))
}

/// The parts of a format. nginx knows far more variables than matter here; any name is one.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        if letter != '$' {
            push(&mut pieces, letter);
            rest = after;
            continue;
        }
        let (inner, is_braced) = match after.strip_prefix('{') {
            Some(inner) => (inner, true),
            None => (after, false),
        };
        let end = inner
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(inner.len());
        let (name, behind) = inner.split_at(end);
        rest = if is_braced {
            behind.strip_prefix('}').unwrap_or(behind)
        } else {
            behind
        };
        if name.is_empty() {
            push(&mut pieces, letter);
            continue;
        }
        pieces.push(Piece::Variable {
            name: format!("${name}"),
            meaning: meaning(name),
        });
    }
    pieces
}

fn meaning(name: &str) -> Meaning {
    match name {
        "time_local" | "time_iso8601" => Meaning::Time,
        "msec" => Meaning::Epoch,
        "request" => Meaning::Request,
        "request_method" => Meaning::Method,
        "request_uri" | "uri" | "document_uri" => Meaning::Path,
        "status" => Meaning::Status,
        "request_time" => Meaning::Duration(DurationUnit::Seconds),
        "upstream_response_time" => Meaning::UpstreamDuration(DurationUnit::Seconds),
        "remote_addr" | "binary_remote_addr" => Meaning::Client,
        "http_x_forwarded_for" | "proxy_add_x_forwarded_for" | "http_x_real_ip" => {
            Meaning::Forwarded
        }
        "http_user_agent" => Meaning::Agent,
        _ => Meaning::Ignored,
    }
}
