//! Which library a pool or an executor is of: its setting is what changes it.

/// The setting that tells it, of the pool's entity.
pub(super) const SETTING: &str = "pool.library";

/// Beginnings of metric names, or words in them, and the library. The first that fits counts.
const LIBRARIES: &[(&str, &str)] = &[
    ("hikaricp_", "HikariCP"),
    ("tomcat_threads", "Tomcat"),
    ("jetty_threads", "Jetty"),
    ("executor_", "executor"),
    ("r2dbc_", "r2dbc-pool"),
    ("agroal_", "Agroal"),
    ("commons_pool2", "Commons Pool"),
    ("go_sql_", "database/sql"),
    ("pgbouncer_", "PgBouncer"),
    ("pgxpool", "pgxpool"),
    ("psycopg", "psycopg_pool"),
    ("asyncpg", "asyncpg"),
    ("sqlalchemy", "SQLAlchemy"),
    ("checkedout", "SQLAlchemy"),
    ("checked_out", "SQLAlchemy"),
    ("overflow", "SQLAlchemy"),
    ("pg_pool", "node-postgres"),
    ("pgpool_client", "node-postgres"),
    ("sqlx", "SQLx"),
    ("prisma", "Prisma"),
    ("bulkhead", "bulkhead"),
    ("p_queue", "p-queue"),
    ("pqueue", "p-queue"),
    ("pool_workers_", "pond"),
    ("pool_tasks_", "pond"),
    ("generic_pool", "generic-pool"),
    ("knex", "Knex"),
    ("tarn", "Knex"),
    ("active_record", "ActiveRecord"),
    ("worker_pool", "Vert.x worker pool"),
];

/// The library whose metric this is.
pub(super) fn of_metric(metric: &str) -> Option<&'static str> {
    let found = LIBRARIES.iter().find(|(word, _)| metric.contains(word));
    found.map(|(_, library)| *library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_known_by_its_metrics() {
        for (metric, library) in [
            ("hikaricp_connections_max", Some("HikariCP")),
            ("shop_pg_pool_waiting_count", Some("node-postgres")),
            ("shop_db_pool_checkedout", Some("SQLAlchemy")),
            ("executor_active_threads", Some("executor")),
            ("p_queue_pending", Some("p-queue")),
            ("pool_tasks_waiting_total", Some("pond")),
            ("shop_pool_active", None),
        ] {
            assert_eq!(of_metric(metric), library, "{metric}");
        }
    }
}
