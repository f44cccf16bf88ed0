//! HTTP/1.1 requests as lines of text.

use super::frames;

/// Fields whose values are random, or say where the server is.
const HIDDEN: [&str; 2] = ["sec-websocket-key", "traceparent"];

/// What a client sent on one connection.
pub(super) fn shown(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while !bytes.is_empty() {
        let Some(head) = find(bytes, b"\r\n\r\n") else {
            lines.push(format!("cut off: {}", text(bytes)));
            break;
        };
        let request = Request::from_head(&text(&bytes[..head]));
        bytes = &bytes[head + 4..];
        let body = request.take_body(&mut bytes);
        lines.push(request.line(&body));
        if request.upgrades() {
            lines.extend(frames::shown(bytes));
            break;
        }
    }
    lines
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The head of a request.
struct Request {
    line: String,
    fields: Vec<(String, String)>,
}

impl Request {
    fn from_head(head: &str) -> Self {
        let mut lines = head.split("\r\n");
        let line = lines.next().unwrap_or_default().to_owned();
        let fields = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Self { line, fields }
    }

    fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    fn upgrades(&self) -> bool {
        self.field("upgrade")
            .is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
    }

    /// Takes the request's body off the front.
    fn take_body(&self, bytes: &mut &[u8]) -> String {
        if self.field("transfer-encoding") == Some("chunked") {
            return chunked(bytes);
        }
        let length = self
            .field("content-length")
            .and_then(|value| value.parse().ok());
        let length = length.unwrap_or(0).min(bytes.len());
        let (body, rest) = bytes.split_at(length);
        *bytes = rest;
        text(body)
    }

    /// One line, without what is random in every run.
    fn line(&self, body: &str) -> String {
        let boundary = self
            .field("content-type")
            .and_then(|kind| kind.split_once("boundary="))
            .map(|(_, boundary)| boundary.to_owned());
        let hide = |value: &str| match &boundary {
            Some(boundary) => value.replace(boundary.as_str(), "BOUNDARY"),
            None => value.to_owned(),
        };
        let mut fields: Vec<String> = self
            .fields
            .iter()
            .map(|(name, value)| {
                if HIDDEN.contains(&name.as_str()) {
                    format!("{name}: ...")
                } else {
                    format!("{name}: {}", hide(value))
                }
            })
            .collect();
        fields.sort();
        let mut line = format!("{} | {}", self.line, fields.join(" | "));
        if !body.is_empty() {
            line.push_str(&format!(" || {}", hide(body)));
        }
        line
    }
}

fn chunked(bytes: &mut &[u8]) -> String {
    let mut body = Vec::new();
    while let Some(end) = find(bytes, b"\r\n") {
        let size = usize::from_str_radix(text(&bytes[..end]).trim(), 16).unwrap_or(0);
        let from = end + 2;
        let to = (from + size).min(bytes.len());
        body.extend_from_slice(&bytes[from..to]);
        *bytes = &bytes[(to + 2).min(bytes.len())..];
        if size == 0 {
            break;
        }
    }
    text(&body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_one_connection_are_lines_with_sorted_fields() {
        let sent = b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nAccept: x\r\n\r\nhiGET /b HTTP/1.1\r\n\r\n";
        assert_eq!(
            shown(sent),
            [
                "POST /a HTTP/1.1 | accept: x | content-length: 2 | host: h || hi",
                "GET /b HTTP/1.1 | "
            ]
        );
    }

    #[test]
    fn boundaries_are_hidden_and_chunks_joined() {
        let sent = b"POST /a HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=q7\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n--q7\r\n0\r\n\r\n";
        let line = shown(sent).concat();
        assert!(line.ends_with("|| --BOUNDARY"), "{line}");
    }
}
