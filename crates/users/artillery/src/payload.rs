//! Rows of payload files: parsed as csv-parse does, and handed out to users.

mod csv;

pub(crate) use csv::rows as parse_rows;

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

/// All rows were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowsExhaustedError(pub ExhaustionPolicy);

impl Payload {
    /// A payload of these rows.
    #[must_use]
    pub fn new(spec: PayloadConfig, rows: Vec<Vec<Value>>) -> Self {
        let all = spec.load_all.as_ref().map(|_| whole(&spec, &rows));
        Self {
            spec,
            rows,
            all,
            taken: AtomicU64::new(0),
        }
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
        };
        let rows = parse_rows("1,a\n2,b\n3,c\n", &csv).unwrap();
        let spec = PayloadConfig {
            path: "x.csv".to_owned(),
            mark: Mark::default(),
            fields: vec!["id".to_owned(), "name".to_owned()],
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
    fn random_rows_are_rows() {
        let payload = payload(RowOrder::Random, ExhaustionPolicy::Stop);
        let ids = taken(&payload, 50);
        assert!(
            ids.iter()
                .all(|id| [json!(1), json!(2), json!(3)].contains(id.as_ref().unwrap()))
        );
    }
}
