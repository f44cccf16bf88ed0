use std::collections::HashSet;

use super::*;
use crate::schema::{Column, ForeignKey};

fn column(name: &str, kind: ColumnKind) -> Column {
    Column {
        name: name.to_owned(),
        kind,
        nullable: false,
        has_default: false,
        is_serial: name == "id",
    }
}

fn key(columns: &[&str]) -> Vec<String> {
    columns.iter().map(ToString::to_string).collect()
}

fn foreign(column: &str, parent: &str) -> ForeignKey {
    ForeignKey {
        columns: key(&[column]),
        parent: parent.to_owned(),
        parent_columns: key(&["id"]),
    }
}

fn schema() -> DatabaseSchema {
    let id = || column("id", ColumnKind::Int(i64::MAX));
    let table = |name: &str, columns: Vec<Column>, foreign: Vec<ForeignKey>| Table {
        name: name.to_owned(),
        columns,
        unique: vec![key(&["id"])],
        foreign,
    };
    let mut place = table(
        "place",
        vec![id(), column("content_id", ColumnKind::Int(i64::MAX))],
        vec![foreign("content_id", "content")],
    );
    place.columns.push(column("name", ColumnKind::Text(20)));
    let mut member = table(
        "member",
        vec![id(), column("email", ColumnKind::Text(30))],
        vec![],
    );
    member.unique.push(key(&["email"]));
    DatabaseSchema {
        tables: vec![place, table("content", vec![id()], vec![]), member],
    }
}

fn spec(text: &str) -> DataSpec {
    DataSpec::parse(&format!(
        "database: postgres://x/test\nseed: 3\ntables: {text}"
    ))
    .unwrap()
}

#[test]
fn parents_come_first_and_every_key_finds_one() {
    let spec = spec("{place: {rows: 500}, content: {rows: 20}, member: {rows: 50}}");
    let rows = Rows::plan(&spec, &schema()).unwrap();
    let names: Vec<&str> = rows.tables().map(|t| t.table().name.as_str()).collect();
    let at = |name| names.iter().position(|known| *known == name);
    assert!(at("content") < at("place"));
    let place = rows.tables().find(|t| t.table().name == "place").unwrap();
    for row in 0..place.count() {
        let ColumnValue::Number(content) = &place.row(row)[1] else {
            panic!("a number");
        };
        assert!((1..=20).contains(&content.parse::<u64>().unwrap()));
    }
    assert_eq!(rows.count(), 570);
}

#[test]
fn unique_texts_are_unique() {
    let spec = spec("{member: {rows: 2000}}");
    let rows = Rows::plan(&spec, &schema()).unwrap();
    let member = rows.tables().next().unwrap();
    let emails: HashSet<String> = (0..2000)
        .map(|row| format!("{:?}", member.row(row)[1]))
        .collect();
    assert_eq!(emails.len(), 2000);
}

#[test]
fn the_same_seed_gives_the_same_rows() {
    let spec = spec("{place: {rows: 50}, content: {rows: 20}}");
    let all = || {
        let rows = Rows::plan(&spec, &schema()).unwrap();
        let tables = rows.tables();
        let text: Vec<String> = tables
            .flat_map(|table| (0..table.count()).map(move |row| format!("{:?}", table.row(row))))
            .collect();
        text
    };
    assert_eq!(all(), all());
}

#[test]
fn a_payload_lists_ids_that_exist_without_repetition() {
    let text = "database: postgres://x/test\ntables: {member: {rows: 100}}\npayloads: [{file: m.csv, table: member, columns: [id], rows: 60}]";
    let spec = DataSpec::parse(text).unwrap();
    let rows = Rows::plan(&spec, &schema()).unwrap();
    let ids: HashSet<String> = rows
        .payload(&spec.payloads[0])
        .map(|v| format!("{v:?}"))
        .collect();
    assert_eq!(ids.len(), 60);
}

#[test]
fn a_key_to_a_table_without_rows_is_refused() {
    let refused = Rows::plan(&spec("{place: {rows: 5}}"), &schema()).unwrap_err();
    assert!(matches!(refused, DataError::ParentMissing { .. }));
    let refused = Rows::plan(&spec("{nothing: {rows: 5}}"), &schema()).unwrap_err();
    assert!(matches!(refused, DataError::NoTable(name) if name == "nothing"));
}
