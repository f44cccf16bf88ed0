//! A statement of the database, as findings name it.

/// A statement, and what it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct HeavyStatement {
    /// Its text without literals; the database's number of it where the text is not known.
    pub text: String,
    /// Of the time of all statements.
    pub share: f64,
    /// How often a request makes it.
    pub calls_of_request: f64,
    /// The mean time of a call, ms.
    pub mean_ms: f64,
    /// Who counted it.
    pub counted_by: StatementOrigin,
}

/// Who counts statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementOrigin {
    /// The database: `pg_stat_statements`, `performance_schema`.
    Database,
    /// The target's traces.
    Traces,
}

impl StatementOrigin {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Traces => "traces",
        }
    }
}
