//! `data`: rows at realistic scale for the target's database.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use loadline_data::mysql::Mysql;
use loadline_data::postgres::Postgres;
use loadline_data::write::{Quotes, csv_row, csv_text, inserts};
use loadline_data::{DataError, DataSpec, Rows};
use loadline_text::{Catalog, Dialect, Exit, Lang, Problem, grouped, problem, testbed};

use crate::context::Context;
use crate::refusal::Refusal;

/// Fill a test database with rows at realistic scale, or write them as SQL or CSV
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline data spec.yaml                 # reads the schema, loads by COPY (PostgreSQL) or INSERT (MySQL)
  loadline data spec.yaml --empty         # empties the tables first
  loadline data spec.yaml --sql rows.sql
  loadline data spec.yaml --csv rows/

spec.yaml:
  database: postgres://app@127.0.0.1:5432/shop_test
  seed: 7
  tables:
    member: {rows: 3000}
    favorite: {rows: 60000, columns: {member_id: {skew: 0.5}}}
  payloads:
    - {file: members.csv, table: member, columns: [id]}
")]
pub(crate) struct DataArgs {
    /// Which tables get how many rows, as YAML or JSON
    #[arg(value_name = "SPEC.yaml")]
    spec: String,
    /// Empty the tables first
    #[arg(long, conflicts_with_all = ["sql", "csv"])]
    empty: bool,
    /// Write INSERT statements to a file instead of loading
    #[arg(long, value_name = "FILE")]
    sql: Option<String>,
    /// Write a CSV file for each table instead of loading
    #[arg(long, value_name = "DIR", conflicts_with = "sql")]
    csv: Option<String>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

/// A database of either kind.
enum Database {
    Postgres(Postgres),
    Mysql(Mysql),
}

impl Database {
    async fn connect(spec: &DataSpec) -> Result<Self, DataError> {
        let (url, schema) = (&spec.database, spec.schema.as_deref());
        match url
            .split_once("://")
            .map_or(url.as_str(), |(scheme, _)| scheme)
        {
            "postgres" | "postgresql" => Ok(Self::Postgres(Postgres::connect(url, schema).await?)),
            "mysql" | "mariadb" => {
                let url = url.replacen("mariadb://", "mysql://", 1);
                Ok(Self::Mysql(Mysql::connect(&url, schema).await?))
            }
            scheme => Err(DataError::Scheme {
                scheme: scheme.to_owned(),
            }),
        }
    }

    const fn quotes(&self) -> Quotes {
        match self {
            Self::Postgres(_) => Quotes::Double,
            Self::Mysql(_) => Quotes::Back,
        }
    }

    async fn plan(&mut self, spec: &DataSpec) -> Result<Rows, DataError> {
        let schema = match self {
            Self::Postgres(database) => database.schema().await?,
            Self::Mysql(database) => database.schema().await?,
        };
        Rows::plan(spec, &schema)
    }

    async fn empty(&mut self, rows: &Rows) -> Result<(), DataError> {
        match self {
            Self::Postgres(database) => database.empty(rows).await,
            Self::Mysql(database) => database.empty(rows).await,
        }
    }

    async fn load(&mut self, rows: &Rows, loaded: impl FnMut(&str, u64)) -> Result<(), DataError> {
        match self {
            Self::Postgres(database) => database.load(rows, loaded).await,
            Self::Mysql(database) => database.load(rows, loaded).await,
        }
    }
}

impl DataArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.fill(context, &catalog) {
            Ok(()) => Exit::Success,
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn fill(&self, context: &mut Context, catalog: &Catalog) -> Result<(), Refusal> {
        let path = &self.spec;
        let text = context
            .read_text(path)
            .map_err(|error| Refusal::unread(path, &error))?;
        let refuse = |error: DataError| Refusal::config(of_data(path, &error));
        let spec = DataSpec::parse(&text).map_err(refuse)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Refusal::other(problem::start_failed("data", error)))?;
        runtime.block_on(async {
            let mut database = Database::connect(&spec).await.map_err(refuse)?;
            let rows = database.plan(&spec).await.map_err(refuse)?;
            if let Some(file) = &self.sql {
                let target = context.working_dir.join(file);
                write_sql(&rows, database.quotes(), &target).map_err(refuse)?;
                context.out(&format!("{}\n", rows_line(&rows, file, catalog)));
            } else if let Some(folder) = &self.csv {
                let target = context.working_dir.join(folder);
                write_csv(&rows, &target).map_err(refuse)?;
                context.out(&format!("{}\n", rows_line(&rows, folder, catalog)));
            } else {
                if self.empty {
                    database.empty(&rows).await.map_err(refuse)?;
                }
                let loaded = |table: &str, count: u64| {
                    let count = grouped(count as f64, 0);
                    context.out(&format!(
                        "{}\n",
                        catalog.text(&testbed::data_table(table, count))
                    ));
                };
                database.load(&rows, loaded).await.map_err(refuse)?;
                let all = grouped(rows.count() as f64, 0);
                context.out(&format!("{}\n", catalog.text(&testbed::data_loaded(all))));
            }
            for payload in &spec.payloads {
                let count = write_payload(context, &rows, payload).map_err(refuse)?;
                let count = grouped(count as f64, 0);
                let line = testbed::data_payload(&payload.file, count);
                context.out(&format!("{}\n", catalog.text(&line)));
            }
            Ok(())
        })
    }
}

fn rows_line(rows: &Rows, path: &str, catalog: &Catalog) -> String {
    let all = grouped(rows.count() as f64, 0);
    catalog.text(&testbed::data_written(all, path))
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> DataError + use<'_> {
    |error| DataError::Write {
        path: path.display().to_string(),
        error,
    }
}

fn write_sql(rows: &Rows, quotes: Quotes, path: &Path) -> Result<(), DataError> {
    let failed = failed(path);
    let mut file = BufWriter::new(File::create(path).map_err(&failed)?);
    for table in rows.tables() {
        for text in inserts(table, quotes) {
            file.write_all(text.as_bytes()).map_err(&failed)?;
        }
    }
    file.flush().map_err(&failed)
}

fn write_csv(rows: &Rows, folder: &Path) -> Result<(), DataError> {
    fs::create_dir_all(folder).map_err(failed(folder))?;
    for table in rows.tables() {
        let path = folder.join(format!("{}.csv", table.table().name));
        let failed = failed(&path);
        let mut file = BufWriter::new(File::create(&path).map_err(&failed)?);
        let names: Vec<String> = table
            .table()
            .columns
            .iter()
            .map(|c| csv_text(&c.name))
            .collect();
        writeln!(file, "{}", names.join(",")).map_err(&failed)?;
        for row in 0..table.count() {
            file.write_all(csv_row(&table.row(row)).as_bytes())
                .map_err(&failed)?;
        }
        file.flush().map_err(&failed)?;
    }
    Ok(())
}

fn write_payload(
    context: &Context,
    rows: &Rows,
    payload: &loadline_data::IdFileSpec,
) -> Result<u64, DataError> {
    let path = context.working_dir.join(&payload.file);
    let failed = failed(&path);
    let mut file = BufWriter::new(File::create(&path).map_err(&failed)?);
    let names: Vec<String> = payload.columns.iter().map(|name| csv_text(name)).collect();
    writeln!(file, "{}", names.join(",")).map_err(&failed)?;
    let mut count = 0;
    for values in rows.payload(payload) {
        file.write_all(csv_row(&values).as_bytes())
            .map_err(&failed)?;
        count += 1;
    }
    file.flush().map_err(&failed)?;
    Ok(count)
}

/// Why rows cannot be loaded, as people read it.
fn of_data(path: &str, error: &DataError) -> Problem {
    match error {
        DataError::NotMarked { name } => {
            problem::data_not_marked(name, loadline_data::MARK_COMMENT, loadline_data::MARK_TABLE)
        }
        DataError::NotEmpty { table, rows } => problem::data_not_empty(table, rows),
        error => problem::data_spec(path, error),
    }
}
