//! A plan: drawn inputs, and each figure worked out again from the formula beside it.

use loadline_report::plan;
use loadline_sizing::{Deviation, LoadPlan, PlanInputs};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

use crate::reader::{Fact, Misreading, Reader};

/// Rates in formulas are shown with three digits: two of them are off by so much together, beside `=`.
const OFF_MAX: f64 = 0.011;
/// Beside `≈` the result was rounded, too.
const ROUNDED_OFF_MAX: f64 = 0.021;
/// What is counted is whole, rounded to the side that is safe.
const ROUNDED_UP_BY_MAX: f64 = 1.0;

/// What a plan is made of.
#[derive(Debug, Clone)]
pub(crate) struct DrawnPlan {
    people: u64,
    requests: u64,
    factor: u64,
    response_ms: u64,
    think_s: u64,
    cores: u64,
    memory_gib: u64,
    service_ms: u64,
    wait_ms: u64,
    most: u64,
    instances: u64,
}

pub(crate) fn drawn() -> impl Strategy<Value = DrawnPlan> {
    let load = (
        100_u64..9_000_000,
        1_u64..60,
        1_u64..20,
        20_u64..3000,
        0_u64..30,
    );
    let machine = (1_u64..33, 1_u64..17, 1_u64..300, 1_u64..900);
    (load, machine, 20_u64..900, 1_u64..9).prop_map(|(load, machine, most, instances)| DrawnPlan {
        people: load.0,
        requests: load.1,
        factor: load.2,
        response_ms: load.3,
        think_s: load.4,
        cores: machine.0,
        memory_gib: machine.1,
        service_ms: machine.2,
        wait_ms: machine.3,
        most,
        instances,
    })
}

impl DrawnPlan {
    fn plan(&self) -> LoadPlan {
        let mut inputs = PlanInputs::default();
        let written = [
            ("dau", self.people.to_string()),
            ("requests-per-user", self.requests.to_string()),
            ("peak-factor", self.factor.to_string()),
            ("response-time", format!("{}ms", self.response_ms)),
            ("think-time", format!("{}s", self.think_s)),
            ("cores", self.cores.to_string()),
            ("memory", format!("{}GiB", self.memory_gib)),
            ("service-time", format!("{}ms", self.service_ms)),
            (
                "measured-response",
                format!("{}ms", self.service_ms + self.wait_ms),
            ),
            ("db-max-connections", self.most.to_string()),
            ("instances", self.instances.to_string()),
        ];
        inputs
            .read(written.iter().map(|(name, text)| (*name, text.as_str())))
            .unwrap();
        LoadPlan::from_inputs(&inputs).unwrap()
    }

    pub(crate) fn text(&self, lang: Lang) -> String {
        plan::text(&self.plan(), &Catalog::new(lang))
    }

    /// Lines whose result is not that of their formula, and sentences with other numbers than the
    /// plan was given.
    pub(crate) fn misread(&self, text: &str, lang: Lang) -> Vec<Misreading> {
        let figures = text
            .lines()
            .filter(|line| line.starts_with("  ") && RELATIONS.iter().any(|is| line.contains(is)));
        let settings = |line: &&str| line.contains('#') || line.starts_with("      ");
        let wrong = figures.filter(|line| !settings(line)).filter_map(|line| {
            let equation = parts(line)?;
            let is_right = match (evaluated(&equation.formula), evaluated(&equation.shown)) {
                (Some(found), Some(shown)) if equation.is_rounded => is_near(found, shown),
                (Some(found), Some(shown)) => (found - shown).abs() <= OFF_MAX * shown.abs(),
                _ => false,
            };
            (!is_right).then(|| Misreading::Wrong(line.to_owned()))
        });
        wrong.chain(self.misread_notes(text, lang)).collect()
    }

    /// Notes with numbers.
    fn misread_notes(&self, text: &str, lang: Lang) -> Vec<Misreading> {
        let mut reader = Reader::new(lang);
        let millis = |ms: u64| Fact::Millis(Some(ms as f64));
        for (name, fact) in [
            ("cores", Fact::Count(self.cores as f64)),
            ("response", millis(self.service_ms + self.wait_ms)),
            ("wait", millis(self.wait_ms)),
            ("pool", Fact::Count(2.0 * self.cores as f64)),
        ] {
            reader.fact(name, fact);
        }
        for (english, korean) in [
            (
                "assumes: the database has as many cores as the application ({cores})",
                "가정: 데이터베이스 코어 수가 애플리케이션과 같다고 봅니다({cores})",
            ),
            (
                "doubts: {response} is the whole response time; waiting is what is left of it without service: {wait}",
                "주의: {response} 값은 응답 시간 전체입니다. 대기 시간은 서비스 시간을 뺀 {wait}입니다",
            ),
            (
                "doubts: an SSD has no spindle: {pool} without it",
                "주의: SSD에는 스핀들이 없습니다. 빼면 {pool}입니다",
            ),
        ] {
            reader.pattern("line", english, korean);
        }
        let known = [
            "as many cores",
            "코어 수가 애플",
            "whole response",
            "응답 시간 전체입니다",
            "spindle:",
            "스핀들이 없",
        ];
        let lines = text.lines().filter(|line| {
            line.starts_with("      ") && known.iter().any(|words| line.contains(words))
        });
        let lines: Vec<&str> = lines.collect();
        reader.read("line", &lines.join("\n"))
    }
}

/// What stands between a formula and what it comes to.
const RELATIONS: [&str; 2] = [" = ", " ≈ "];

/// A line of a plan.
struct Equation {
    formula: String,
    shown: String,
    is_rounded: bool,
}

/// The formula of a figure and what it comes to. Labels may hold numbers; columns are two blanks
/// apart.
fn parts(line: &str) -> Option<Equation> {
    let line = line.split("   [").next()?.trim();
    let (_, figure) = line.split_once("  ")?;
    let relation = RELATIONS.iter().find(|is| figure.contains(**is))?;
    let (formula, shown) = figure.trim().rsplit_once(*relation)?;
    Some(Equation {
        formula: formula.to_owned(),
        shown: shown.to_owned(),
        is_rounded: *relation == RELATIONS[1],
    })
}

fn is_near(found: f64, shown: f64) -> bool {
    let off = (found - shown).abs();
    let is_whole = shown == shown.round() && shown >= 1.0;
    off <= ROUNDED_OFF_MAX * found.abs().max(shown.abs())
        || (is_whole && off < ROUNDED_UP_BY_MAX)
        || off < 0.006
}

/// The value of a sum or product with brackets, `max(a, b)`, `floor(a)` and units of time, in
/// seconds.
fn evaluated(text: &str) -> Option<f64> {
    let text = text.replace("max(", "M(").replace("floor(", "F(");
    let mut formula = Formula { rest: &text };
    let value = formula.sum()?;
    formula.rest.trim().is_empty().then_some(value)
}

struct Formula<'t> {
    rest: &'t str,
}

impl Formula<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.take("+ ") {
                value += self.product()?;
            } else if self.take("- ") {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.take("× ") {
                value *= self.factor()?;
            } else if self.take("/ ") {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        if self.take("M(") {
            let one = self.sum()?;
            let both = self.take(", ").then(|| self.sum())??;
            return self.take(")").then_some(one.max(both));
        }
        if self.take("F(") {
            let value = self.sum()?;
            return self.take(")").then_some(value.floor());
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        let rest = self.rest.trim_start();
        let is_part = |at: usize| {
            let bytes = rest.as_bytes();
            let is_group = bytes[at] == b',' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
            bytes[at].is_ascii_digit() || bytes[at] == b'.' || is_group
        };
        let end = (0..rest.len())
            .find(|at| !is_part(*at))
            .unwrap_or(rest.len());
        let number: f64 = rest[..end].replace(',', "").parse().ok()?;
        self.rest = &rest[end..];
        let units = [
            (" ms", 0.001),
            (" min", 60.0),
            (" s", 1.0),
            ("/s", 1.0),
            (" MiB", 1.0),
        ];
        let unit = units.iter().find(|(unit, _)| self.rest.starts_with(unit));
        if let Some((unit, scale)) = unit {
            self.rest = &self.rest[unit.len()..];
            return Some(number * scale);
        }
        Some(number)
    }
}

/// What a run is compared with its plan by.
pub(crate) fn deviation() -> impl Strategy<Value = Deviation> {
    let ceiling = prop::option::of((0.1..900.0_f64, 1.01..9.0_f64));
    let ratio = prop_oneof![1.0..1.0001_f64, 0.05..0.8, 1.2..30.0];
    (0.1..900.0_f64, ratio, ceiling).prop_map(|(planned, ratio, ceiling)| Deviation {
        planned,
        offered: planned * ratio,
        ceiling: ceiling.map(|(at_goal, more)| (at_goal, at_goal * more)),
    })
}

/// The lines before and after a run.
pub(crate) fn deviation_text(of: &Deviation, lang: Lang) -> String {
    let catalog = Catalog::new(lang);
    let mut lines = plan::before(of, &catalog);
    lines.push(plan::after(of, 10, &catalog));
    lines.join("\n")
}

pub(crate) fn misread_deviation(of: &Deviation, text: &str, lang: Lang) -> Vec<Misreading> {
    let mut reader = Reader::new(lang);
    let (goal, best) = of.ceiling.unwrap_or_default();
    for (name, fact) in [
        ("planned", Fact::Number(of.planned)),
        ("offered", Fact::Number(of.offered)),
        ("times", Fact::Number(of.offered / of.planned)),
        ("goal", Fact::Number(goal)),
        ("best", Fact::Number(best)),
    ] {
        reader.fact(name, fact);
    }
    let is_short = of.ceiling.is_some() && best < of.planned;
    if of.ceiling.is_some() && is_short {
        reader.pattern(
            "line",
            "plan: the script cannot exceed {best}/s whatever the target does; the goal is {planned}/s. Add users or take an arrival rate",
            "계획 불가: 대상과 상관없이 스크립트가 {best}/s 이상 보낼 수 없는데 목표는 {planned}/s입니다. 사용자를 늘리거나 도착률 방식을 쓰세요",
        );
    } else if of.ceiling.is_some() {
        reader.pattern(
            "line",
            "plan: the script's own ceiling is {goal}/s with answers as planned and {best}/s at best; planned {planned}/s",
            "계획: 스크립트 자체의 상한은 계획한 응답 시간 기준 {goal}/s, 최대 {best}/s입니다. 계획 {planned}/s",
        );
    }
    let is_same = of.is_same();
    for (english, korean) in if is_same {
        [
            (
                "plan: the test offers {offered}/s, planned {planned}/s",
                "계획: 테스트 부하 {offered}/s, 계획 {planned}/s",
            ),
            (
                "plan: {offered}/s sent in the busiest 10 s, planned peak {planned}/s",
                "계획: 가장 바쁜 10초에 {offered}/s 전송, 계획한 최대 {planned}/s",
            ),
        ]
    } else {
        [
            (
                "plan: the test offers {offered}/s, {times} times the planned {planned}/s",
                "계획과 다름: 테스트 부하 {offered}/s, 계획 {planned}/s의 {times}배",
            ),
            (
                "plan: {offered}/s sent in the busiest 10 s, {times} times the planned peak {planned}/s",
                "계획과 다름: 가장 바쁜 10초에 {offered}/s 전송, 계획한 최대 {planned}/s의 {times}배",
            ),
        ]
    } {
        reader.pattern("line", english, korean);
    }
    reader.read("line", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_worked_out_as_it_is_read() {
        let found = |text: &str| (evaluated(text).unwrap() * 1000.0).round() / 1000.0;
        assert_eq!(found("2 × (1 + 33.52 ms / 40 ms)"), 3.676);
        assert_eq!(found("max(7 × 2, 8,192)"), 8192.0);
        assert_eq!(found("4 / 73.52 ms × (2 s - 73.52 ms)"), 104.814);
        let heap = "floor((2,048 - 256 - 128 - 205 - 34 × 1 MiB) / 64 MiB) × 64 MiB";
        assert_eq!(found(heap), 1408.0);
        assert_eq!(found("2,000 ms / 2"), 1.0);
        assert_eq!(evaluated("2 apples"), None);
    }
}
