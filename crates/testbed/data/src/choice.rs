//! Chooses the parent of each row of a table, so that unique keys hold.

use std::collections::HashSet;

use crate::error::DataError;
use crate::random::{draw, shuffled, unit};
use crate::schema::{ForeignKey, Table};
use crate::spec::DataSpec;

/// How often a combination is drawn before the next free one is taken.
const DRAW_ATTEMPTS_MAX: u64 = 20;

/// The parent row of each row, for each foreign key; `u32::MAX` is none.
pub(crate) type Choices = Vec<Vec<u32>>;

/// No parent.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// Chooses the parents of a table's rows. `rows_of` returns the number of rows of a table.
pub(crate) fn choose(
    spec: &DataSpec,
    table: &Table,
    rows: u64,
    rows_of: &dyn Fn(&str) -> Option<u64>,
) -> Result<Choices, DataError> {
    let mut choices: Choices = vec![Vec::new(); table.foreign.len()];
    let mut done = vec![false; table.foreign.len()];
    // Only keys that consist of foreign keys can collide.
    for key in &table.unique {
        let mut members: Vec<usize> = Vec::new();
        let all_foreign = key.iter().all(|column| {
            let found = table.foreign_of(column);
            if let Some((index, _)) = found
                && !members.contains(&index)
            {
                members.push(index);
            }
            found.is_some()
        });
        if !all_foreign || members.iter().any(|index| done[*index]) {
            continue;
        }
        let parents: Option<Vec<u64>> = members
            .iter()
            .map(|index| rows_of(&table.foreign[*index].parent))
            .collect();
        let parents = parents.unwrap_or_default();
        let most = parents.iter().try_fold(1_u64, |all, n| all.checked_mul(*n));
        let most = most.unwrap_or(u64::MAX);
        if rows > most {
            return Err(DataError::TooManyRows {
                table: table.name.clone(),
                rows,
                key: key.join(", "),
                most,
            });
        }
        let chosen = distinct(spec, table, &members, &parents, rows, most);
        for (index, column) in members.iter().zip(chosen) {
            choices[*index] = column;
            done[*index] = true;
        }
    }
    for (index, key) in table.foreign.iter().enumerate() {
        if !done[index] {
            choices[index] = free(spec, table, key, rows, rows_of(&key.parent));
        }
    }
    Ok(choices)
}

/// Different combinations of parents, with skew as far as possible.
fn distinct(
    spec: &DataSpec,
    table: &Table,
    members: &[usize],
    parents: &[u64],
    rows: u64,
    most: u64,
) -> Vec<Vec<u32>> {
    let names: Vec<String> = members
        .iter()
        .map(|i| name(table, &table.foreign[*i]))
        .collect();
    let skews: Vec<f64> = members
        .iter()
        .map(|i| skew(spec, table, &table.foreign[*i]))
        .collect();
    let key = draw(spec.seed, &names.join("+"), 0, 0);
    let mut seen: HashSet<u64> = HashSet::with_capacity(usize::try_from(rows).unwrap_or(0));
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); members.len()];
    let even = skews.iter().all(|skew| *skew <= 0.0);
    let mut next = 0;
    for row in 0..rows {
        let mut found = None;
        // Without skew a shuffle of all combinations is even, and needs no memory of those used.
        for attempt in 0..if even { 0 } else { DRAW_ATTEMPTS_MAX } {
            let mut combination = 0;
            for ((name, skew), parents) in names.iter().zip(&skews).zip(parents) {
                let bits = draw(spec.seed, name, row, attempt);
                combination = combination * parents + pick(bits, *parents, *skew, key);
            }
            if seen.insert(combination) {
                found = Some(combination);
                break;
            }
        }
        let combination = found.unwrap_or_else(|| {
            loop {
                let candidate = shuffled(next, most, key);
                next += 1;
                if even || seen.insert(candidate) {
                    break candidate;
                }
            }
        });
        let mut left = combination;
        for (column, parents) in columns.iter_mut().zip(parents).rev() {
            column.push(u32::try_from(left % parents).unwrap_or(NO_PARENT));
            left /= parents;
        }
    }
    columns
}

/// Any parent; in a table that refers to itself an earlier row or none.
fn free(
    spec: &DataSpec,
    table: &Table,
    foreign: &ForeignKey,
    rows: u64,
    parents: Option<u64>,
) -> Vec<u32> {
    let name = name(table, foreign);
    let skew = skew(spec, table, foreign);
    let key = draw(spec.seed, &name, 0, 1);
    let itself = foreign.parent == table.name;
    let column = foreign.columns.first().map_or("", String::as_str);
    let nullable = foreign
        .columns
        .iter()
        .any(|name| table.column(name).is_some_and(|column| column.nullable));
    let null = spec
        .column(&table.name, column)
        .and_then(|said| said.nulls)
        .unwrap_or(0.0);
    let each = (0..rows).map(|row| {
        let bits = draw(spec.seed, &name, row, 0);
        let parents = if itself { row } else { parents.unwrap_or(0) };
        let without = nullable && unit(draw(spec.seed, &name, row, 1)) < null;
        match parents {
            // The first row of a table that refers to itself refers to itself, or to none.
            0 if itself && !nullable => 0,
            0 => NO_PARENT,
            _ if without => NO_PARENT,
            _ => u32::try_from(pick(bits, parents, skew, key)).unwrap_or(NO_PARENT),
        }
    });
    each.collect()
}

fn name(table: &Table, foreign: &ForeignKey) -> String {
    format!("{}.{}", table.name, foreign.columns.join("+"))
}

fn skew(spec: &DataSpec, table: &Table, foreign: &ForeignKey) -> f64 {
    let said = foreign
        .columns
        .iter()
        .find_map(|column| spec.column(&table.name, column)?.skew);
    said.unwrap_or(0.0)
}

/// A parent at u^(1/(1-skew)) of a shuffled order, so that the frequent parents are not the first
/// ones.
fn pick(bits: u64, parents: u64, skew: f64, key: u64) -> u64 {
    let at = unit(bits).powf(1.0 / (1.0 - skew)) * parents as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the number of parents, which is cut off below"
    )]
    let rank = (at as u64).min(parents - 1);
    if skew > 0.0 {
        shuffled(rank, parents, key)
    } else {
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Column;
    use crate::schema::ColumnKind;

    fn favorite() -> Table {
        let column = |name: &str| Column {
            name: name.to_owned(),
            kind: ColumnKind::Int(i64::MAX),
            nullable: false,
            has_default: false,
            is_serial: false,
        };
        let foreign = |column: &str, parent: &str| ForeignKey {
            columns: vec![column.to_owned()],
            parent: parent.to_owned(),
            parent_columns: vec!["id".to_owned()],
        };
        Table {
            name: "favorite".to_owned(),
            columns: vec![column("member_id"), column("place_id")],
            unique: vec![vec!["member_id".to_owned(), "place_id".to_owned()]],
            foreign: vec![foreign("member_id", "member"), foreign("place_id", "place")],
        }
    }

    fn spec(skew: f64) -> DataSpec {
        let text = format!(
            "database: postgres://x/test\ntables: {{favorite: {{rows: 1, columns: {{place_id: {{skew: {skew}}}}}}}}}"
        );
        DataSpec::parse(&text).unwrap()
    }

    fn rows_of(name: &str) -> Option<u64> {
        Some(if name == "member" { 40 } else { 25 })
    }

    fn pairs(skew: f64, rows: u64) -> Vec<(u32, u32)> {
        let choices = choose(&spec(skew), &favorite(), rows, &rows_of).unwrap();
        choices[0]
            .iter()
            .copied()
            .zip(choices[1].iter().copied())
            .collect()
    }

    #[test]
    fn no_pair_comes_twice_even_when_all_of_them_are_taken() {
        for skew in [0.0, 0.7] {
            let pairs = pairs(skew, 1000);
            let distinct: HashSet<_> = pairs.iter().collect();
            assert_eq!(distinct.len(), 1000);
            assert!(
                pairs
                    .iter()
                    .all(|(member, place)| *member < 40 && *place < 25)
            );
        }
    }

    #[test]
    fn skew_gives_few_parents_most_rows() {
        let count = |skew: f64| {
            let mut counts = [0_u32; 25];
            for (_, place) in pairs(skew, 200) {
                counts[place as usize] += 1;
            }
            counts.iter().max().copied().unwrap()
        };
        assert!(count(0.7) > 2 * count(0.0), "{} {}", count(0.7), count(0.0));
    }

    #[test]
    fn more_rows_than_pairs_are_refused() {
        let refused = choose(&spec(0.0), &favorite(), 1001, &rows_of).unwrap_err();
        assert!(matches!(refused, DataError::TooManyRows { most: 1000, .. }));
    }
}
