//! The words of a preflight, for text and document alike.

use std::fmt::Write as _;

use loadline_analysis::bed::{BedPart, NotTriedReason, PartCapacity, PartRole, PartState, StandIn};
use loadline_sizing::FigureUnit;
use loadline_text::{Catalog, Message, latency, millis, percent, significant, testbed};
use loadline_units::Bytes;

use super::PreflightReport;
use crate::document::{DocumentColumn, StatementClass, printable};
use crate::health;

/// A part as it is named in a sentence.
#[must_use]
pub fn part_label(role: PartRole, name: &str, catalog: &Catalog) -> String {
    catalog.text(&match role {
        PartRole::Generator => testbed::preflight_part_generator(),
        PartRole::Outside => testbed::preflight_part_outside(printable::line(name)),
        PartRole::Network => testbed::preflight_part_network(),
        PartRole::Users => testbed::preflight_part_users(),
        PartRole::Target => testbed::preflight_part_target(),
    })
}

/// A mock file with a route for each stand-in.
#[must_use]
pub fn mock_file(stand_ins: &[StandIn], catalog: &Catalog) -> String {
    let mut text = format!(
        "# {}\nroutes:\n",
        catalog.text(&testbed::preflight_mock_by())
    );
    for stand_in in stand_ins {
        let path = serde_json::Value::from(stand_in.path.as_str());
        let _ = writeln!(
            text,
            "  - path: {path} # {}",
            printable::line(&stand_in.url)
        );
        let _ = writeln!(text, "    latency: {}", stand_in.latency);
    }
    text
}

/// A stand-in as it is proposed.
pub(super) struct ProposedStandIn {
    pub(super) title: String,
    pub(super) command: String,
    pub(super) lines: Vec<String>,
}

pub(super) struct Words<'a> {
    pub(super) report: &'a PreflightReport,
    pub(super) catalog: &'a Catalog,
}

pub(super) fn rate(value: f64) -> String {
    FigureUnit::PerSecond.show(value.max(0.0))
}

impl Words<'_> {
    pub(super) fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn label(&self, part: &BedPart) -> String {
        part_label(part.role, &part.name, self.catalog)
    }

    fn carries(&self, part: &BedPart) -> Option<String> {
        match part.capacity {
            PartCapacity::AtLeast(value) => {
                Some(self.text(&testbed::preflight_at_least(rate(value))))
            }
            PartCapacity::Measured(value) => Some(rate(value)),
            PartCapacity::NotKnown => None,
        }
    }

    pub(super) fn class(&self) -> StatementClass {
        if self.report.bed.is_weak() {
            StatementClass::Bad
        } else if self.report.bed.is_interrupted {
            StatementClass::Doubtful
        } else {
            StatementClass::Good
        }
    }

    /// The weakest part, with its figure against the plan.
    pub(super) fn headline(&self) -> String {
        let bed = &self.report.bed;
        let early = || self.text(&testbed::preflight_interrupted_early());
        let Some(weakest) = bed.weakest() else {
            return early();
        };
        let (part, planned) = (self.label(weakest), rate(weakest.planned));
        self.text(&match (weakest.state, self.carries(weakest)) {
            (PartState::NoAnswer, _) => testbed::preflight_weakest_silent(part),
            (PartState::Fails(share), None) => {
                testbed::preflight_weakest_failing(part, percent(share))
            }
            (_, None) => return early(),
            (state, Some(carried)) if state.is_weak() => {
                testbed::preflight_weakest(part, carried, planned)
            }
            (_, Some(carried)) if bed.is_interrupted => {
                testbed::preflight_interrupted(part, carried, planned)
            }
            (_, Some(_)) if matches!(weakest.capacity, PartCapacity::AtLeast(_)) => {
                testbed::preflight_ready_all(rate(bed.planned))
            }
            (_, Some(carried)) => {
                let times = significant(weakest.headroom().unwrap_or(0.0));
                testbed::preflight_ready(rate(bed.planned), part, carried, times)
            }
        })
    }

    pub(super) fn columns(&self) -> Vec<DocumentColumn> {
        [
            (testbed::preflight_column_part(), false),
            (testbed::preflight_column_planned(), true),
            (testbed::preflight_column_carries(), true),
            (testbed::preflight_column_headroom(), true),
            (testbed::preflight_column_p95_low(), true),
            (testbed::preflight_column_p95(), true),
            (testbed::preflight_column_result(), false),
        ]
        .into_iter()
        .map(|(head, is_number)| DocumentColumn {
            head: self.text(&head),
            is_number,
        })
        .collect()
    }

    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let none = || "-".to_owned();
        let row = |part: &BedPart| {
            let p95 = |one: Option<f64>| one.map_or_else(none, millis);
            let result = match part.state {
                PartState::Holds => testbed::preflight_result_holds(),
                PartState::NotKnown => testbed::preflight_result_not_known(),
                PartState::NotTried(_) => testbed::preflight_result_not_tried(),
                _ => testbed::preflight_result_weak(),
            };
            vec![
                self.label(part),
                rate(part.planned),
                self.carries(part).unwrap_or_else(none),
                part.headroom()
                    .map_or_else(none, |times| format!("{}×", significant(times))),
                p95(part.low.as_ref().and_then(|low| low.p95_ms)),
                p95(part.at_plan().and_then(|now| now.p95_ms)),
                self.text(&result),
            ]
        };
        self.report.bed.parts.iter().map(row).collect()
    }

    /// What was seen of each part, a line each.
    pub(super) fn seen(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for part in &self.report.bed.parts {
            let said = self.seen_of(part);
            lines.extend(said.iter().map(|message| self.text(message)));
        }
        lines
    }

    fn seen_of(&self, part: &BedPart) -> Vec<Message> {
        let label = || self.label(part);
        let mut said = Vec::new();
        match part.state {
            PartState::NoAnswer if part.role != PartRole::Target => {
                said.push(testbed::preflight_no_answer(label()));
            }
            PartState::GivesWay if part.role != PartRole::Users => {
                let offered = part.tries.iter().find(|one| one.offered >= part.planned);
                if let Some(offered) = offered.or_else(|| part.tries.last()) {
                    said.push(testbed::preflight_gives_way(
                        label(),
                        rate(offered.answered),
                        rate(offered.offered),
                        offered.p95_ms.map_or_else(|| "-".to_owned(), millis),
                    ));
                }
            }
            PartState::Fails(share)
                if part.role != PartRole::Target || part.at_plan().is_some() =>
            {
                said.push(testbed::preflight_fails(label(), percent(share)));
            }
            PartState::Slows(before, now) => {
                let planned = rate(part.tries.last().map_or(part.planned, |one| one.offered));
                said.push(testbed::preflight_slows(
                    label(),
                    planned,
                    millis(before),
                    millis(now),
                ));
            }
            PartState::NotTried(reason) => said.push(match reason {
                NotTriedReason::Interrupted => testbed::preflight_not_tried_interrupted(label()),
                NotTriedReason::Generator => testbed::preflight_not_tried_generator(label()),
                NotTriedReason::OtherIsWeak => testbed::preflight_not_tried_weak(label()),
            }),
            _ => {}
        }
        if !part.failures.is_empty() {
            let reasons = part.failures.join(", ");
            said.push(testbed::preflight_failures(
                label(),
                printable::line(&reasons),
            ));
        }
        match part.role {
            PartRole::Generator => {
                said.extend(part.cpu.map(|cpu| testbed::preflight_cpu(percent(cpu))));
                said.extend(part.unhealthy.as_ref().map(|unhealthy| {
                    let limits = unhealthy.limits.iter();
                    let reasons = limits.map(|limit| self.text(&health::reason(*limit)));
                    let reasons: Vec<String> = reasons.collect();
                    testbed::preflight_unhealthy(rate(unhealthy.rate), reasons.join(", "))
                }));
            }
            PartRole::Outside => {}
            PartRole::Network => said.extend(self.network(part)),
            PartRole::Users => said.extend(self.users(part)),
            PartRole::Target => said.extend(self.target(part)),
        }
        said
    }

    fn network(&self, part: &BedPart) -> Vec<Message> {
        let bytes = |value: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            Bytes(value.max(0.0).round() as u64).to_string()
        };
        let mut said: Vec<Message> = Vec::new();
        said.extend((part.connect_ms).map(|ms| testbed::preflight_network_connect(latency(ms))));
        if let Some(each) = self.report.bed.bytes_each {
            let needed = format!("{}/s", bytes(each * part.planned));
            said.push(match self.report.reached_bytes {
                Some(reached) => {
                    let reached = format!("{}/s", bytes(reached));
                    testbed::preflight_network_bytes(bytes(each), needed, reached)
                }
                None => testbed::preflight_network_not_known(bytes(each), needed),
            });
        }
        if self.report.is_network_weak {
            said.push(testbed::preflight_network_weak());
        }
        said
    }

    fn users(&self, part: &BedPart) -> Vec<Message> {
        let Some(ceiling) = &self.report.ceiling else {
            return Vec::new();
        };
        let (now, best) = (rate(ceiling.now), rate(ceiling.at_best));
        let mut said = vec![testbed::preflight_ceiling(&ceiling.formula, now, best)];
        if part.state.is_weak() {
            said.push(testbed::preflight_ceiling_low(rate(part.planned)));
        }
        said
    }

    fn target(&self, part: &BedPart) -> Vec<Message> {
        let mut said = Vec::new();
        match &self.report.iteration {
            Some(once) => {
                said.push(testbed::preflight_iteration(
                    FigureUnit::Count.show(once.requests),
                    percent(once.failed),
                    latency(once.response_ms),
                    latency(once.think_ms),
                ));
                if once.failed > 0.0 {
                    said.push(testbed::preflight_iteration_failed());
                } else if part.state == PartState::NotKnown && part.tries.is_empty() {
                    said.push(testbed::preflight_target_not_known());
                }
            }
            None if part.state == PartState::NoAnswer => {
                said.push(testbed::preflight_iteration_failed());
            }
            None => {}
        }
        said
    }

    pub(super) fn stand_ins(&self) -> Vec<ProposedStandIn> {
        let proposed = |one: &StandIn| {
            let tried = one.tried.as_ref().zip(one.holds);
            let tried = tried.map(|(tried, holds)| {
                let p95 = tried.p95_ms.map_or_else(|| "-".to_owned(), millis);
                let planned = rate(one.planned);
                if holds {
                    testbed::preflight_stand_in_holds(planned, p95)
                } else {
                    testbed::preflight_stand_in_weak(planned, rate(tried.answered), p95)
                }
            });
            let url = printable::line(&one.url);
            let used = testbed::preflight_stand_in_use(&one.address, &url, &one.path);
            let answers = FigureUnit::Count.show(one.answers.round());
            ProposedStandIn {
                title: self.text(&testbed::preflight_stand_in(url, answers)),
                command: one.command(),
                lines: tried
                    .into_iter()
                    .chain([used])
                    .map(|message| self.text(&message))
                    .collect(),
            }
        };
        self.report.bed.stand_ins.iter().map(proposed).collect()
    }

    pub(super) fn sources(&self) -> String {
        self.text(&match &self.report.sources {
            Some(sources) => sources.message(),
            None => testbed::preflight_no_sources(),
        })
    }
}
