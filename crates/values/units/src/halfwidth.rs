//! Signs as Korean and Japanese keyboards write them.

/// The signs of ASCII, full-width.
const FULLWIDTH: std::ops::RangeInclusive<char> = '！'..='～';
/// How far they lie behind those of ASCII.
const WIDE_TO_NARROW: u32 = '！' as u32 - '!' as u32;
/// The full-width blank.
const WIDE_BLANK: char = '\u{3000}';

/// A text with full-width signs (`５０％`, `＜`, `（`) made those of ASCII.
#[must_use]
pub fn halfwidth(text: &str) -> String {
    text.chars().map(halfwidth_sign).collect()
}

/// One sign, likewise.
#[must_use]
pub fn halfwidth_sign(sign: char) -> char {
    match sign {
        WIDE_BLANK => ' ',
        wide if FULLWIDTH.contains(&wide) => {
            char::from_u32(u32::from(wide) - WIDE_TO_NARROW).unwrap_or(wide)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_signs_become_those_of_ascii_and_others_stay() {
        assert_eq!(halfwidth("５０．５％"), "50.5%");
        assert_eq!(halfwidth("２００／ｓ　，"), "200/s ,");
        assert_eq!(halfwidth("부하 １ µs"), "부하 1 µs");
    }
}
