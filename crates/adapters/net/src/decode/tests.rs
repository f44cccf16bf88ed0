use super::*;
use crate::compress::compress;
use proptest::prelude::*;

const TEXT: &[u8] = b"hello world hello world hello world hello world ";

fn coded(coding: Coding) -> Vec<u8> {
    compress(&[coding], TEXT).unwrap()
}

fn run(encoding: &str, body: &[u8], limit: u64) -> (Vec<u8>, Result<(), Failure>) {
    let mut body = body.to_vec();
    let mut scratch = Vec::new();
    let decoding = decode(encoding.as_bytes(), &mut body, &mut scratch, limit);
    let (outcome, _) = in_turns(decoding);
    (body, outcome)
}

fn decoded(encoding: &str, body: &[u8]) -> Vec<u8> {
    let (body, outcome) = run(encoding, body, u64::MAX);
    outcome.unwrap();
    body
}

#[test]
fn names_that_are_not_known_are_passed_over() {
    let gzip = coded(Coding::Gzip);
    for encoding in ["identity, gzip", "gzip, foo", " gzip "] {
        assert_eq!(decoded(encoding, &gzip), TEXT, "{encoding}");
    }
    for encoding in ["GZIP", "foo", "gzip;q=1", "", "identity"] {
        assert_eq!(decoded(encoding, &gzip), gzip, "{encoding}");
    }
}

#[test]
fn codings_are_undone_from_the_last_to_the_first() {
    let body = compress(&[Coding::Deflate, Coding::Zstd, Coding::Brotli], TEXT).unwrap();
    assert_eq!(decoded("deflate,zstd, br", &body), TEXT);
}

#[test]
fn several_gzip_members_and_zstd_frames_are_one_body() {
    for (coding, name) in [(Coding::Gzip, "gzip"), (Coding::Zstd, "zstd")] {
        let one = coded(coding);
        let body = decoded(name, &[&one[..], &one].concat());
        assert_eq!(body, [TEXT, TEXT].concat());
    }
    assert_eq!(decoded("zstd", b""), b"");
    let zlib = [&coded(Coding::Deflate)[..], b"junk"].concat();
    assert_eq!(decoded("deflate", &zlib), TEXT);
}

/// RFC 1952's optional fields: extra data, name, comment, checksum of the head.
#[test]
fn a_gzip_head_with_everything_is_read() {
    let plain = coded(Coding::Gzip);
    let mut head = vec![0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 255];
    head.extend_from_slice(b"\x03\x00abcname\0comment\0");
    let mut crc = flate2::Crc::new();
    crc.update(&head);
    let sum = crc.sum().to_le_bytes();
    let body = [&head, &sum[..2], &plain[10..]].concat();
    assert_eq!(decoded("gzip", &body), TEXT);

    let wrong = [&head, &[!sum[0], sum[1]][..], &plain[10..]].concat();
    let (_, outcome) = run("gzip", &wrong, u64::MAX);
    assert!(outcome.unwrap_err().text().contains("gzip: invalid header"));
}

/// Coding, body, k6's code and text, what it shows of the body.
type Row<'p> = (&'static str, Vec<u8>, (u16, String), &'p [u8]);

#[expect(clippy::too_many_lines, reason = "one table")]
/// What k6 says to the same bodies.
#[test]
fn broken_bodies_fail_as_in_k6() {
    let gzip = coded(Coding::Gzip);
    let zlib = coded(Coding::Deflate);
    let brotli: &[u8] = b"\x0b\x02\x80hello\x03";
    let zstd: &[u8] = b"\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello";
    let cut = |bytes: &[u8], by: usize| bytes[..bytes.len() - by].to_vec();
    let with = |bytes: &[u8], at: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = byte;
        bytes
    };
    let join = |a: &[u8], b: &[u8]| [a, b].concat();
    let once = |reason: &str| {
        (
            1701,
            format!("error decompressing response body ({reason})"),
        )
    };
    let twice = |reason: &str| (1701, once(&once(reason).1).1);
    let plain = |text: &str| (1000, text.to_owned());
    let table: Vec<Row<'_>> = vec![
        ("gzip", vec![], once("EOF"), b""),
        (
            "gzip",
            cut(&gzip, gzip.len() - 5),
            once("unexpected EOF"),
            b"",
        ),
        (
            "gzip",
            b"not gzip at all".to_vec(),
            twice("gzip: invalid header"),
            b"",
        ),
        (
            "gzip",
            with(&gzip, 2, 7),
            twice("gzip: invalid header"),
            b"",
        ),
        ("gzip", cut(&gzip, 3), plain("unexpected EOF"), TEXT),
        (
            "gzip",
            with(&gzip, gzip.len() - 8, !gzip[gzip.len() - 8]),
            twice("gzip: invalid checksum"),
            TEXT,
        ),
        ("gzip", join(&gzip, b"junk"), plain("unexpected EOF"), TEXT),
        (
            "gzip",
            join(&gzip, b"junkjunkjunk"),
            twice("gzip: invalid header"),
            TEXT,
        ),
        (
            "gzip",
            with(&gzip, 10, 7),
            plain("flate: corrupt input before offset 1"),
            b"",
        ),
        ("deflate", vec![], once("unexpected EOF"), b""),
        ("deflate", vec![0x78], once("unexpected EOF"), b""),
        (
            "deflate",
            zlib[2..].to_vec(),
            twice("zlib: invalid header"),
            b"",
        ),
        ("deflate", cut(&zlib, 2), plain("unexpected EOF"), TEXT),
        (
            "deflate",
            with(&zlib, zlib.len() - 1, !zlib[zlib.len() - 1]),
            twice("zlib: invalid checksum"),
            TEXT,
        ),
        (
            "deflate",
            join(b"\x78\xbb\0\0\0\x02", &zlib[2..]),
            twice("zlib: invalid dictionary"),
            b"",
        ),
        ("br", vec![], plain("unexpected EOF"), b""),
        ("br", cut(brotli, 3), plain("unexpected EOF"), b"hel"),
        (
            "br",
            b"not brotli at all, really not".to_vec(),
            once("brotli: PADDING_2"),
            b"",
        ),
        ("br", vec![0xff; 6], once("brotli: PADDING_2"), b""),
        (
            "br",
            join(brotli, b"junk"),
            once("brotli: excessive input"),
            b"hello",
        ),
        ("zstd", zstd[..1].to_vec(), plain("unexpected EOF"), b""),
        ("zstd", zstd[..5].to_vec(), plain("unexpected EOF"), b""),
        (
            "zstd",
            b"not zstd at all".to_vec(),
            twice("invalid input: magic number mismatch"),
            b"",
        ),
        (
            "zstd",
            join(zstd, b"junkjunk"),
            twice("invalid input: magic number mismatch"),
            b"hello",
        ),
        (
            "zstd",
            join(&with(zstd, 4, 0x24), b"\0\0\0\0"),
            twice("CRC check failed"),
            b"hello",
        ),
    ];
    for (encoding, body, (code, text), partial) in table {
        let (left, outcome) = run(encoding, &body, u64::MAX);
        let failure = outcome.expect_err(&text);
        assert!(failure.is_in_body());
        assert_eq!((failure.code(), failure.text()), (code, text), "{body:x?}");
        // libzstd holds a frame's last block back until its checksum is seen.
        if encoding != "zstd" {
            assert_eq!(left, partial, "{body:x?}");
        }
    }
}

#[test]
fn a_dictionary_that_is_empty_is_known() {
    let zlib = coded(Coding::Deflate);
    let body = [b"\x78\xbb\0\0\0\x01", &zlib[2..]].concat();
    assert_eq!(decoded("deflate", &body), TEXT);
}

#[test]
fn a_small_body_that_grows_without_end_is_cut_off() {
    let bomb = vec![0; 2 * 1024 * 1024];
    for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
        let body = compress(&[coding], &bomb).unwrap();
        let (left, outcome) = run(coding.name(), &body, 100_000);
        let failure = outcome.unwrap_err();
        assert_eq!(failure.code(), 1702);
        assert_eq!(
            failure.text(),
            "response body exceeds the limit of 100000 bytes"
        );
        assert_eq!(left.len(), 100_000, "{coding}");
        assert!(left.capacity() < 1_000_000, "{coding}");

        assert_eq!(run(coding.name(), &body, 2 * 1024 * 1024).1, Ok(()));
    }
}

proptest! {
    // Compressing is slow without optimisation.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_coded_decodes_to_itself(bytes: Vec<u8>, times in 1..300_usize) {
        let bytes = bytes.repeat(times);
        for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
            let body = compress(&[coding], &bytes).unwrap();
            prop_assert_eq!(&decoded(coding.name(), &body), &bytes);
        }
    }

    #[test]
    fn whatever_comes_is_decoded_or_refused(bytes: Vec<u8>) {
        for name in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
            let _ = run(name, &bytes, 10_000);
            let gzip = [b"\x1f\x8b\x08\x00\0\0\0\0\0\0", &bytes[..]].concat();
            let _ = run(name, &gzip, 10_000);
        }
    }
}

#[test]
fn a_small_body_that_becomes_a_large_one_lets_others_have_their_turn() {
    for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
        let mut body = compress(&[coding], &vec![b'a'; 8 * 1024 * 1024]).unwrap();
        let small = compress(&[coding], TEXT).unwrap();
        assert!(body.len() < 64 * 1024, "{coding:?}");
        let mut scratch = Vec::new();
        let decoding = decode(coding.name().as_bytes(), &mut body, &mut scratch, u64::MAX);
        let (outcome, turns) = in_turns(decoding);
        outcome.unwrap();
        assert!(turns >= 30, "{coding:?}: {turns} turns");
        let mut body = small;
        let decoding = decode(coding.name().as_bytes(), &mut body, &mut scratch, u64::MAX);
        assert_eq!(in_turns(decoding).1, 1, "{coding:?}");
    }
}
