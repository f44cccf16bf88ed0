//! Response bodies with placeholders for values of the request: `{"id": {{path.id}}, "no":
//! {{seq}}}`.

use std::fmt::Write;
use std::time::SystemTime;

use loadline_units::SharedRandom;

/// A text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Path(String),
    Query(String),
    /// A number from 0 up to, but not including, this one.
    Random(u64),
    Uuid,
    Sequence,
    /// Milliseconds since 1970.
    Now,
}

/// The values for placeholders.
pub(crate) struct Values<'a> {
    pub(crate) path: &'a [(&'a str, &'a str)],
    pub(crate) query: &'a str,
    pub(crate) sequence: u64,
    pub(crate) random: &'a SharedRandom,
    pub(crate) wall_clock: fn() -> SystemTime,
}

impl Template {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after
                .split_once("}}")
                .ok_or_else(|| "`{{` without `}}` in a body".to_owned())?;
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            parts.push(place(name.trim())?);
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    /// The text, if it has no placeholders.
    pub(crate) fn fixed(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub(crate) fn fill(&self, values: &Values<'_>) -> String {
        let mut text = String::new();
        for part in &self.0 {
            let _ = match part {
                Part::Text(fixed) => write!(text, "{fixed}"),
                Part::Path(name) => {
                    let found = values.path.iter().find(|(known, _)| known == name);
                    write!(text, "{}", escaped(found.map_or("", |(_, value)| value)))
                }
                Part::Query(name) => {
                    let pairs = values
                        .query
                        .split('&')
                        .filter_map(|pair| pair.split_once('='));
                    let found = pairs.into_iter().find(|(known, _)| known == name);
                    write!(text, "{}", escaped(found.map_or("", |(_, value)| value)))
                }
                Part::Random(below) => write!(text, "{}", values.random.next() % below),
                Part::Uuid => {
                    let (a, b) = (values.random.next(), values.random.next());
                    let (a, b) = (a & !0xf000 | 0x4000, b & !(0xc0 << 56) | (0x80 << 56));
                    write!(
                        text,
                        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                        a >> 32,
                        (a >> 16) & 0xffff,
                        a & 0xffff,
                        b >> 48,
                        b & 0xffff_ffff_ffff
                    )
                }
                Part::Sequence => write!(text, "{}", values.sequence),
                Part::Now => {
                    let since = (values.wall_clock)().duration_since(SystemTime::UNIX_EPOCH);
                    write!(text, "{}", since.map_or(0, |since| since.as_millis()))
                }
            };
        }
        text
    }
}

fn place(name: &str) -> Result<Part, String> {
    Ok(match name.split_once('.') {
        Some(("path", name)) => Part::Path(name.to_owned()),
        Some(("query", name)) => Part::Query(name.to_owned()),
        None if name == "uuid" => Part::Uuid,
        None if name == "seq" => Part::Sequence,
        None if name == "now" => Part::Now,
        None if name == "random" => Part::Random(1_000_000_000),
        _ => {
            let below = name
                .strip_prefix("random ")
                .and_then(|n| n.trim().parse().ok());
            match below {
                Some(below) if below > 0 => Part::Random(below),
                _ => {
                    return Err(format!(
                        "`{{{{{name}}}}}` in a body; there are path.NAME, query.NAME, random, random N, uuid, seq, now"
                    ));
                }
            }
        }
    })
}

/// A value of the request, escaped for a JSON string.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> String {
        let random = SharedRandom::new(3);
        let values = Values {
            path: &[("id", "a\"7")],
            query: "user=5&x=y",
            sequence: 9,
            random: &random,
            wall_clock: || SystemTime::UNIX_EPOCH,
        };
        Template::parse(template).unwrap().fill(&values)
    }

    #[test]
    fn values_of_the_request_are_put_in_and_escaped() {
        assert_eq!(
            filled(r#"{"id":"{{path.id}}","user":{{query.user}},"no":{{ seq }},"at":{{now}}}"#),
            r#"{"id":"a\"7","user":5,"no":9,"at":0}"#
        );
        let uuid = filled("{{uuid}}");
        assert_eq!((uuid.len(), &uuid[14..15]), (36, "4"));
        assert!(filled("{{random 10}}").parse::<u64>().unwrap() < 10);
    }

    #[test]
    fn unknown_places_are_refused() {
        for wrong in ["{{colour}}", "{{path.id", "{{random 0}}"] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }
}
