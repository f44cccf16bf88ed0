//! What keeps two sides of a comparison from being alike: drawn, and read again.

use loadline_analysis::compare::{
    Caveat, Comparison, ComparisonSettings, Endpoint, LoadChange, LoadChanges, SettingChange,
};
use loadline_report::comparison::{self, ComparedLimits, ComparisonFacts};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

use crate::reader::{Fact, Misreading, Reader};

/// Changes of a run's load, and settings, that are listed.
const CHANGES_LISTED: usize = 4;
const SETTINGS_LISTED: usize = 8;

/// All that is drawn of the caveats.
#[derive(Debug, Clone)]
pub(crate) struct DrawnCaveats {
    loads: (f64, f64),
    changes: Vec<(u64, usize, usize, f64)>,
    settings: Vec<(u32, u32)>,
    observed: bool,
    left: (u64, u64),
}

/// How a load is changed, by its kept name, and by whom.
const KINDS: [&str; 4] = ["paused", "resumed", "scaled", "level"];
const ACTORS: [&str; 3] = ["key", "rest-api", "search"];

pub(crate) fn drawn() -> impl Strategy<Value = DrawnCaveats> {
    let change = (0_u64..900, 0_usize..4, 0_usize..3, 0.1..3.0_f64);
    (
        (0.5..900.0_f64, 1.04..9.0_f64),
        prop::collection::vec(change, 1..7),
        prop::collection::vec((1_u32..900, 1_u32..900), 1..12),
        any::<bool>(),
        (0_u64..300, 0_u64..300),
    )
        .prop_map(|(loads, changes, settings, observed, left)| DrawnCaveats {
            loads: (loads.0, loads.0 * loads.1),
            changes,
            settings,
            observed,
            left,
        })
}

impl DrawnCaveats {
    fn caveats(&self) -> Vec<Caveat> {
        let changes = self.changes.iter().map(|(at, kind, by, to)| LoadChange {
            at_seconds: *at as f64,
            by: ACTORS[*by].to_owned(),
            change: KINDS[*kind].to_owned(),
            to: (*kind > 1).then_some(*to),
        });
        let settings = self.settings.iter().enumerate();
        let settings = settings.map(|(place, (before, after))| SettingChange {
            name: format!("s{place}"),
            before: before.to_string(),
            after: after.to_string(),
        });
        vec![
            Caveat::OtherLoad {
                before: self.loads.0,
                after: self.loads.1,
            },
            Caveat::LoadChanged {
                runs: vec![LoadChanges {
                    run: "r1".to_owned(),
                    changes: changes.collect(),
                }],
            },
            Caveat::OtherTarget {
                changes: settings.collect(),
            },
            Caveat::OneSideObserved {
                before: u64::from(self.observed),
                after: u64::from(!self.observed),
            },
            Caveat::SecondsLeft {
                before: self.left.0,
                after: self.left.1,
            },
        ]
    }

    /// The lines of a comparison that are about them.
    pub(crate) fn text(&self, lang: Lang) -> String {
        let facts = ComparisonFacts {
            before: "before".to_owned(),
            after: "after".to_owned(),
            caveats: self.caveats(),
            moved: Vec::new(),
            limits: ComparedLimits::default(),
        };
        let nothing = Comparison {
            whole: Endpoint {
                name: String::new(),
                changed: Vec::new(),
                differences: Vec::new(),
                failed_p95: [None, None],
            },
            endpoints: Vec::new(),
            only_before: Vec::new(),
            only_after: Vec::new(),
            runs: (1, 1),
            requests: (1.0, 1.0),
            seconds: (1, 1),
            intervals: 7,
            left_out: 0,
            new_shortfalls: Vec::new(),
            stages: None,
            endpoint_looks: 0,
            cold: [None, None],
        };
        let settings = ComparisonSettings::default();
        let text = comparison::text(&nothing, &facts, &settings, &Catalog::new(lang));
        let lines = text.lines().filter(|line| line.starts_with("! "));
        lines.collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn misread(&self, text: &str, lang: Lang) -> Vec<Misreading> {
        let mut reader = Reader::new(lang);
        for (name, fact) in [
            ("load_before", Fact::Number(self.loads.0)),
            ("load_after", Fact::Number(self.loads.1)),
            ("left_before", Fact::Count(self.left.0 as f64)),
            ("left_after", Fact::Count(self.left.1 as f64)),
        ] {
            reader.fact(name, fact);
        }
        reader.pattern(
            "line",
            "! different load: {load_before} against {load_after} iterations/s were planned",
            "! 부하가 다름: 계획된 반복 {load_before}/초 대 {load_after}/초",
        );
        reader.pattern(
            "line",
            "! left out as not full (start, warm-up, end): {left_before} s of before, {left_after} s of after",
            "! 온전하지 않아 제외한 시간(시작, 워밍업, 끝): before {left_before}초, after {left_after}초",
        );
        let side = if self.observed { "before" } else { "after" };
        reader.pattern(
            "line",
            &format!("! only {side} was observed: what moved at the target, and how it was set up, is told of one side alone and is no difference"),
            &format!("! 한쪽만 관측했습니다({side}). 대상 서버에서 달라진 것과 설정 차이는 알 수 없습니다"),
        );
        self.add_settings(&mut reader);
        self.add_changes(&mut reader);
        reader.read("line", text)
    }

    fn add_settings(&self, reader: &mut Reader) {
        let listed = self.settings.iter().take(SETTINGS_LISTED).enumerate();
        let mut listed: Vec<String> = listed
            .map(|(place, (before, after))| {
                reader.fact(
                    &format!("set_before_{place}"),
                    Fact::Count(f64::from(*before)),
                );
                reader.fact(
                    &format!("set_after_{place}"),
                    Fact::Count(f64::from(*after)),
                );
                format!("s{place} {{set_before_{place}}} → {{set_after_{place}}}")
            })
            .collect();
        let mut korean = listed.clone();
        let more = self.settings.len().saturating_sub(SETTINGS_LISTED);
        if more > 0 {
            reader.fact("set_more", Fact::Count(more as f64));
            listed.push("and {set_more} more".to_owned());
            korean.push("그 밖에 {set_more}개".to_owned());
        }
        reader.pattern(
            "line",
            &format!("! the target was set up differently: {}", listed.join(", ")),
            &format!("! 대상 서버의 설정이 다릅니다: {}", korean.join(", ")),
        );
    }

    fn add_changes(&self, reader: &mut Reader) {
        let (mut english, mut korean) = (Vec::new(), Vec::new());
        for (place, (at, kind, by, to)) in self.changes.iter().take(CHANGES_LISTED).enumerate() {
            reader.fact(&format!("at_{place}"), Fact::Count(*at as f64));
            let to_fact = match KINDS[*kind] {
                "scaled" => Fact::Size(*to),
                _ => Fact::Number(*to),
            };
            reader.fact(&format!("to_{place}"), to_fact);
            let (what, korean_what) = match KINDS[*kind] {
                "paused" => ("paused".to_owned(), "일시 정지".to_owned()),
                "resumed" => ("resumed".to_owned(), "재개".to_owned()),
                "scaled" => (
                    format!("set to {{to_{place}}} of the plan"),
                    format!("계획의 {{to_{place}}}로 변경"),
                ),
                _ => (
                    format!("set to {{to_{place}}}"),
                    format!("부하 변경: {{to_{place}}}"),
                ),
            };
            let (who, korean_who) = match ACTORS[*by] {
                "key" => ("a key", "키 입력으로"),
                "rest-api" => ("the REST API", "REST API로"),
                _ => ("a search", "탐색으로"),
            };
            english.push(format!("{what} by {who} at {{at_{place}}} s"));
            korean.push(format!("{{at_{place}}}초에 {korean_who} {korean_what}"));
        }
        let more = self.changes.len().saturating_sub(CHANGES_LISTED);
        if more > 0 {
            reader.fact("more", Fact::Count(more as f64));
            english.push("{more} more".to_owned());
            korean.push("외 {more}건".to_owned());
        }
        reader.pattern(
            "line",
            &format!(
                "! the load of r1 was changed while it ran: {}",
                english.join(", ")
            ),
            &format!("! r1 실행 중에 부하가 바뀜: {}", korean.join(", ")),
        );
    }
}
