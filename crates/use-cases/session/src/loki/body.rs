//! The body of a push: lines by stream, which is a set of labels.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Line;

/// Lines as Loki's push API takes them; of one with more than `message_max` characters the
/// middle is left out.
pub(super) fn build(lines: Vec<Line>, message_max: usize) -> Vec<u8> {
    let mut streams: BTreeMap<BTreeMap<String, String>, Vec<Value>> = BTreeMap::new();
    for line in lines {
        let message = shortened(line.message, message_max);
        let value = json!([line.time.to_string(), message]);
        streams.entry(line.labels).or_default().push(value);
    }
    let streams = streams
        .into_iter()
        .map(|(labels, values)| json!({ "stream": labels, "values": values }));
    let streams: Vec<Value> = streams.collect();
    json!({ "streams": streams }).to_string().into_bytes()
}

fn shortened(message: String, most: usize) -> String {
    // Characters are at most as many as bytes.
    let count = if message.len() > most {
        message.chars().count()
    } else {
        0
    };
    if count <= most {
        return message;
    }
    let at = |index| message.char_indices().nth(index).map_or(0, |(at, _)| at);
    let (head, tail) = (&message[..at(most / 2)], &message[at(count - most / 2)..]);
    let tail = if most / 2 == 0 { "" } else { tail };
    format!("{head}... omitting {} characters ...{tail}", count - most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_line_is_left_out_by_characters() {
        let short = |text: &str, most| shortened(text.to_owned(), most);
        assert_eq!(short("일이삼사오", 5), "일이삼사오");
        assert_eq!(
            short("일이삼사오", 4),
            "일이... omitting 1 characters ...사오"
        );
        assert_eq!(short("abc", 1), "... omitting 2 characters ...");
    }

    #[test]
    fn lines_of_the_same_labels_share_a_stream() {
        let line = |level: &str, message: &str, time| Line {
            labels: BTreeMap::from([("level".to_owned(), level.to_owned())]),
            message: message.to_owned(),
            time,
        };
        let body = build(
            vec![
                line("info", "a", 1),
                line("error", "b", 2),
                line("info", "c\"", 3),
            ],
            100,
        );
        let expected = json!({ "streams": [
            { "stream": { "level": "error" }, "values": [["2", "b"]] },
            { "stream": { "level": "info" }, "values": [["1", "a"], ["3", "c\""]] },
        ]});
        assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), expected);
    }
}
