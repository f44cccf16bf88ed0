//! The kind of a value, and the form of a text or a number that varies.

use loadline_record::saved_answers::JsonNode;

/// What a value that varies is still held to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Null,
    Bool,
    Whole,
    Fraction,
    EmptyText,
    Uuid,
    /// A time with its zone: `Z`, `+09:00`, or none.
    Time(String),
    Date,
    Text,
    List,
    Object,
}

impl Form {
    pub(super) fn new(value: &JsonNode) -> Self {
        match value {
            JsonNode::Null => Self::Null,
            JsonNode::Bool(_) => Self::Bool,
            JsonNode::Number(number) if number.contains(['.', 'e']) => Self::Fraction,
            JsonNode::Number(_) => Self::Whole,
            JsonNode::Text(text) => of_text(text),
            JsonNode::List(_) => Self::List,
            JsonNode::Object(_) => Self::Object,
        }
    }

    /// Whether a value of this form may stand where values of `known` forms stood.
    pub(super) fn is_among<'k>(&self, mut known: impl Iterator<Item = &'k Self>) -> bool {
        // A fraction may be whole by chance, a text may look like anything; not the other way round.
        known.any(|known| match known {
            Self::Fraction => matches!(self, Self::Fraction | Self::Whole),
            Self::Text => matches!(self, Self::Text | Self::Uuid | Self::Time(_) | Self::Date),
            known => known == self,
        })
    }
}

fn of_text(text: &str) -> Form {
    if text.is_empty() {
        return Form::EmptyText;
    }
    let shape: String = text
        .chars()
        .map(|c| match c {
            '0'..='9' => '9',
            'a'..='f' | 'A'..='F' => 'a',
            other => other,
        })
        .collect();
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    if lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| is_hex(part)) {
        return Form::Uuid;
    }
    if shape == "9999-99-99" {
        return Form::Date;
    }
    // `T` is left as it is by the shape.
    let clock = shape
        .strip_prefix("9999-99-99")
        .and_then(|rest| rest.strip_prefix(['T', 't', ' ']))
        .filter(|rest| rest.starts_with("99:99"));
    if let Some(clock) = clock {
        let zone = clock.trim_start_matches(['9', ':', '.', ',']);
        let zone = &text[text.len() - zone.len()..];
        return Form::Time(zone.to_owned());
    }
    Form::Text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Form {
        Form::new(&JsonNode::Text(text.to_owned()))
    }

    #[test]
    fn times_are_told_apart_by_their_zone_and_not_by_their_fraction() {
        assert_eq!(
            form("2026-11-30T10:00:00Z"),
            form("2026-11-30T10:00:00.123Z")
        );
        assert_ne!(
            form("2026-11-30T10:00:00Z"),
            form("2026-11-30T10:00:00+09:00")
        );
        assert_ne!(form("2026-11-30T10:00:00Z"), form("2026-11-30T10:00:00"));
        assert_eq!(
            form("2026-11-30T10:00:00+09:00"),
            Form::Time("+09:00".to_owned())
        );
        assert_eq!(form("2026-11-30"), Form::Date);
        assert_eq!(form("8f14e45f-ceea-467a-b3d6-dedd4bea2543"), Form::Uuid);
        assert_eq!(form("abc"), Form::Text);
    }

    #[test]
    fn what_may_be_by_chance_is_no_other_form() {
        let is_among = |value: &Form, known: &[Form]| value.is_among(known.iter());
        assert!(is_among(&Form::Whole, &[Form::Fraction]));
        assert!(!is_among(&Form::Fraction, &[Form::Whole]));
        assert!(is_among(&Form::Uuid, &[Form::Text]));
        assert!(!is_among(&Form::EmptyText, &[Form::Text]));
        assert!(!is_among(&Form::Null, &[Form::Text, Form::Uuid]));
    }
}
