use super::*;

/// The time of the lines.
const LOGGED_AT_UNIX_SECONDS: i64 = 1_792_713_600;

fn probed(tails: &[&str]) -> (TailLayout, TimeFindings) {
    let mut probe = TailProbe::default();
    for tail in tails {
        probe.add(tail.as_bytes(), LOGGED_AT_UNIX_SECONDS);
    }
    let mut findings = TimeFindings::default();
    let layout = probe.decide(&mut findings);
    (layout, findings)
}

/// The time of the first line.
fn taken(tails: &[&str]) -> Option<f64> {
    let (layout, _) = probed(tails);
    layout.read(tails[0].as_bytes()).seconds
}

fn refused(tails: &[&str]) -> Option<TimeRefusal> {
    let (layout, findings) = probed(tails);
    assert_eq!(layout.time, None, "{tails:?}");
    findings.refused.first().cloned()
}

fn close(found: Option<f64>, wanted: f64) -> bool {
    found.is_some_and(|found| (found - wanted).abs() < 1e-9)
}

#[test]
fn times_are_found_by_unit_name_or_decimals() {
    for (tail, wanted) in [
        (r#"10 "-" "curl" 0.040"#, 0.04),
        (r#"10 "-" "curl" "0.040""#, 0.04),
        (r#"10 0.040 "-" "curl""#, 0.04),
        (r#"10 "0.040""#, 0.04),
        (r#"10 "-" "curl" 0,040"#, 0.04),
        (r#"10 "-" "curl" 12ms"#, 0.012),
        (
            r#"10 "-" "-" 1 "web@docker" "http://10.0.0.2:80" 12ms"#,
            0.012,
        ),
        (r#"10 "-" "curl" duration=40ms"#, 0.04),
        (r#"10 "-" "curl" rt=0.125 uct="0.001" urt="0.120""#, 0.125),
        (r#"10 "-" "curl" latency_ms=40"#, 0.04),
        (r#"10 "-" "curl" 1792713600.000 0.040"#, 0.04),
        (r#"10 "-" "curl" 0.040 0.038"#, 0.04),
        (r#"10 "-" "curl" 0.038 0.040"#, 0.04),
        (r#"10 "-" "curl" 0.012, 0.034"#, 0.046),
        (r#"10 "-" "curl" 0.050 0.012, 0.034"#, 0.05),
        (r#"10 "-" "curl" 1.1 0.040"#, 0.04),
    ] {
        let found = taken(&[tail]);
        assert!(close(found, wanted), "{tail}: {found:?}");
    }
}

/// Seen: `$msec` was taken: p50 1,792,714,199,500 ms; a version was 1,100 ms.
#[test]
fn what_only_looks_like_a_time_is_refused_with_the_reason() {
    let clock = refused(&[r#"10 "-" "curl" 1792713600.000"#]);
    assert!(
        matches!(clock, Some(TimeRefusal::Clock { .. })),
        "{clock:?}"
    );
    let version = refused(&[r#"10 "-" "curl" 1.1"#]);
    assert!(
        matches!(version, Some(TimeRefusal::FewDecimals { .. })),
        "{version:?}"
    );
    for tail in [
        "10 40",
        r#"10 "-" "curl" 40"#,
        r#"10 "-" "curl" duration=40"#,
        r#"10 "-" "curl" rt=40"#,
    ] {
        let whole = refused(&[tail]);
        assert!(
            matches!(whole, Some(TimeRefusal::NoUnit { .. })),
            "{tail}: {whole:?}"
        );
    }
    assert_eq!(refused(&[r#"10 "-" "curl""#]), None);
    assert_eq!(refused(&["10"]), None);
}

#[test]
fn two_times_of_which_neither_holds_the_other_are_refused() {
    let lines = [
        r#"10 "-" "curl" 0.040 0.010"#,
        r#"10 "-" "curl" 0.010 0.040"#,
    ];
    let found = refused(&lines);
    assert!(
        matches!(found, Some(TimeRefusal::Disagree { .. })),
        "{found:?}"
    );
    let named = [r#"10 "-" "curl" rt=0.010 urt=0.040"#];
    let found = refused(&named);
    assert!(
        matches!(found, Some(TimeRefusal::Disagree { .. })),
        "{found:?}"
    );
}

#[test]
fn the_addresses_that_a_proxy_adds_are_the_clients() {
    let lines = [
        r#"10 "-" "curl" "203.0.113.5, 10.0.0.1""#,
        r#"10 "-" "curl" "-""#,
    ];
    let (layout, _) = probed(&lines);
    assert_eq!(
        layout.read(lines[0].as_bytes()).forwarded,
        Some(&b"203.0.113.5"[..])
    );
    assert_eq!(layout.read(lines[1].as_bytes()).forwarded, None);
    assert_eq!(layout.read(lines[0].as_bytes()).agent, b"curl");
    let upstream = [r#"10 "-" "curl" 10.0.0.1:80"#];
    assert_eq!(probed(&upstream).0.forwarded, None);
}
