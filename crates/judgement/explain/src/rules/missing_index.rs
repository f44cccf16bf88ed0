//! A statement reads much more than it returns, and does not add it up: an index is missing.

use loadline_text::{Message, doubt, evidence, findings, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::super::statements::StatementView;
use super::{Draft, RuleContext};

/// A statement is looked at from this share of the database's time on.
const STATEMENT_SHARE_MIN: f64 = 0.5;
/// Blocks of a call from which on it reads a table and no index.
const MANY_BLOCKS: f64 = 200.0;
/// Blocks for each row it returns.
const BLOCKS_OF_ROW: f64 = 10.0;
/// The same of rows that it looks at, where the database counts those.
const MANY_ROWS: f64 = 2_000.0;
const ROWS_OF_ROW: f64 = 20.0;
/// A database used this much is worth it.
const DATABASE_USE_MIN: f64 = 0.5;
/// Words of statements that have to read many rows to return a few.
const ADDING_UP: [&str; 7] = [
    "group by", "count(", "sum(", "avg(", "max(", "min(", "distinct",
];

/// What a call of a statement reads, as its database counts it.
#[derive(Clone, Copy)]
enum Scan {
    Blocks(f64),
    Rows(f64),
}

impl Scan {
    fn from_statement(statement: &StatementView) -> Option<Self> {
        let blocks = statement.blocks.map(Self::Blocks);
        blocks.or_else(|| statement.examined.map(Self::Rows))
    }

    fn read(self) -> f64 {
        match self {
            Self::Blocks(read) | Self::Rows(read) => read,
        }
    }

    fn is_of_a_table(self, returned: f64) -> bool {
        let (many, of_row) = match self {
            Self::Blocks(_) => (MANY_BLOCKS, BLOCKS_OF_ROW),
            Self::Rows(_) => (MANY_ROWS, ROWS_OF_ROW),
        };
        self.read() >= many && self.read() >= of_row * returned.max(1.0)
    }

    fn statement(self, share: f64, returned: f64) -> Message {
        let (share, read, rows) = (
            percent(share),
            significant(self.read()),
            significant(returned),
        );
        match self {
            Self::Blocks(_) => findings::missing_index(share, read, rows),
            Self::Rows(_) => findings::missing_index_rows(share, read, rows),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Blocks(_) => "blocks",
            Self::Rows(_) => "rows-examined",
        }
    }

    fn label(self) -> Message {
        match self {
            Self::Blocks(_) => evidence::blocks(),
            Self::Rows(_) => evidence::examined(),
        }
    }

    /// How the database is asked for its plan.
    fn plan(self) -> &'static str {
        match self {
            Self::Blocks(_) => "EXPLAIN (ANALYZE, BUFFERS)",
            Self::Rows(_) => "EXPLAIN",
        }
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let top = measured
        .statements
        .first()
        .filter(|top| top.share >= STATEMENT_SHARE_MIN)?;
    let rows = top.rows?;
    let scan = Scan::from_statement(top)?;
    let text = top.text.to_lowercase();
    let adds_up = ADDING_UP.iter().any(|word| text.contains(word));
    let is_heavy = context.is_database_used(DATABASE_USE_MIN)
        || (measured.database_cpu.is_none() && top.time >= DATABASE_USE_MIN);
    if adds_up || !scan.is_of_a_table(rows) || !is_heavy || !text.contains("where") {
        return None;
    }
    let part = BottleneckPart::Database;
    let cpu = measured.database_cpu.as_ref();
    let fixed = cpu.and_then(|cpu| {
        // What remains is the other statements, and a tenth of this one.
        let demand = share(cpu.used, measured.carried) * (1.0 - 0.9 * top.share);
        context.predicted(part, cpu.most, demand)
    });
    Draft::new(
        RuleId::MissingIndex,
        part,
        EvidenceGrade::B,
        scan.statement(top.share, rows),
    )
    .shown(
        "statement-share",
        evidence::statement_share(),
        top.share,
        EvidenceUnit::Share,
    )
    .shown(scan.name(), scan.label(), scan.read(), EvidenceUnit::Count)
    .shown("rows", evidence::rows(), rows, EvidenceUnit::Count)
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(measured)
    .against(cpu.is_none().then(doubt::database_cpu_unseen))
    .advised([Advice::to(findings::missing_index_try())
        .by(&format!("{} {}", scan.plan(), top.text))
        .giving(fixed)])
    .limiting_at(measured.rate)
    .done()
}
