//! Which bytes HTTP allows where (RFC 9110, section 5.6.2 and 5.5).

/// `true` at each byte a token may hold.
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

/// Whether `bytes` may stand in a field value: no control characters but tab.
#[must_use]
pub fn is_field_value(bytes: &[u8]) -> bool {
    // Without a branch per byte, so that it becomes vector code.
    !bytes.iter().fold(false, |bad, &b| {
        bad | ((b < 0x20) & (b != b'\t')) | (b == 0x7f)
    })
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

/// Whether the comma-separated list `value` holds `token`, in any case.
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
