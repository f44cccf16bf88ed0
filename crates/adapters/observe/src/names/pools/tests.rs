use super::super::tests::values as read_page;

fn values(page: &str) -> Vec<(&'static str, String, f64)> {
    read_page(page)
}

fn expect(page: &str, pool: &str, expected: &[(&'static str, f64)]) {
    let expected = expected.iter();
    let expected: Vec<_> = expected
        .map(|(kind, value)| (*kind, format!("pool={pool}"), *value))
        .collect();
    assert_eq!(values(page), expected, "{page}");
}

/// Seen: pools of pg-pool and psycopg_pool were dropped without a word.
#[test]
fn pools_of_node_are_read() {
    let exporter = "pg_pool_size{host=\"a\"} 10\npg_pool_max{host=\"a\"} 10\n\
        pg_pool_active_connections{host=\"a\"} 9\npg_pool_waiting_connections{host=\"a\"} 4\n\
        pg_pool_idle_connections{host=\"a\"} 1\npg_pool_connections_created_total{host=\"a\"} 99\n";
    let four = [
        ("pool-active", 9.0),
        ("pool-idle", 1.0),
        ("pool-pending", 4.0),
        ("pool-max", 10.0),
    ];
    expect(exporter, "a", &four);
    let own =
        "shop_pg_pool_total_count 10\nshop_pg_pool_idle_count 0\nshop_pg_pool_waiting_count 7\n";
    let full = [
        ("pool-active", 10.0),
        ("pool-idle", 0.0),
        ("pool-pending", 7.0),
        ("pool-max", 10.0),
    ];
    expect(own, "shop_pg_pool", &full);
    let quiet =
        "shop_pg_pool_total_count 3\nshop_pg_pool_idle_count 2\nshop_pg_pool_waiting_count 0\n";
    let three = [
        ("pool-active", 1.0),
        ("pool-idle", 2.0),
        ("pool-pending", 0.0),
    ];
    expect(quiet, "shop_pg_pool", &three);
    let generic = "pool_size_total{type=\"max\"} 3\npool_size_total{type=\"borrowed\"} 3\n\
        pool_size_total{type=\"available\"} 0\npool_size_total{type=\"pending\"} 5\n";
    let knex = [
        ("pool-active", 3.0),
        ("pool-idle", 0.0),
        ("pool-pending", 5.0),
        ("pool-max", 3.0),
    ];
    expect(generic, "pool", &knex);
}

#[test]
fn pools_of_python_are_read() {
    let psycopg = "psycopg_pool_pool_min 4\npsycopg_pool_size 8\npsycopg_pool_available 0\n\
        psycopg_pool_max 8\npsycopg_pool_requests_waiting 12\n";
    let full = [
        ("pool-active", 8.0),
        ("pool-idle", 0.0),
        ("pool-pending", 12.0),
        ("pool-max", 8.0),
    ];
    expect(psycopg, "psycopg_pool", &full);
    let own_names = "psycopg_pool_pool_min 4\npsycopg_pool_pool_size 8\npsycopg_pool_pool_available 0\n\
        psycopg_pool_pool_max 8\npsycopg_pool_requests_waiting 12\n";
    expect(own_names, "psycopg_pool", &full);
    let alchemy = "shop_db_pool_size 5\nshop_db_pool_checkedout 4\nshop_db_pool_checkedin 1\n\
        shop_db_pool_overflow 0\nshop_db_pool_max_overflow 10\n";
    let known = [("pool-active", 4.0), ("pool-idle", 1.0), ("pool-max", 15.0)];
    expect(alchemy, "shop_db_pool", &known);
    let unknown = "db_pool_size 5\ndb_pool_checked_out 5\ndb_pool_overflow 0\n";
    expect(unknown, "db_pool", &[("pool-active", 5.0)]);
    let asyncpg = "asyncpg_pool_size 10\nasyncpg_pool_max_size 20\nasyncpg_pool_free_size 4\n";
    expect(asyncpg, "asyncpg_pool", &[("pool-max", 20.0)]);
}

#[test]
fn pools_of_go_and_rust_are_read() {
    let pgx = "shop_pgxpool_acquired_connections{pool_name=\"p\"} 4\nshop_pgxpool_idle_connections{pool_name=\"p\"} 0\n\
        shop_pgxpool_max_connections{pool_name=\"p\"} 4\nshop_pgxpool_acquires_total{pool_name=\"p\"} 91\n";
    expect(
        pgx,
        "p",
        &[("pool-active", 4.0), ("pool-idle", 0.0), ("pool-max", 4.0)],
    );
    let states = "sqlx_pool_connections{state=\"active\"} 3\nsqlx_pool_connections{state=\"idle\"} 2\nsqlx_pool_max_connections 5\n";
    expect(
        states,
        "sqlx_pool",
        &[("pool-active", 3.0), ("pool-idle", 2.0), ("pool-max", 5.0)],
    );
}

#[test]
fn executors_by_their_words_are_workers() {
    let python = "app_thread_pool_active_threads 8\napp_thread_pool_max_workers 8\napp_thread_pool_queue_size 30\n";
    let busy = [
        ("workers-busy", 8.0),
        ("workers-max", 8.0),
        ("workers-queue", 30.0),
    ];
    expect(python, "app_thread_pool", &busy);
    let vertx = "worker_pool_active{pool_name=\"w\"} 20\nworker_pool_idle{pool_name=\"w\"} 0\n\
        worker_pool_queue_size{pool_name=\"w\"} 3\nworker_pool_rejected_total{pool_name=\"w\"} 2\n";
    let full = [
        ("workers-busy", 20.0),
        ("workers-max", 20.0),
        ("workers-queue", 3.0),
        ("workers-refused", 2.0),
    ];
    expect(vertx, "w", &full);
    let bulkhead = "my_bulkhead_in_use 5\nmy_bulkhead_limit 5\nmy_bulkhead_waiting 9\n";
    let held = [
        ("workers-busy", 5.0),
        ("workers-max", 5.0),
        ("workers-queue", 9.0),
    ];
    expect(bulkhead, "my_bulkhead", &held);
}

#[test]
fn pools_of_something_else_and_a_number_alone_are_none() {
    for page in [
        "jvm_memory_pool_bytes_used 5\njvm_memory_pool_bytes_max 9\n",
        "shop_pool_active 5\n",
        "swimming_pool_guests 5\nswimming_pool_depth 3\n",
        "celery_worker_pool_active 5\ncelery_worker_pool_max 5\n",
    ] {
        assert_eq!(values(page), [], "{page}");
    }
}
