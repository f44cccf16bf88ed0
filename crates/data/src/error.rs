//! Why rows cannot be made or loaded.

/// What stands in the way.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file is not of the form.
    #[error("{0}")]
    Spec(String),
    /// The database is not marked as one for tests.
    #[error("the database `{name}` is not marked as one for tests")]
    NotMarked {
        /// Its name.
        name: String,
    },
    /// The URL's kind of database is not known.
    #[error("`{scheme}` is no database that is supported; write postgres:// or mysql://")]
    Scheme {
        /// What was written.
        scheme: String,
    },
    /// The database has no such table.
    #[error("the database has no table `{0}`")]
    NoTable(String),
    /// A table has rows already.
    #[error("table `{table}` has {rows} rows already")]
    NotEmpty {
        /// The table.
        table: String,
        /// Its rows.
        rows: u64,
    },
    /// A foreign key points to a table that gets no rows.
    #[error("table `{table}` refers to `{parent}`, which is not among the tables")]
    ParentMissing {
        /// The table with the key.
        table: String,
        /// The one it points to.
        parent: String,
    },
    /// Tables refer to each other in a circle, with keys that may not be null.
    #[error("tables refer to each other in a circle: {0}")]
    Circle(String),
    /// A column that must have a value is of a type nothing is known of.
    #[error("column `{table}.{column}` has type `{kind}`, which is not known; give `values`")]
    Kind {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        kind: String,
    },
    /// A unique key has fewer values than rows are asked for.
    #[error("table `{table}` cannot have {rows} rows: its unique key ({key}) has {most} values")]
    TooManyRows {
        /// The table.
        table: String,
        /// Rows asked for.
        rows: u64,
        /// The key's columns.
        key: String,
        /// The values there are.
        most: u64,
    },
    /// PostgreSQL says no.
    #[error("{}", postgres_text(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// MySQL says no.
    #[error("{0}")]
    Mysql(#[from] mysql_async::Error),
    /// A file cannot be written.
    #[error("`{path}`: {error}")]
    Write {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

/// What the server said, with its detail.
fn postgres_text(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => match said.detail() {
            Some(detail) => format!("{}: {detail}", said.message()),
            None => said.message().to_owned(),
        },
        None => error.to_string(),
    }
}
