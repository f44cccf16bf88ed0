//! Why rows cannot be made or loaded.

/// Why rows cannot be made or loaded.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The data file is malformed.
    #[error("{0}")]
    Spec(String),
    /// The database is not marked as one for tests.
    #[error("the database `{name}` is not marked as one for tests")]
    NotMarked {
        /// Its name.
        name: String,
    },
    /// The URL's scheme is not supported.
    #[error("`{scheme}` is no database that is supported; write postgres:// or mysql://")]
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// The database has no such table.
    #[error("the database has no table `{0}`")]
    NoTable(String),
    /// A table is not empty.
    #[error("table `{table}` has {rows} rows already")]
    NotEmpty {
        /// The table.
        table: String,
        /// Its rows.
        rows: u64,
    },
    /// A foreign key refers to a table that gets no rows.
    #[error("table `{table}` refers to `{parent}`, which is not among the tables")]
    ParentMissing {
        /// The table with the key.
        table: String,
        /// The table it refers to.
        parent: String,
    },
    /// Tables refer to each other in a cycle, and no key in it may be null.
    #[error("tables refer to each other in a circle: {0}")]
    Circle(String),
    /// A mandatory column has an unsupported type.
    #[error("column `{table}.{column}` has type `{kind}`, which is not known; give `values`")]
    Kind {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        kind: String,
    },
    /// A unique key has fewer possible values than rows are wanted.
    #[error("table `{table}` cannot have {rows} rows: its unique key ({key}) has {most} values")]
    TooManyRows {
        /// The table.
        table: String,
        /// The wanted number of rows.
        rows: u64,
        /// The key's columns.
        key: String,
        /// The number of possible values.
        most: u64,
    },
    /// A database cannot be reached, or refuses the connection.
    #[error("{address}: {reason}")]
    Connect {
        /// Host and port.
        address: String,
        /// The system's or the server's words.
        reason: String,
    },
    /// PostgreSQL's error.
    #[error("{}", postgres_text(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// MySQL's error.
    #[error("{0}")]
    Mysql(#[from] mysql_async::Error),
    /// A file cannot be written.
    #[error("`{path}`: {error}")]
    Write {
        /// The file.
        path: String,
        /// The system's error.
        error: std::io::Error,
    },
}

/// The server's message and detail.
fn postgres_text(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => match said.detail() {
            Some(detail) => format!("{}: {detail}", said.message()),
            None => said.message().to_owned(),
        },
        // The system's words are those of the innermost cause.
        None => innermost(error).to_string(),
    }
}

/// Host and port of a database's URL, without who connects.
pub(crate) fn address_of(url: &str) -> String {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let place = &rest[..end];
    place.rsplit('@').next().unwrap_or(place).to_owned()
}

/// What an error comes down to.
fn innermost<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> &'a (dyn std::error::Error + 'static) {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause
}

impl DataError {
    /// A connection to PostgreSQL that was not made.
    pub(crate) fn postgres(address: String, error: &tokio_postgres::Error) -> Self {
        Self::Connect {
            address,
            reason: postgres_text(error),
        }
    }

    /// A connection to MySQL that was not made.
    pub(crate) fn mysql(address: String, error: &mysql_async::Error) -> Self {
        let reason = match error {
            mysql_async::Error::Server(said) => said.message.clone(),
            other => innermost(other).to_string(),
        };
        Self::Connect { address, reason }
    }
}
