//! A statement reads much more than it returns, and does not add it up: an index is missing.

use loadline_text::{explain, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// A statement is looked at from this share of the database's time on.
const HEAVY: f64 = 0.5;
/// Blocks of a call from which on it reads a table and no index.
const MANY_BLOCKS: f64 = 200.0;
/// Blocks for each row it returns.
const BLOCKS_OF_ROW: f64 = 10.0;
/// A database used this much is worth it.
const USED: f64 = 0.5;
/// Words of statements that have to read many rows to return a few.
const ADDING_UP: [&str; 7] = [
    "group by", "count(", "sum(", "avg(", "max(", "min(", "distinct",
];

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let top = measured
        .statements
        .first()
        .filter(|top| top.share >= HEAVY)?;
    let (blocks, rows) = (top.blocks?, top.rows?);
    let text = top.text.to_lowercase();
    let adds_up = ADDING_UP.iter().any(|word| text.contains(word));
    let is_scan = blocks >= MANY_BLOCKS && blocks >= BLOCKS_OF_ROW * rows.max(1.0);
    let is_heavy =
        context.is_database_used(USED) || (measured.database_cpu.is_none() && top.time >= USED);
    if adds_up || !is_scan || !is_heavy || !text.contains("where") {
        return None;
    }
    let part = BottleneckPart::Database;
    let cpu = measured.database_cpu.as_ref();
    let fixed = cpu.and_then(|cpu| {
        // What remains is the other statements, and a tenth of this one.
        let demand = share(cpu.used, measured.rate) * (1.0 - 0.9 * top.share);
        context.predicted(part, cpu.most, demand)
    });
    Draft::new(
        RuleId::MissingIndex,
        part,
        EvidenceGrade::B,
        explain::missing_index(percent(top.share), significant(blocks), significant(rows)),
    )
    .shown(
        "statement-share",
        explain::number_statement_share(),
        top.share,
        EvidenceUnit::Share,
    )
    .shown(
        "blocks",
        explain::number_blocks(),
        blocks,
        EvidenceUnit::Count,
    )
    .shown("rows", explain::number_rows(), rows, EvidenceUnit::Count)
    .shown(
        "database-cpu",
        explain::number_database_cpu(),
        cpu.map(|cpu| cpu.used),
        EvidenceUnit::Cores,
    )
    .against(cpu.is_none().then(explain::doubt_database_cpu_unseen))
    .advised([Advice::to(explain::missing_index_try())
        .by(&format!("EXPLAIN (ANALYZE, BUFFERS) {}", top.text))
        .giving(fixed)])
    .limiting_at(measured.rate)
    .done()
}
