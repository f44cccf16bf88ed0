//! Bodies that change their content and keep their status and size, and healthy ones that vary.

use loadline_record::bodies::{BodySample, BodyShape};

use super::*;

/// The share of equal sides that may be called changed.
const FALSE_MAX: f64 = 0.01;
/// The share of broken ones that must be.
const FOUND_MIN: f64 = 0.98;
/// Comparisons of equal sides, and of each way to break one, in an ordinary run of the tests.
const HEALTHY_COMPARISONS: u64 = 60;
const BROKEN_COMPARISONS: u64 = 15;
const COMPARISONS_OF_TABLE: u64 = 1000;

/// A service that answers well: how its answers vary is drawn, and from run to run its shares wander.
#[derive(Debug, Clone)]
struct Service {
    kind: Kind,
    /// Elements of a list, on average.
    elements: f64,
    /// How often an optional field is there, a flag is set, a value is null, a number is zero.
    shares: [f64; 4],
    wanders: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    List,
    Object,
    Table,
    Page,
    Text,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::List,
        Self::Object,
        Self::Table,
        Self::Page,
        Self::Text,
    ];
}

/// What breaks the answers of the second side.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Break {
    Nothing,
    /// The list, the object or the page has nothing in it.
    Emptied,
    /// All numbers are zero.
    Zeros,
    /// A field is gone, one of a page its text.
    Missing,
    /// `stale` is set, which no answer had.
    Stale,
    /// A member is added.
    Added(&'static str),
    /// Another text, as long as the one before.
    OtherText,
    /// A page of an error in place of the answer.
    ErrorPage,
    /// A value is null.
    Null,
    /// A number is a text.
    OtherType,
    /// Half of the answers are emptied.
    HalfEmptied,
}

impl Break {
    const ALL: [Self; 9] = [
        Self::Emptied,
        Self::Zeros,
        Self::Missing,
        Self::Stale,
        Self::OtherText,
        Self::ErrorPage,
        Self::Null,
        Self::OtherType,
        Self::HalfEmptied,
    ];

    /// Pages and texts have no fields.
    const fn applies(self, kind: Kind) -> bool {
        match kind {
            Kind::List | Kind::Object => true,
            Kind::Table => !matches!(self, Self::OtherText),
            Kind::Page => matches!(self, Self::ErrorPage | Self::OtherText),
            Kind::Text => matches!(self, Self::ErrorPage | Self::OtherText),
        }
    }
}

const NAMES: [&str; 12] = [
    "kim", "lee", "park", "choi", "jung", "kang", "cho", "yoon", "jang", "lim", "han", "oh",
];
const STATES: [&str; 3] = ["PAID", "SHIPPED", "DELIVERED"];

fn pick<'a>(noise: &mut Noise, of: &[&'a str]) -> &'a str {
    of[(noise.next() * of.len() as f64) as usize]
}

impl Service {
    fn drawn(noise: &mut Noise) -> Self {
        Self {
            kind: Kind::ALL[(noise.next() * 5.0) as usize],
            elements: 1.0 + 20.0 * noise.next().powi(2),
            shares: std::array::from_fn(|_| noise.next()),
            wanders: 0.5 * noise.next(),
        }
    }

    /// Its answers in one run.
    fn run(&self, noise: &mut Noise, bodies: usize, broken: Break) -> ComparedRun {
        let shares = self.shares.map(|share| {
            let odds = (share.clamp(1e-3, 1.0 - 1e-3) / (1.0 - share.clamp(1e-3, 1.0 - 1e-3))).ln();
            1.0 / (1.0 + (-odds - self.wanders * noise.normal()).exp())
        });
        let at = 1_795_000_000.0 + 1e6 * noise.next();
        let mut sample = BodySample::default();
        for number in 0..bodies {
            let is_broken = broken != Break::HalfEmptied || number % 2 == 0;
            let breaks = if is_broken { broken } else { Break::Nothing };
            let body = self.body(noise, &shares, at + number as f64, breaks);
            sample.add(&BodyShape::new(body.as_bytes(), false));
        }
        ComparedRun {
            bodies: sample.common(),
            ..ComparedRun::default()
        }
    }

    fn body(&self, noise: &mut Noise, shares: &[f64; 4], at: f64, broken: Break) -> String {
        let is_emptied = matches!(broken, Break::Emptied | Break::HalfEmptied);
        if broken == Break::ErrorPage {
            return format!(
                "<html><body><h1>Whitelabel Error Page</h1><p>unexpected failure at {at:.0}</p></body></html>"
            );
        }
        match self.kind {
            Kind::List => {
                let count = (self.elements * (0.5 + noise.next())).round().max(1.0) as usize;
                let count = if is_emptied { 0 } else { count };
                let items: Vec<String> = (0..count)
                    .map(|_| self.item(noise, shares, at, broken))
                    .collect();
                let total = if broken == Break::Zeros { 0 } else { 1 + count };
                format!(
                    r#"{{"items":[{}],"total":{total},"at":"{at:.0}"}}"#,
                    items.join(",")
                )
            }
            Kind::Object if is_emptied => "{}".to_owned(),
            Kind::Object => self.item(noise, shares, at, broken),
            Kind::Table if is_emptied => r#"{"by_user":{},"count":3}"#.to_owned(),
            Kind::Table => {
                let rows: Vec<String> = (0..5)
                    .map(|_| {
                        let user = pick(noise, &NAMES);
                        let item = self.item(noise, shares, at, broken);
                        format!(r#""{user}-{:.0}":{item}"#, noise.next() * 1e6)
                    })
                    .collect();
                format!(r#"{{"by_user":{{{}}},"count":3}}"#, rows.join(","))
            }
            Kind::Page => {
                let greeting = if broken == Break::OtherText {
                    "Nothing found, sorry about that"
                } else {
                    "Welcome back to your own shop"
                };
                let name = pick(noise, &NAMES);
                format!(
                    "<html><title>{greeting}</title><body><p>Mon, 30 Nov {at:.0}</p><p>{name}</p></body></html>"
                )
            }
            Kind::Text if broken == Break::OtherText => {
                format!("failure {:.0}", noise.next() * 1e6)
            }
            Kind::Text => format!("pong {:.0} {}", noise.next() * 1e6, pick(noise, &NAMES)),
        }
    }

    /// An object, of a list or alone.
    fn item(&self, noise: &mut Noise, shares: &[f64; 4], at: f64, broken: Break) -> String {
        let number = |value: f64| match broken {
            Break::Zeros => "0".to_owned(),
            Break::OtherType => format!("\"{value:.0}\""),
            _ => format!("{value:.2}"),
        };
        let mut fields = vec![
            format!(r#""id":{}"#, number(1.0 + 1e6 * noise.next())),
            format!(r#""price":{}"#, number(0.5 + 100.0 * noise.next())),
            format!(r#""at":"2026-11-30T{at:.0}""#),
            format!(r#""token":"{:x}""#, (noise.next() * 1e15) as u64),
            format!(r#""state":"{}""#, pick(noise, &STATES)),
            format!(r#""flag":{}"#, noise.next() < shares[1]),
        ];
        if broken != Break::Missing {
            let name = match broken {
                Break::Null => "null".to_owned(),
                _ => format!(r#""{} {}""#, pick(noise, &NAMES), pick(noise, &NAMES)),
            };
            fields.push(format!(r#""name":{name}"#));
        }
        if noise.next() < shares[0] {
            fields.push(r#""note":"as wished""#.to_owned());
        }
        let last = if noise.next() < shares[2] {
            "null".to_owned()
        } else {
            format!("\"{:.0}\"", 1e6 * noise.next())
        };
        fields.push(format!(r#""last":{last}"#));
        let stock = if noise.next() < shares[3] {
            0.0
        } else {
            1.0 + 9.0 * noise.next()
        };
        fields.push(format!(r#""stock":{stock:.0}"#));
        let text = if broken == Break::OtherText {
            "FAIL"
        } else {
            "DONE"
        };
        fields.push(format!(r#""result":"{text}""#));
        match broken {
            Break::Stale => fields.push(r#""stale":true"#.to_owned()),
            Break::Added(member) => fields.push(member.to_owned()),
            _ => {}
        }
        format!("{{{}}}", fields.join(","))
    }

    fn side(&self, noise: &mut Noise, runs: usize, bodies: usize, broken: Break) -> Side {
        let runs = (0..runs).map(|_| self.run(noise, bodies, broken)).collect();
        Side {
            whole: Vec::new(),
            endpoints: vec![("/a".to_owned(), runs)],
        }
    }
}

/// What is called changed of a service that is broken so, or of a healthy one, in a comparison by this seed.
fn compared(seed: u64, broken: Break) -> Option<Vec<OtherAnswers>> {
    let mut noise = Noise(seed);
    let service = Service::drawn(&mut noise);
    let runs = [
        1 + (4.0 * noise.next()) as usize,
        1 + (2.0 * noise.next()) as usize,
    ];
    let bodies = 20 + (60.0 * noise.next()) as usize;
    if broken != Break::Nothing && !broken.applies(service.kind) {
        return None;
    }
    let before = service.side(&mut noise, runs[0], bodies, Break::Nothing);
    let after = service.side(&mut noise, runs[1], bodies, broken);
    Some(other_answers(&before, &after, false))
}

fn share_called(seeds: std::ops::Range<u64>, broken: Break) -> (usize, usize) {
    let found: Vec<Vec<OtherAnswers>> = seeds.filter_map(|seed| compared(seed, broken)).collect();
    let called = found.iter().filter(|changed| !changed.is_empty());
    (called.count(), found.len())
}

#[test]
fn healthy_answers_that_vary_are_not_called_changed_and_broken_ones_are() {
    let (called, of) = share_called(1..1 + HEALTHY_COMPARISONS, Break::Nothing);
    assert!(called as f64 <= FALSE_MAX * of as f64, "{called} of {of}");
    for broken in Break::ALL {
        let (called, of) = share_called(5000..5000 + BROKEN_COMPARISONS, broken);
        assert!(
            called as f64 >= FOUND_MIN * of as f64,
            "{broken:?} {called} of {of}"
        );
    }
}

/// Members that a new version of a service may have, which clients leave unread.
const HARMLESS_MEMBERS: [&str; 16] = [
    r#""extra":2"#,
    r#""nickname":"Kim""#,
    r#""tags":["a","b"]"#,
    r#""links":{"self":"/a","next":null}"#,
    r#""createdAt":"2026-11-30T00:00:00Z""#,
    r#""status":"PAID""#,
    r#""error":null"#,
    r#""errors":[]"#,
    r#""errorCount":0"#,
    r#""warnings":[]"#,
    r#""message":"""#,
    r#""stale":false"#,
    r#""is_partial":false"#,
    r#""success":true"#,
    r#""ok":true"#,
    r#""details":{"color":"red"}"#,
];
/// Members that tell that the answer is none, or not a whole one.
const FAILING_MEMBERS: [&str; 19] = [
    r#""error":"no upstream""#,
    r#""errors":[{"code":7}]"#,
    r#""last_error":"timed out""#,
    r#""errorCode":503"#,
    r#""exception":{"class":"IOException"}"#,
    r#""message":"try again later""#,
    r#""warning":"from the cache""#,
    r#""isStale":true"#,
    r#""stale":true"#,
    r#""fallback":true"#,
    r#""degraded":true"#,
    r#""partial":true"#,
    r#""retryAfter":5"#,
    r#""success":false"#,
    r#""ok":false"#,
    r#""available":false"#,
    r#""status":"DEGRADED""#,
    r#""health":"down""#,
    r#""meta":{"source":"cache","error":"no upstream"}"#,
];

fn of_added(member: &'static str, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (called, of) = share_called(seeds, Break::Added(member));
    assert!(of > 0, "{member}");
    (called, of)
}

/// Seen: `{"id":1}` and then `{"id":1,"extra":2}` were ANSWERS CHANGED, and a study refused the setting.
#[test]
fn a_field_that_was_added_is_a_change_where_it_tells_of_a_failure() {
    const SEEDS: std::ops::Range<u64> = 7000..7012;
    for member in HARMLESS_MEMBERS {
        let (called, of) = of_added(member, SEEDS);
        assert_eq!(called, 0, "{member}: {called} of {of}");
    }
    for member in FAILING_MEMBERS {
        let (called, of) = of_added(member, SEEDS);
        assert_eq!(called, of, "{member}: {called} of {of}");
    }
}

#[test]
fn a_field_that_was_added_hides_nothing_else() {
    let good = r#"{"b":1,"items":[7]}"#;
    let added = |name: &str| (name.to_owned(), BodyState::Added);
    let many: Vec<String> = (0..9).map(|n| format!(r#""a{n}":1"#)).collect();
    let with_many = |rest: &str| format!("{{{},{rest}}}", many.join(","));
    // Told alone it is no other answer.
    assert_eq!(body_changes(good, r#"{"b":1,"items":[7],"a":2}"#), []);
    assert_eq!(
        body_changes(good, r#"{"a":2,"items":[7]}"#),
        [("b".to_owned(), BodyState::Missing), added("a")]
    );
    let lost = body_changes(good, &with_many(r#""b":1,"items":[]"#));
    assert_eq!(lost[0], ("items".to_owned(), BodyState::Empty), "{lost:?}");
    // A size that grows by it is accounted for; one that shrinks is not.
    let sized = |body: &str, bytes: f64| {
        let mut side = json_side(body, 20);
        for run in &mut side.endpoints[0].1 {
            let window = |_| ComparedWindow {
                sized: 50.0,
                bytes: 50.0 * bytes,
                ..ComparedWindow::default()
            };
            run.windows = (0..10).map(window).collect();
        }
        side
    };
    let with = r#"{"b":1,"items":[7],"a":2}"#;
    let called = |after: &str, bytes: f64| {
        let found = other_answers(&sized(good, 20.0), &sized(after, bytes), false);
        !found.is_empty()
    };
    assert!(!called(with, 26.0));
    assert!(called(with, 12.0));
    assert!(called(good, 26.0));
}

/// Makes the table of `docs/decisions/comparison.md`.
#[test]
#[ignore = "makes the table of docs/decisions/comparison.md, in minutes"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn table_of_changed_bodies() {
    for broken in std::iter::once(Break::Nothing).chain(Break::ALL) {
        let (called, of) = share_called(20_261_130..20_261_130 + COMPARISONS_OF_TABLE, broken);
        println!(
            "| {broken:?} | {of} | {} |",
            super::rates::written(called, of)
        );
    }
}

fn json_side(body: &str, bodies: usize) -> Side {
    let mut sample = BodySample::default();
    for _ in 0..bodies {
        sample.add(&BodyShape::new(body.as_bytes(), false));
    }
    let run = ComparedRun {
        bodies: sample.common(),
        ..ComparedRun::default()
    };
    Side {
        whole: Vec::new(),
        endpoints: vec![("/a".to_owned(), vec![run])],
    }
}

fn body_changes(before: &str, after: &str) -> Vec<(String, BodyState)> {
    let found = other_answers(&json_side(before, 20), &json_side(after, 20), true);
    let changes = found.into_iter().flat_map(|one| one.changes);
    let bodies = changes.filter_map(|change| match change {
        AnswerChange::Body(body) => {
            assert_eq!(
                (body.before.count, body.after.count),
                (0.0, 20.0),
                "{body:?}"
            );
            Some((body.field, body.state))
        }
        _ => None,
    });
    bodies.collect()
}

#[test]
fn what_changed_is_told_once_at_the_place_where_it_did() {
    let good = r#"{"items":[{"id":7,"tags":["a"]}],"n":3,"ok":true,"who":{"name":"Kim"}}"#;
    let field = |name: &str, state| vec![(name.to_owned(), state)];
    for (after, expected) in [
        (good, vec![]),
        (
            r#"{"items":[],"n":3,"ok":true,"who":{"name":"Kim"}}"#,
            field("items", BodyState::Empty),
        ),
        (
            r#"{"items":[0,0,0],"n":3,"ok":true,"who":{"name":"Kim"}}"#,
            field("items[]", BodyState::Zero),
        ),
        (
            r#"{"items":[{"id":7,"tags":["a"]}],"n":0,"ok":false,"who":null}"#,
            vec![
                ("n".to_owned(), BodyState::Zero),
                ("ok".to_owned(), BodyState::False),
                ("who".to_owned(), BodyState::Null),
            ],
        ),
        (
            r#"{"items":[{"id":7,"tags":["a"]}],"n":3,"ok":true,"who":{"name":"Lee"}}"#,
            field("who.name", BodyState::OtherText),
        ),
        ("{}", field("$", BodyState::Empty)),
        ("<p>no</p>", field("", BodyState::TextBody)),
        ("", field("", BodyState::EmptyBody)),
        (
            r#"{"items":[{"id":7,"tags":["a"]}],"n":3,"ok":true,"who":{"name":"Kim"},"stale":true}"#,
            field("stale", BodyState::New),
        ),
    ] {
        assert_eq!(body_changes(good, after), expected, "{after}");
    }
}

#[test]
fn a_few_bodies_show_nothing_and_runs_that_differ_anyway_are_no_change() {
    let (full, empty) = (r#"{"a":[1]}"#, r#"{"a":[]}"#);
    let few = other_answers(&json_side(full, 5), &json_side(empty, 5), true);
    assert_eq!(few, []);
    // One of the first side's runs had it, too.
    let mut before = json_side(full, 40);
    before.endpoints[0]
        .1
        .extend(json_side(empty, 4).endpoints[0].1.clone());
    assert_eq!(other_answers(&before, &json_side(empty, 40), true), []);
}
