//! Pages as exporters of managed databases write them.

use loadline_record::signals::{SignalKind, SourceNote, UnusedReason};

use super::tests::read;
use super::*;
use crate::exposition;
use crate::minutes::MinuteValue;

/// Means of a minute that a page tells, each with its instance and its time.
fn minutes(page: &str) -> Vec<(&'static str, String, f64, i64)> {
    let mut reader = PageReader::new();
    exposition::read(page, false, |sample| reader.take(&sample)).unwrap();
    let all = reader.take_minutes().into_iter();
    let told = |one: MinuteValue| {
        let of = one.entity.to_string();
        (one.kind.name(), of, one.value, one.begins_ms.unwrap())
    };
    all.map(told).collect()
}

/// `cloudwatch_exporter` is a Java program, whose own heap is nobody's.
#[test]
fn rds_through_cloudwatch_exporter_is_a_share_at_the_minutes_beginning() {
    let page = "\
# HELP aws_rds_cpuutilization_average CloudWatch metric AWS/RDS CPUUtilization Dimensions: [DBInstanceIdentifier] Statistic: Average Unit: Percent
# TYPE aws_rds_cpuutilization_average gauge
aws_rds_cpuutilization_average{job=\"aws_rds\",instance=\"\",dbinstance_identifier=\"shop\",} 93.5 1700000040000
aws_rds_database_connections_average{job=\"aws_rds\",instance=\"\",dbinstance_identifier=\"shop\",} 41.0 1700000040000
aws_rds_read_iops_average{job=\"aws_rds\",instance=\"\",dbinstance_identifier=\"shop\",} 100.0 1700000040000
aws_rds_write_iops_average{job=\"aws_rds\",instance=\"\",dbinstance_identifier=\"shop\",} 20.0 1700000040000
jvm_memory_used_bytes{area=\"heap\"} 1.0E7
process_cpu_seconds_total 3.0
";
    let of = "instance=shop".to_owned();
    let expected = [
        ("database-cpu-share", of.clone(), 0.935, 1_700_000_040_000),
        ("sessions", of.clone(), 41.0, 1_700_000_040_000),
        ("database-storage-operations", of, 120.0, 1_700_000_040_000),
    ];
    assert_eq!(minutes(page), expected);
    assert!(read(page).0.values.is_empty(), "the exporter's own process");
}

#[test]
fn yace_names_an_instance_otherwise_and_all_of_an_engine_are_none() {
    let page = "\
aws_rds_cpuutilization_average{account_id=\"1\",dimension_DBInstanceIdentifier=\"shop\",name=\"arn:aws:rds:x\",region=\"x\"} 50 1700000040000
aws_rds_cpuutilization_average{account_id=\"1\",dimension_DBInstanceIdentifier=\"\",dimension_EngineName=\"postgres\",name=\"global\",region=\"x\"} 12 1700000040000
";
    let expected = [(
        "database-cpu-share",
        "instance=shop".to_owned(),
        0.5,
        1_700_000_040_000,
    )];
    assert_eq!(minutes(page), expected);
}

/// YACE sends no time by default: which minute it is of is not known.
#[test]
fn a_mean_of_a_minute_without_a_time_is_none_and_is_told_so() {
    let page = "aws_rds_cpuutilization_average{dimension_DBInstanceIdentifier=\"shop\"} 50\n";
    let mut reader = PageReader::new();
    exposition::read(page, false, |sample| reader.take(&sample)).unwrap();
    assert_eq!(reader.take_minutes(), []);
    let setup = reader.finish(&mut Reading::default());
    let metric = "aws_rds_cpuutilization_average".to_owned();
    let note = SourceNote::UnusedMetric(metric, UnusedReason::NoTime);
    assert_eq!(setup.unused(), [note]);
}

#[test]
fn cloud_sql_is_a_share_already_and_dated_by_the_minutes_end() {
    let name = "stackdriver_cloudsql_database_cloudsql_googleapis_com_database_";
    let of = "{database_id=\"p:shop\",project_id=\"p\",region=\"x\",unit=\"1\"}";
    let page = format!(
        "{name}cpu_utilization{of} 0.81 1700000100000\n\
         {name}cpu_reserved_cores{of} 2 1700000100000\n"
    );
    let told = (
        "database-cpu-share",
        "instance=p:shop".to_owned(),
        0.81,
        1_700_000_040_000,
    );
    assert_eq!(minutes(&page), [told]);
    let cores = super::tests::values(&page);
    assert_eq!(
        cores,
        [("database-cores", "instance=p:shop".to_owned(), 2.0)]
    );
}

#[test]
fn enhanced_monitoring_has_its_time_beside_it() {
    let page = "\
rdsosmetrics_cpuUtilization_total{instance=\"shop\",region=\"x\"} 61.04
rdsosmetrics_General_numVCPUs{instance=\"shop\",region=\"x\"} 2
rdsosmetrics_timestamp{instance=\"shop\",region=\"x\"} 1.7000001e+09
";
    let told = minutes(page);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!((told[0].2 - 0.6104).abs() < 1e-9);
    assert_eq!(told[0].3, 1_700_000_040_000);
}

#[test]
fn statements_of_postgres_exporter_get_their_text_where_it_is_told() {
    let calls = "pg_stat_statements_calls_total{datname=\"shop\",queryid=\"77\",user=\"app\"} 5\n";
    let text =
        "pg_stat_statements_query_id{query=\"SELECT * FROM app WHERE id = 5\",queryid=\"77\"} 1\n";
    let (reading, setup) = read(calls);
    assert_eq!(reading.values[0].1.to_string(), "statement-id=77");
    assert_eq!(setup.unused(), [SourceNote::UnnamedStatements]);
    let (reading, setup) = read(&format!("{calls}{text}"));
    let of = &reading.values[0].1;
    assert_eq!(
        of.get(Label::Statement),
        Some("SELECT * FROM app WHERE id = ?")
    );
    assert_eq!(setup.unused(), []);
}

#[test]
fn mysqld_exporters_sessions_and_statements_are_read() {
    let page = "\
mysql_global_status_threads_connected 12
mysql_global_status_threads_running 3
mysql_global_variables_max_connections 151
mysql_perf_schema_events_statements_total{digest=\"ab\",digest_text=\"SELECT ?\",schema=\"shop\"} 9
mysql_perf_schema_events_statements_seconds_total{digest=\"ab\",digest_text=\"SELECT ?\",schema=\"shop\"} 1.5
";
    let (reading, _) = read(page);
    let told: Vec<(SignalKind, f64)> = reading.values.iter().map(|one| (one.0, one.2)).collect();
    let expected = [
        (SignalKind::Sessions, 12.0),
        (SignalKind::SessionsActive, 3.0),
        (SignalKind::SessionsMax, 151.0),
        (SignalKind::StatementCalls, 9.0),
        (SignalKind::StatementTime, 1.5),
    ];
    for one in expected {
        assert!(told.contains(&one), "{one:?} in {told:?}");
    }
    let texts = reading
        .values
        .iter()
        .filter_map(|one| one.1.get(Label::Statement));
    assert_eq!(texts.collect::<Vec<_>>(), ["SELECT ?"; 2]);
}

/// Seen: pools of 120 connections beside 100 of which 3 are reserved were to be 50 each, three more than are to be had.
#[test]
fn connections_that_are_reserved_are_told_by_postgres_exporter() {
    let page = "\
pg_settings_max_connections{server=\"db:5432\"} 100
pg_settings_superuser_reserved_connections{server=\"db:5432\"} 3
pg_settings_reserved_connections{server=\"db:5432\"} 0
";
    let (reading, _) = read(page);
    let settings = reading.settings.iter();
    let told: Vec<_> = settings
        .map(|s| format!("{}={}", s.name, s.value))
        .collect();
    assert_eq!(
        told,
        [
            "postgres.reserved_connections=0",
            "postgres.superuser_reserved_connections=3"
        ]
    );
}
