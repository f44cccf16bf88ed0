//! The bytes that HTTP allows in tokens and field values (RFC 9110, sections 5.6.2 and 5.5).

/// `true` for each byte that a token may contain.
static TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::cast_possible_truncation, reason = "the loop stays below 128")]
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'!' | b'#'
                    | b'$'
                    | b'%'
                    | b'&'
                    | b'\''
                    | b'*'
                    | b'+'
                    | b'-'
                    | b'.'
                    | b'^'
                    | b'_'
                    | b'`'
                    | b'|'
                    | b'~'
            );
        byte += 1;
    }
    table
};

/// Whether `bytes` is a token: a method or a field name.
#[must_use]
pub fn is_token(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&b| TOKEN[usize::from(b)])
}

/// Whether `bytes` is allowed as a field value: no control characters except tab.
#[must_use]
pub fn is_field_value(bytes: &[u8]) -> bool {
    // Without a branch per byte, so that it compiles to vector code.
    !bytes.iter().fold(false, |bad, &b| {
        bad | ((b < 0x20) & (b != b'\t')) | (b == 0x7f)
    })
}

/// How many bytes at the start of `bytes` a token may hold.
pub(crate) fn token_len(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|&b| !TOKEN[usize::from(b)]);
    end.unwrap_or(bytes.len())
}

/// How many bytes at the start of `bytes` may stand in a field value.
pub(crate) fn field_value_len(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += printable_len(&bytes[length..]);
        if bytes.get(length) != Some(&b'\t') {
            return length;
        }
        length += 1;
    }
}

/// How many bytes precede the first control character; looks at eight at once.
fn printable_len(bytes: &[u8]) -> usize {
    const BYTE_ONES: u64 = u64::from_ne_bytes([1; 8]);
    const BYTE_HIGH_BITS: u64 = BYTE_ONES << 7;
    let (eights, rest) = bytes.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let word = u64::from_le_bytes(*eight);
        // The lowest set high bit is correct; those above it may come from carries.
        let below_blank = word.wrapping_sub(BYTE_ONES * 0x20) & !word;
        let delete = word ^ (BYTE_ONES * 0x7f);
        let delete = delete.wrapping_sub(BYTE_ONES) & !delete;
        let controls = (below_blank | delete) & BYTE_HIGH_BITS;
        if controls != 0 {
            return number * 8 + (controls.trailing_zeros() / 8) as usize;
        }
    }
    let control = rest.iter().position(|&b| b < 0x20 || b == 0x7f);
    eights.len() * 8 + control.unwrap_or(rest.len())
}

/// `bytes` without spaces and tabs at either end.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let blank = |b: &u8| matches!(*b, b' ' | b'\t');
    let start = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
    let end = bytes
        .iter()
        .rposition(|b| !blank(b))
        .map_or(start, |i| i + 1);
    &bytes[start..end]
}

/// Whether the comma-separated list `value` contains `token`; case is ignored.
pub(crate) fn list_has(value: &[u8], token: &[u8]) -> bool {
    value
        .split(|&b| b == b',')
        .any(|item| trim(item).eq_ignore_ascii_case(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_hold_no_separators() {
        assert!(is_token(b"X-Request-Id"));
        assert!(is_token(b"!#$%&'*+-.^_`|~09azAZ"));
        for bad in [&b""[..], b"a b", b"a:b", b"a\r", b"caf\xc3\xa9", b"(x)"] {
            assert!(!is_token(bad), "{bad:?}");
        }
    }

    #[test]
    fn values_hold_no_control_characters_but_tab() {
        assert!(is_field_value(b"a\tb \xff"));
        assert!(is_field_value(b""));
        for bad in [&b"a\rb"[..], b"\n", b"\0", b"\x7f"] {
            assert!(!is_field_value(bad), "{bad:?}");
        }
    }

    #[test]
    fn prefixes_end_at_the_first_byte_that_does_not_belong() {
        assert_eq!(token_len(b"Content-Length: 5"), 14);
        assert_eq!(token_len(b": 5"), 0);
        assert_eq!(token_len(b"all"), 3);
        for bad in [b'\r', b'\n', 0, 0x1f, 0x7f] {
            for place in 0..20 {
                let mut text = *b"tab\tand \xff\x80 beyond it";
                text[place] = bad;
                assert_eq!(field_value_len(&text), place, "{bad} at {place}");
            }
        }
        assert_eq!(field_value_len(b"tab\tand \xff\x80 beyond it"), 20);
    }

    #[test]
    fn a_list_is_searched_item_by_item() {
        assert!(list_has(b"keep-alive, Close", b"close"));
        assert!(list_has(b" close\t", b"close"));
        assert!(!list_has(b"closed", b"close"));
        assert!(!list_has(b"", b"close"));
    }

    #[test]
    fn trimming_takes_both_ends_only() {
        assert_eq!(trim(b" \ta b\t "), b"a b");
        assert_eq!(trim(b" \t "), b"");
    }
}
