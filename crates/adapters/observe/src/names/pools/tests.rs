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
    let full = [("pool-active", 5.0), ("pool-max", 5.0)];
    expect(unknown, "db_pool", &full);
    let beyond = "db_pool_size 5\ndb_pool_checked_out 7\ndb_pool_overflow 2\n";
    let full = [("pool-active", 7.0), ("pool-max", 7.0)];
    expect(beyond, "db_pool", &full);
    let room = "db_pool_size 5\ndb_pool_checked_out 4\ndb_pool_overflow 0\n";
    expect(room, "db_pool", &[("pool-active", 4.0)]);
    let asyncpg = "asyncpg_pool_size 10\nasyncpg_pool_max_size 20\nasyncpg_pool_free_size 4\n";
    let free = [("pool-active", 6.0), ("pool-idle", 4.0), ("pool-max", 20.0)];
    expect(asyncpg, "asyncpg_pool", &free);
    let counted = "psycopg_pool_requests_waiting 12\npsycopg_pool_requests_queued 900\n\
        psycopg_pool_pool_size 8\npsycopg_pool_pool_available 0\npsycopg_pool_pool_max 8\n";
    let waiting = values(counted)
        .into_iter()
        .find(|(kind, _, _)| *kind == "pool-pending");
    assert_eq!(waiting.map(|(_, _, value)| value), Some(12.0));
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

/// Seen: the queue of p-queue was taken for its workers, and pond's gauges were dropped.
#[test]
fn queues_of_tasks_are_workers() {
    let busy = |busy, most, queue| {
        [
            ("workers-busy", busy),
            ("workers-max", most),
            ("workers-queue", queue),
        ]
    };
    let own = "p_queue_size{name=\"jobs\"} 9\np_queue_pending{name=\"jobs\"} 4\np_queue_concurrency{name=\"jobs\"} 4\n";
    expect(own, "jobs", &busy(4.0, 4.0, 9.0));
    let named = "shop_pqueue_size 0\nshop_pqueue_pending 3\nshop_pqueue_concurrency 4\n";
    expect(named, "shop_pqueue", &busy(3.0, 4.0, 0.0));
    let pond = "# TYPE pool_workers_running gauge\npool_workers_running{pool=\"jobs\"} 2\n\
        # TYPE pool_workers_idle gauge\npool_workers_idle{pool=\"jobs\"} 0\n\
        # TYPE pool_tasks_submitted_total counter\npool_tasks_submitted_total{pool=\"jobs\"} 90\n\
        # TYPE pool_tasks_waiting_total gauge\npool_tasks_waiting_total{pool=\"jobs\"} 6\n";
    expect(pond, "jobs", &busy(2.0, 2.0, 6.0));
    let idle = "pool_workers_running{pool=\"jobs\"} 5\npool_workers_idle{pool=\"jobs\"} 4\n";
    expect(idle, "jobs", &[("workers-busy", 1.0)]);
}

/// Seen: 48 threads of Puma that served a slow call were "48 connections of the pool", held during a call that needs none.
#[test]
fn pumas_threads_are_workers_and_its_capacity_is_what_is_free() {
    let busy = [
        ("workers-busy", 46.0),
        ("workers-max", 48.0),
        ("workers-queue", 3.0),
    ];
    let yabeda = "puma_backlog{index=\"0\"} 3\npuma_running{index=\"0\"} 47\npuma_pool_capacity{index=\"0\"} 2\n\
        puma_max_threads{index=\"0\"} 48\npuma_workers 1\npuma_requests_count{index=\"0\"} 900\n";
    expect(yabeda, "puma", &busy);
    let exporter = "ruby_puma_workers 1\nruby_puma_request_backlog 3\nruby_puma_running_threads 47\n\
        ruby_puma_thread_pool_capacity 2\nruby_puma_max_threads 48\n";
    expect(exporter, "ruby_puma", &busy);
    // Two processes, and few of their threads begun.
    let cluster = "puma_running{index=\"0\"} 1\npuma_running{index=\"1\"} 2\npuma_pool_capacity{index=\"0\"} 4\n\
        puma_pool_capacity{index=\"1\"} 3\npuma_max_threads{index=\"0\"} 5\npuma_max_threads{index=\"1\"} 5\n";
    expect(
        cluster,
        "puma",
        &[("workers-busy", 3.0), ("workers-max", 10.0)],
    );
}

#[test]
fn pools_that_nobody_names_are_read_by_their_shape() {
    let sessions =
        "app_db_connections_in_use 6\napp_db_connections_max 6\napp_db_connections_waiting 3\n";
    let held = [
        ("pool-active", 6.0),
        ("pool-pending", 3.0),
        ("pool-max", 6.0),
    ];
    expect(sessions, "app_db", &held);
    let gate = "gate_tasks_running{name=\"pay\"} 4\ngate_tasks_limit{name=\"pay\"} 4\ngate_tasks_queued{name=\"pay\"} 2\n";
    let busy = [
        ("workers-busy", 4.0),
        ("workers-max", 4.0),
        ("workers-queue", 2.0),
    ];
    expect(gate, "pay", &busy);
    let hikari_like = "db_pool_total_connections 3\ndb_pool_active_connections 3\ndb_pool_idle_connections 0\n\
        db_pool_threads_awaiting_connection 8\ndb_pool_max_connections 3\n";
    let full = [
        ("pool-active", 3.0),
        ("pool-idle", 0.0),
        ("pool-pending", 8.0),
        ("pool-max", 3.0),
    ];
    expect(hikari_like, "db_pool", &full);
    let record = "active_record_connection_pool_size 5\nactive_record_connection_pool_connections 3\n\
        active_record_connection_pool_busy 3\nactive_record_connection_pool_waiting 0\n";
    let room = [
        ("pool-active", 3.0),
        ("pool-pending", 0.0),
        ("pool-max", 5.0),
    ];
    expect(record, "active_record_connection_pool", &room);
}

#[test]
fn a_pool_that_does_not_tell_its_use_is_noted() {
    let (_, setup) = super::super::tests::read("shop_pool_max 9\nshop_pool_waiting 3\n");
    let notes: Vec<String> = setup.unused().iter().map(ToString::to_string).collect();
    let expected = [
        "unused-metric no-use shop_pool_max",
        "unused-metric no-use shop_pool_waiting",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn pools_of_something_else_and_a_number_alone_are_none() {
    for page in [
        "jvm_memory_pool_bytes_used 5\njvm_memory_pool_bytes_max 9\n",
        "shop_pool_active 5\n",
        "parking_used 5\nparking_max 9\n",
        "parking_used 12\nparking_max 9\nparking_free 4\n",
        "session_cache_used 5\nsession_cache_max 9\nsession_cache_free 4\n",
        "app_heap_used 5\napp_heap_max 9\napp_heap_free 4\n",
        "swimming_pool_guests 5\nswimming_pool_depth 3\n",
        "celery_worker_pool_active 5\ncelery_worker_pool_max 5\n",
    ] {
        assert_eq!(values(page), [], "{page}");
    }
}
