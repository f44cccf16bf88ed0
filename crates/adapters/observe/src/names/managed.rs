//! The names under which clouds tell of managed databases: `cloudwatch_exporter`, YACE and
//! `prometheus-rds-exporter` of Amazon RDS, `rds_exporter` of its enhanced monitoring, and `stackdriver_exporter`
//! of Cloud SQL.
//!
//! All but constants are means of a minute past. `CloudWatch` dates a value by the minute's beginning, Cloud
//! Monitoring and enhanced monitoring by its end.

use loadline_record::signals::{Label, SignalKind};

use super::rule::{LateValue, Rule};

/// RDS tells percents, Cloud SQL a share.
const SHARE_OF_PERCENT: f64 = 1e-2;
/// Enhanced monitoring tells kibibytes.
const BYTES_OF_KIBIBYTE: f64 = 1024.0;

/// How `cloudwatch_exporter` names an instance. A value without it is of a class of instances, or of all.
const BY_CLOUDWATCH: &[(&str, &str)] = &[("dbinstance_identifier", "!")];
const OF_CLOUDWATCH: &[(&str, Label)] = &[("dbinstance_identifier", Label::Instance)];
/// How YACE does.
const BY_YACE: &[(&str, &str)] = &[("dimension_DBInstanceIdentifier", "!")];
const OF_YACE: &[(&str, Label)] = &[("dimension_DBInstanceIdentifier", Label::Instance)];
/// How `rds_exporter` does, for basic and for enhanced monitoring.
const BY_INSTANCE: &[(&str, &str)] = &[
    ("instance", "!"),
    ("dbinstance_identifier", ""),
    ("dimension_DBInstanceIdentifier", ""),
    ("region", "!"),
];
const OF_INSTANCE: &[(&str, Label)] = &[("instance", Label::Instance)];
const OF_RDS: &[(&str, Label)] = &[("dbidentifier", Label::Instance)];
const OF_CLOUD_SQL: &[(&str, Label)] = &[("database_id", Label::Instance)];

const fn minute(metric: &'static str, kind: SignalKind) -> Rule {
    Rule::new(metric, kind).late(LateValue::MinuteBeginning)
}

/// A metric of `CloudWatch`, as each of three exporters labels it.
const fn rds(metric: &'static str, kind: SignalKind, scale: f64) -> [Rule; 3] {
    [
        minute(metric, kind)
            .scaled(scale)
            .only(BY_CLOUDWATCH)
            .named(OF_CLOUDWATCH),
        minute(metric, kind)
            .scaled(scale)
            .only(BY_YACE)
            .named(OF_YACE),
        minute(metric, kind)
            .scaled(scale)
            .only(BY_INSTANCE)
            .named(OF_INSTANCE),
    ]
}

/// Enhanced monitoring has its time in a metric beside it.
const fn enhanced(metric: &'static str, kind: SignalKind, scale: f64) -> Rule {
    Rule::new(metric, kind)
        .late(LateValue::MinuteEnd)
        .scaled(scale)
        .named(OF_INSTANCE)
}

const fn rds_exporter(metric: &'static str, kind: SignalKind, scale: f64) -> Rule {
    minute(metric, kind).scaled(scale).named(OF_RDS)
}

const fn cloud_sql(metric: &'static str, kind: SignalKind) -> Rule {
    Rule::new(metric, kind)
        .late(LateValue::MinuteEnd)
        .named(OF_CLOUD_SQL)
}

/// Of one metric or of the states of sessions it has.
const fn state(kind: SignalKind, state: &'static [(&'static str, &'static str)]) -> Rule {
    cloud_sql(
        "stackdriver_cloudsql_database_cloudsql_googleapis_com_database_postgresql_num_backends_by_state",
        kind,
    )
    .only(state)
}

static RDS: [[Rule; 3]; 11] = [
    rds(
        "aws_rds_cpuutilization_average",
        SignalKind::DatabaseCpuShare,
        SHARE_OF_PERCENT,
    ),
    // `rds_exporter` separates the words.
    rds(
        "aws_rds_cpu_utilization_average",
        SignalKind::DatabaseCpuShare,
        SHARE_OF_PERCENT,
    ),
    rds(
        "aws_rds_database_connections_average",
        SignalKind::Sessions,
        1.0,
    ),
    rds(
        "aws_rds_freeable_memory_average",
        SignalKind::DatabaseMemoryFree,
        1.0,
    ),
    rds(
        "aws_rds_disk_queue_depth_average",
        SignalKind::DatabaseStorageQueue,
        1.0,
    ),
    rds(
        "aws_rds_read_iops_average",
        SignalKind::DatabaseStorageOperations,
        1.0,
    ),
    rds(
        "aws_rds_write_iops_average",
        SignalKind::DatabaseStorageOperations,
        1.0,
    ),
    rds(
        "aws_rds_read_throughput_average",
        SignalKind::DatabaseStorageThroughput,
        1.0,
    ),
    rds(
        "aws_rds_write_throughput_average",
        SignalKind::DatabaseStorageThroughput,
        1.0,
    ),
    rds(
        "aws_rds_replica_lag_average",
        SignalKind::DatabaseReplicaLag,
        1.0,
    ),
    rds(
        "aws_rds_aurora_replica_lag_average",
        SignalKind::DatabaseReplicaLag,
        1e-3,
    ),
];

static OTHERS: [Rule; 17] = [
    rds_exporter(
        "rds_cpu_usage_percent_average",
        SignalKind::DatabaseCpuShare,
        SHARE_OF_PERCENT,
    ),
    rds_exporter(
        "rds_database_connections_average",
        SignalKind::Sessions,
        1.0,
    ),
    enhanced(
        "rdsosmetrics_cpuUtilization_total",
        SignalKind::DatabaseCpuShare,
        SHARE_OF_PERCENT,
    ),
    enhanced(
        "rdsosmetrics_diskIO_avgQueueLen",
        SignalKind::DatabaseStorageQueue,
        1.0,
    ),
    enhanced(
        "rdsosmetrics_diskIO_diskQueueDepth",
        SignalKind::DatabaseStorageQueue,
        1.0,
    ),
    enhanced(
        "rdsosmetrics_diskIO_readIOsPS",
        SignalKind::DatabaseStorageOperations,
        1.0,
    ),
    enhanced(
        "rdsosmetrics_diskIO_writeIOsPS",
        SignalKind::DatabaseStorageOperations,
        1.0,
    ),
    enhanced(
        "rdsosmetrics_diskIO_readKbPS",
        SignalKind::DatabaseStorageThroughput,
        BYTES_OF_KIBIBYTE,
    ),
    enhanced(
        "rdsosmetrics_diskIO_writeKbPS",
        SignalKind::DatabaseStorageThroughput,
        BYTES_OF_KIBIBYTE,
    ),
    // The number of CPUs does not change with the minute.
    Rule::new("rdsosmetrics_General_numVCPUs", SignalKind::DatabaseCores)
        .named(OF_INSTANCE)
        .positive()
        .largest()
        .late(LateValue::Constant),
    Rule::new(
        "stackdriver_cloudsql_database_cloudsql_googleapis_com_database_cpu_reserved_cores",
        SignalKind::DatabaseCores,
    )
    .named(OF_CLOUD_SQL)
    .positive()
    .largest()
    .late(LateValue::Constant),
    cloud_sql(
        "stackdriver_cloudsql_database_cloudsql_googleapis_com_database_cpu_utilization",
        SignalKind::DatabaseCpuShare,
    ),
    cloud_sql(
        "stackdriver_cloudsql_database_cloudsql_googleapis_com_database_postgresql_num_backends",
        SignalKind::Sessions,
    ),
    cloud_sql(
        "stackdriver_cloudsql_database_cloudsql_googleapis_com_database_replication_replica_lag",
        SignalKind::DatabaseReplicaLag,
    ),
    state(SignalKind::SessionsActive, &[("state", "active")]),
    state(SignalKind::SessionsIdle, &[("state", "idle")]),
    state(
        SignalKind::SessionsIdleInTransaction,
        &[("state", "idle_in_transaction*")],
    ),
];

/// All rules.
pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    RDS.iter().flatten().chain(&OTHERS)
}

/// How metrics of enhanced monitoring begin.
pub(super) const ENHANCED: &str = "rdsosmetrics_";
/// The metric that dates the other values of enhanced monitoring, by the label of their instance, s since 1970.
pub(super) const ENHANCED_TIME: &str = "rdsosmetrics_timestamp";
