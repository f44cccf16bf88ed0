//! The sentences of a study's answer.

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{
    EffectFinding, KnobEffect, KnobInteraction, OtherKnobs, StudyEnd, StudyOutcome,
};
use loadline_analysis::tuning::goal::{GoalCondition, Objective, TuningGoal};
use loadline_text::{Catalog, Message, significant, tune};

use super::size::{ChangeWords, number};
use super::{StudyReport, rounded};
use crate::explanation::verdict;
use crate::telling_interval::is_informative;

/// A report in a language.
pub(super) struct Words<'a> {
    pub(super) report: &'a StudyReport,
    pub(super) catalog: &'a Catalog,
}

/// Whether a share rounds to nothing: "no larger than 0 %" says nothing.
fn is_none(share: f64) -> bool {
    number(share).parse() == Ok(0.0)
}

impl Words<'_> {
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    /// `heap=512 threads=10`.
    pub(super) fn setting(&self, setting: &[usize]) -> String {
        let each = self.report.knobs.iter().zip(setting);
        let each = each.map(|(knob, level)| format!("{}={}", knob.name, knob.values[*level]));
        each.collect::<Vec<_>>().join(" ")
    }

    /// The words for changes of this study.
    pub(super) fn changes(&self) -> ChangeWords<'_> {
        ChangeWords {
            catalog: self.catalog,
            less_is_better: self.report.less_is_better,
            is_of_margin: matches!(self.report.goal.parse(), Ok(TuningGoal::Meet(_))),
        }
    }

    /// A change in words; empty where it says nothing, which the caller has asked before.
    fn change_text(&self, change: Change) -> String {
        let told = self.changes().in_words(change);
        told.map_or_else(String::new, |told| told.text)
    }

    /// `12 % [8, 16]` of a setting against that before the study.
    pub(super) fn difference(&self, setting: &[usize]) -> String {
        let differences = &self.report.answer.differences;
        let found = differences.iter().find(|(known, _)| known == setting);
        let Some((_, change)) = found else {
            return String::new();
        };
        let told = self.changes().in_words(*change);
        told.map_or_else(|| self.text(&tune::difference_unclear()), |told| told.text)
    }

    pub(super) fn verdict(&self) -> String {
        self.text(&self.outcome())
    }

    fn outcome(&self) -> Message {
        let answer = &self.report.answer;
        let setting = self.setting(&answer.winner);
        match answer.outcome {
            StudyOutcome::Better { change, pairs } => {
                match self.changes().in_words(change) {
                    Some(told) if told.is_times => {
                        tune::answer_better_times(told.text, pairs, setting)
                    }
                    Some(told) => tune::answer_better(told.text, pairs, setting),
                    // A gain that is claimed is clear.
                    None => tune::answer_better(self.changes().interval(change), pairs, setting),
                }
            }
            StudyOutcome::GoalMet { trials } if self.is_start() => {
                let mut tried = self.report.trials.iter();
                if tried.any(|trial| trial.setting != answer.winner) {
                    tune::answer_goal_met_now(trials)
                } else {
                    tune::answer_goal_met_now_alone(trials)
                }
            }
            StudyOutcome::GoalMet { trials } => tune::answer_goal_met(trials, setting),
            StudyOutcome::GoalMissed => tune::answer_goal_missed(setting),
            StudyOutcome::NoDifference { share } if is_none(share) => {
                tune::answer_no_difference_at_all()
            }
            StudyOutcome::NoDifference { share } => tune::answer_no_difference(number(share)),
            StudyOutcome::NoneWorks => tune::answer_none_works(),
            StudyOutcome::CannotTell { trials: None, .. } => tune::answer_cannot_tell_by_more(),
            StudyOutcome::CannotTell {
                trials: Some(trials),
                ..
            } => {
                let time = rounded(trials as f64 * self.report.trial_seconds);
                let time = self.catalog.length(&time);
                tune::answer_cannot_tell(trials, time)
            }
            StudyOutcome::StartFails => tune::answer_start_fails(),
            StudyOutcome::LoadTooSmall => self.load_too_small(),
        }
    }

    /// The target carried all that it was sent, which is less than the goal asks for.
    fn load_too_small(&self) -> Message {
        let trials = self.report.trials.iter();
        let carried = trials.filter(|trial| trial.carries_all);
        let sent = carried.filter_map(|trial| trial.rate).fold(0.0, f64::max);
        let goal = self.report.goal.parse::<TuningGoal>().ok();
        let conditions = goal
            .as_ref()
            .map(TuningGoal::conditions)
            .unwrap_or_default();
        let mut least: f64 = 0.0;
        for condition in conditions {
            if let GoalCondition::Throughput(of) = condition {
                least = least.max(*of);
            }
        }
        let asked = GoalCondition::Throughput(least);
        tune::answer_load_too_small(significant(sent), asked, significant(least))
    }

    fn is_start(&self) -> bool {
        let now = self.report.knobs.iter().map(|knob| knob.now);
        now.eq(self.report.answer.winner.iter().copied())
    }

    /// The verdict and what belongs to it.
    pub(super) fn answer(&self) -> String {
        let mut lines = vec![self.verdict()];
        lines.extend(self.details());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// What belongs to the verdict.
    pub(super) fn details(&self) -> Vec<String> {
        let answer = &self.report.answer;
        let mut lines = Vec::new();
        if let StudyOutcome::CannotTell {
            change: Some(change),
            ..
        } = answer.outcome
            && is_informative(change)
            // The line below has the same figures.
            && answer.cheaper_as_good.is_none()
        {
            let setting = self.setting(&answer.winner);
            lines.push(tune::answer_cannot_tell_so_far(
                self.change_text(change),
                setting,
            ));
        }
        let gains_nothing = matches!(
            answer.outcome,
            StudyOutcome::GoalMissed | StudyOutcome::NoDifference { .. } | StudyOutcome::NoneWorks
        );
        match self.report.limit() {
            Some(limit) if gains_nothing => {
                let is_named = limit.cause_part().is_some();
                let is_elsewhere = is_named && !self.report.is_moved_by_knobs(limit);
                let said = verdict::text(limit, self.catalog);
                lines.push(if is_elsewhere {
                    tune::elsewhere(said)
                } else {
                    tune::limit_there(said)
                });
            }
            None if gains_nothing => lines.push(self.unknown_limit()),
            _ => {}
        }
        match answer.end {
            StudyEnd::BudgetSpent => lines.push(tune::end_budget()),
            StudyEnd::Interrupted => lines.push(tune::end_interrupted()),
            StudyEnd::Invalid => lines.push(tune::end_invalid()),
            StudyEnd::Done | StudyEnd::StartFails => {}
        }
        if let Some((noise, detectable)) = answer.noise.zip(answer.detectable) {
            let spread = |share| self.changes().spread(share);
            lines.push(match answer.disturbed {
                0 => tune::noise(spread(noise), spread(detectable)),
                far => tune::noise_but(spread(noise), spread(detectable), far),
            });
        }
        for setting in &answer.failed {
            lines.push(tune::setting_failed(self.setting(setting)));
        }
        for setting in &answer.other_answers {
            lines.push(tune::setting_other_answers(self.setting(setting)));
        }
        if let Some(found) = &answer.cheaper_as_good {
            let setting = self.setting(&found.setting);
            let told = self.change_text(found.change);
            lines.push(tune::cheaper_as_good(setting, told, found.pairs));
        }
        if self.is_load_carried() {
            lines.push(tune::load_carried());
        }
        if !answer.cheaper_untried.is_empty() {
            let settings = answer.cheaper_untried.iter();
            let settings: Vec<String> = settings.map(|one| self.setting(one)).collect();
            lines.push(tune::cheaper_untried(settings.join("; ")));
        }
        lines.iter().map(|line| self.text(line)).collect()
    }

    /// Whether more load might show more: throughput is looked for, and the setting to take carried all
    /// that was offered in every trial.
    fn is_load_carried(&self) -> bool {
        let answer = &self.report.answer;
        let is_compared = matches!(
            answer.outcome,
            StudyOutcome::Better { .. } | StudyOutcome::NoDifference { .. }
        );
        let goal = self.report.goal.parse();
        let is_of_rate = matches!(
            goal,
            Ok(TuningGoal::Best {
                objective: Objective::Throughput,
                more: true,
                ..
            })
        );
        let trials = self.report.trials.iter();
        let mut measured =
            trials.filter(|trial| trial.setting == answer.winner && trial.rate.is_some());
        is_compared && is_of_rate && measured.all(|trial| trial.carries_all)
    }

    fn unknown_limit(&self) -> Message {
        match self.report.run_to_explain() {
            Some(run) => tune::elsewhere_unknown(run),
            None => tune::elsewhere_not_stored(),
        }
    }

    /// What the other knobs have while one is compared, and what changes are shares of where that
    /// is not what was measured.
    pub(super) fn effects_notes(&self) -> Vec<String> {
        let winner = self.setting(&self.report.answer.winner);
        let beside = (!self.is_start()).then(|| tune::effect_note_beside(winner));
        let is_of_margin = matches!(self.report.goal.parse(), Ok(TuningGoal::Meet(_)));
        let of_margin = is_of_margin.then(tune::effect_note_margin);
        let notes = beside.into_iter().chain(of_margin);
        notes.map(|note| self.text(&note)).collect()
    }

    /// What each knob does.
    pub(super) fn effects(&self) -> Vec<String> {
        let answer = &self.report.answer;
        let mut lines = Vec::new();
        for effect in &answer.effects {
            let name = &self.report.knobs[effect.knob].name;
            let sentences = self.effect(effect).into_iter();
            lines.extend(sentences.map(|sentence| format!("{name}: {sentence}")));
        }
        let together = answer.interaction.iter();
        lines.extend(together.map(|found| self.text(&self.interaction(found))));
        lines
    }

    /// What a knob does beside the setting that is told, and what it did before if that differs.
    pub(super) fn effect(&self, effect: &KnobEffect) -> Vec<String> {
        let knob = &self.report.knobs[effect.knob];
        let value = |level: usize| knob.values.get(level).cloned().unwrap_or_default();
        let told = match effect.finding {
            EffectFinding::Matters => {
                let (from, to) = effect.levels;
                tune::effect_matters(value(from), value(to), self.change_text(effect.change))
            }
            EffectFinding::NoLargerThan { share } if is_none(share) => tune::effect_none_at_all(),
            EffectFinding::NoLargerThan { share } => tune::effect_none(number(share)),
            EffectFinding::CannotTell if !is_informative(effect.change) => {
                tune::effect_unclear_wide()
            }
            EffectFinding::CannotTell => {
                tune::effect_unclear(self.changes().interval(effect.change))
            }
            EffectFinding::NotTried => tune::effect_not_tried(),
        };
        let is_compared = effect.finding != EffectFinding::NotTried;
        let mut all = vec![self.text(&told)];
        if effect.others == OtherKnobs::Start && is_compared && !self.is_start() {
            all = vec![self.text(&tune::effect_beside_start(&all[0]))];
        }
        if let Some(before) = effect.at_start
            && let Some(told) = self.changes().in_words(before.change)
        {
            let (from, to) = before.levels;
            let before = tune::effect_at_start(value(from), value(to), told.text);
            all.push(self.text(&before));
        }
        all
    }

    pub(super) fn interaction(&self, found: &KnobInteraction) -> Message {
        let [one, other] = found.knobs.map(|knob| self.report.knobs[knob].name.clone());
        let Change { low, high, .. } = found.change;
        if low > 0.0 || high < 0.0 {
            return tune::interaction(one, other, self.change_text(found.change));
        }
        if !is_informative(found.change) {
            return tune::interaction_unclear(one, other);
        }
        tune::interaction_none(one, other, number(low.abs().max(high.abs())))
    }

    /// What limited before and limits with what is to be pasted, and what to do before that.
    pub(super) fn paste_notes(&self) -> Vec<String> {
        let said = |limit| verdict::text(limit, self.catalog);
        let before = self.report.limit_at_start();
        let then = self.report.limit_of(&self.report.answer.winner);
        let first = before.into_iter();
        let first = first.flat_map(|limit| verdict::of_code(limit, self.catalog));
        let notes = before
            .map(|limit| tune::paste_before(said(limit)))
            .into_iter()
            .chain(then.map(|limit| tune::paste_then(said(limit))))
            .chain(first.map(tune::limit_first));
        notes.map(|note| self.text(&note)).collect()
    }

    /// Settings that come before those of the study, and those of which nothing is to be gained.
    pub(super) fn settings_notes(&self) -> Vec<String> {
        let limit = self.report.limit_at_start();
        let first = limit.map(|limit| verdict::settings_first(limit, self.catalog));
        let first = first.into_iter().flatten().map(tune::limit_first);
        let spare = limit.map(|limit| self.report.spare_knobs(limit));
        let notes = first.chain(spare.into_iter().flatten());
        notes.map(|note| self.text(&note)).collect()
    }

    /// What to write where, with the reason; nothing where nothing is to be changed.
    pub(super) fn paste(&self) -> String {
        let pasted = self.pasted().into_iter();
        let lines =
            pasted.map(|(place, text, reason)| format!("  {place}\n    {text}    # {reason}\n"));
        lines.collect()
    }

    /// Where something is written; the names that studies give to it are words of a language.
    fn place(&self, place: String) -> String {
        match place.as_str() {
            "environment" => self.text(&tune::place_environment()),
            "start command" => self.text(&tune::place_start()),
            "command" => self.text(&tune::place_command()),
            "manual" => self.text(&tune::place_manual()),
            _ => place,
        }
    }

    /// The place, the text and the reason of each knob that is to be changed.
    pub(super) fn pasted(&self) -> Vec<(String, String, String)> {
        let answer = &self.report.answer;
        let is_found = matches!(
            answer.outcome,
            StudyOutcome::Better { .. } | StudyOutcome::GoalMet { .. }
        );
        if !is_found {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (number, (knob, level)) in self.report.knobs.iter().zip(&answer.winner).enumerate() {
            if *level == knob.now {
                continue;
            }
            let (place, text) = knob.paste[*level].clone();
            let place = self.place(place);
            let effect = answer.effects.iter().find(|effect| effect.knob == number);
            let reason = match effect.and_then(|effect| effect.taken) {
                Some(change) => {
                    let (from, to) = (&knob.values[knob.now], &knob.values[*level]);
                    if change.low > 0.0 || change.high < 0.0 {
                        tune::paste_reason_matters(from, to, self.change_text(change))
                    } else if !is_informative(change) {
                        tune::paste_reason_unclear(from, to)
                    } else {
                        tune::paste_reason_same(from, to, self.changes().interval(change))
                    }
                }
                None => tune::paste_reason_needed(),
            };
            all.push((place, text, self.text(&reason)));
        }
        all
    }
}
