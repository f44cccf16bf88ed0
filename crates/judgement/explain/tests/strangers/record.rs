//! A played case as `explain` reads it: seconds of the callers, and signals as the sources of
//! `observe` tell them, with their labels, at their times.

mod callers;
mod databases;
mod kernel;
mod logs;
mod page;
mod traces;

use loadline_explain::ExplainedRun;
use loadline_record::signals::{Entity, SignalKind, Signals, SourceKind, SourceStatus};

use crate::dice::Dice;
use crate::parts::Witness;
use crate::plan::Plan;
use crate::simulation::Played;

/// What one source writes to.
pub(crate) struct Sheet<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) played: &'a Played,
    pub(crate) dice: Dice,
    pub(crate) signals: Signals,
}

impl Sheet<'_> {
    fn put(&mut self, kind: SignalKind, at_ms: f64, value: f64) {
        self.put_of(kind, &Entity::new(), at_ms, value);
    }

    fn put_of(&mut self, kind: SignalKind, of: &Entity, at_ms: f64, value: f64) {
        self.signals.push(kind, of, at_ms.max(0.0) as u64, value);
    }

    fn source(&mut self, name: &str, kind: SourceKind, looks: &[f64], failed: &[f64]) {
        let mut source = SourceStatus::new(name, kind);
        looks.iter().for_each(|at| source.answered(*at as u64));
        failed
            .iter()
            .for_each(|at| source.failed(*at as u64, "refused"));
        self.signals.sources.push(source);
    }
}

/// The record of a played case.
pub(crate) fn record(plan: &Plan, played: &Played) -> ExplainedRun {
    let mut sheet = Sheet {
        plan,
        played,
        dice: Dice::new(plan.seed ^ 0x7e11),
        signals: Signals::default(),
    };
    for witness in &plan.witnesses {
        match witness {
            Witness::Kernel => kernel::record(&mut sheet),
            Witness::Page => page::record(&mut sheet),
            Witness::Database => databases::record(&mut sheet),
            Witness::DatabaseKernel => databases::record_kernel(&mut sheet),
            Witness::Redis => databases::record_redis(&mut sheet),
            Witness::Traces => traces::record(&mut sheet),
            Witness::Logs => logs::record(&mut sheet),
        }
    }
    let signals = sheet.signals;
    ExplainedRun {
        signals,
        ..callers::run(plan, played)
    }
}
