//! Rows of payload files: parsed as csv-parse does, and handed out to users.

mod csv;

#[cfg(test)]
pub(crate) use csv::rows as parse_rows;
pub(crate) use csv::{CsvTable, table as parse_table};

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};

use crate::model::{ExhaustionPolicy, PayloadConfig, RowOrder};
use loadline_units::Random;

/// A payload with its rows, shared by all users.
#[derive(Debug)]
pub struct Payload {
    pub(crate) spec: PayloadConfig,
    rows: Vec<Vec<Value>>,
    /// All rows as one value, if the file asks for that.
    all: Option<Value>,
    /// How many rows were handed out, for orders that count.
    taken: AtomicU64,
}

/// How far a file's rows are used.
#[derive(Debug, Clone, PartialEq)]
pub struct RowUsage {
    /// The file, as written in the test.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// The first of them that is to be used, from 1.
    pub first: u64,
    /// Rows used so far, from the first.
    pub used: u64,
    /// The last of them.
    pub last: Value,
    /// A user asked for a row and none was left.
    pub is_short: bool,
}

/// All rows were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowsExhaustedError(pub ExhaustionPolicy);

impl Payload {
    /// A payload of these rows.
    #[must_use]
    pub fn new(spec: PayloadConfig, rows: Vec<Vec<Value>>) -> Self {
        let all = spec.load_all.as_ref().map(|_| whole(&spec, &rows));
        Self {
            taken: AtomicU64::new(spec.from.saturating_sub(1)),
            spec,
            rows,
            all,
        }
    }

    /// Leaves out the first `used` rows, which former runs have used.
    pub fn skip(&self, used: u64) {
        self.taken.fetch_max(used, Ordering::Relaxed);
    }

    /// How many of its rows are used, if each is used once only.
    #[must_use]
    pub fn usage(&self) -> Option<RowUsage> {
        if self.spec.order != RowOrder::Unique || self.spec.load_all.is_some() {
            return None;
        }
        let (taken, rows) = (self.taken.load(Ordering::Relaxed), self.rows.len() as u64);
        let used = taken.min(rows);
        let last = used.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        let last = last.and_then(|at| self.rows.get(at)).cloned();
        Some(RowUsage {
            path: self.spec.path.clone(),
            rows,
            first: self.spec.from,
            used,
            last: last.map(Value::Array).unwrap_or_default(),
            is_short: taken > rows && self.spec.on_exhausted != ExhaustionPolicy::Wrap,
        })
    }

    /// Rows from the first that is to be used on.
    #[must_use]
    pub fn left(&self) -> u64 {
        let skipped = self.taken.load(Ordering::Relaxed);
        (self.rows.len() as u64).saturating_sub(skipped)
    }

    /// The text of a row, from 1.
    #[must_use]
    pub fn row_at(&self, number: u64) -> Option<Value> {
        let at = usize::try_from(number.checked_sub(1)?).ok()?;
        self.rows.get(at).cloned().map(Value::Array)
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Value>] {
        &self.rows
    }

    /// Sets the variables of the next user.
    ///
    /// # Errors
    /// [`RowsExhaustedError`] if all rows were used and none may be used again.
    pub fn give(
        &self,
        vars: &mut Map<String, Value>,
        random: &Random,
    ) -> Result<(), RowsExhaustedError> {
        if let (Some(name), Some(all)) = (&self.spec.load_all, &self.all) {
            vars.insert(name.clone(), all.clone());
            return Ok(());
        }
        let row = self.row(random)?;
        for (index, field) in self.spec.fields.iter().enumerate() {
            match row.and_then(|row| row.get(index)) {
                Some(value) => vars.insert(field.clone(), value.clone()),
                None => vars.shift_remove(field),
            };
        }
        Ok(())
    }

    fn row(&self, random: &Random) -> Result<Option<&Vec<Value>>, RowsExhaustedError> {
        if self.rows.is_empty() {
            return match self.spec.order {
                RowOrder::Unique => Err(RowsExhaustedError(self.spec.on_exhausted)),
                _ => Ok(None),
            };
        }
        let next = || self.taken.fetch_add(1, Ordering::Relaxed);
        let count = self.rows.len() as u64;
        let at = |index: u64| usize::try_from(index % count).unwrap_or(0);
        Ok(match self.spec.order {
            RowOrder::Random => self.rows.get(random.below(self.rows.len())),
            RowOrder::Sequence => self.rows.get(at(next())),
            RowOrder::Unique => {
                let index = next();
                if index >= count && self.spec.on_exhausted != ExhaustionPolicy::Wrap {
                    return Err(RowsExhaustedError(self.spec.on_exhausted));
                }
                self.rows.get(at(index))
            }
        })
    }
}

/// All rows: objects if the fields have names, otherwise lists.
fn whole(spec: &PayloadConfig, rows: &[Vec<Value>]) -> Value {
    let row = |row: &Vec<Value>| {
        if spec.fields.is_empty() {
            return Value::Array(row.clone());
        }
        let fields = spec.fields.iter().zip(row);
        Value::Object(
            fields
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    };
    Value::Array(rows.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CsvOptions;
    use crate::yaml::Mark;
    use serde_json::json;

    fn payload(order: RowOrder, on_exhausted: ExhaustionPolicy) -> Payload {
        let csv = CsvOptions {
            delimiter: ",".to_owned(),
            cast: true,
            skip_empty: true,
            skip_header: false,
            quote: '"',
            trim: false,
            comment: None,
            relax_columns: false,
            relax_quotes: false,
        };
        let rows = parse_rows("1,a\n2,b\n3,c\n", &csv).unwrap();
        let spec = PayloadConfig {
            path: "x.csv".to_owned(),
            mark: Mark::default(),
            fields: vec!["id".to_owned(), "name".to_owned()],
            from: 1,
            order,
            on_exhausted,
            csv,
            load_all: None,
            order_written: true,
        };
        Payload::new(spec, rows)
    }

    fn taken(payload: &Payload, count: usize) -> Vec<Option<Value>> {
        let random = Random::new(5);
        (0..count)
            .map(|_| {
                let mut vars = Map::new();
                payload.give(&mut vars, &random).ok()?;
                vars.get("id").cloned()
            })
            .collect()
    }

    #[test]
    fn rows_come_in_sequence_and_begin_again() {
        let payload = payload(RowOrder::Sequence, ExhaustionPolicy::Stop);
        let ids: Vec<_> = taken(&payload, 4).into_iter().flatten().collect();
        assert_eq!(ids, [json!(1), json!(2), json!(3), json!(1)]);
    }

    #[test]
    fn unique_rows_come_once_and_then_end_or_begin_again() {
        let stop = payload(RowOrder::Unique, ExhaustionPolicy::Stop);
        assert_eq!(taken(&stop, 4)[3], None);
        let wrap = payload(RowOrder::Unique, ExhaustionPolicy::Wrap);
        assert_eq!(taken(&wrap, 4)[3], Some(json!(1)));
    }

    #[test]
    fn rows_of_former_runs_are_left_out_and_what_is_used_is_told() {
        let stop = payload(RowOrder::Unique, ExhaustionPolicy::Stop);
        stop.skip(1);
        assert_eq!(taken(&stop, 1), [Some(json!(2))]);
        let usage = stop.usage().unwrap();
        assert_eq!((usage.rows, usage.used, usage.is_short), (3, 2, false));
        assert_eq!(usage.last, json!([2, "b"]));
        assert_eq!(stop.row_at(2), Some(json!([2, "b"])));
        assert_eq!(taken(&stop, 2), [Some(json!(3)), None]);
        let usage = stop.usage().unwrap();
        assert_eq!((usage.used, usage.is_short), (3, true));
        assert_eq!(
            payload(RowOrder::Random, ExhaustionPolicy::Stop).usage(),
            None
        );
    }

    #[test]
    fn random_rows_are_rows() {
        let payload = payload(RowOrder::Random, ExhaustionPolicy::Stop);
        let ids = taken(&payload, 50);
        assert!(
            ids.iter()
                .all(|id| [json!(1), json!(2), json!(3)].contains(id.as_ref().unwrap()))
        );
    }
}
