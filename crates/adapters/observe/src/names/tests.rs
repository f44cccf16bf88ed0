use super::*;
use crate::exposition;

pub(super) fn read(page: &str) -> (Reading, PageSetup) {
    let mut reader = PageReader::new();
    exposition::read(page, false, |sample| reader.take(&sample)).unwrap();
    let mut reading = Reading::default();
    let setup = reader.finish(&mut reading);
    (reading, setup)
}

pub(super) fn values(page: &str) -> Vec<(&'static str, String, f64)> {
    let (reading, _) = read(page);
    let all = reading.values.into_iter();
    all.map(|(kind, entity, value)| (kind.name(), entity.to_string(), value))
        .collect()
}

#[test]
fn an_actuators_page_is_read() {
    let page = "\
hikaricp_connections_active{pool=\"main\"} 10.0
hikaricp_connections_max{pool=\"main\"} 10.0
hikaricp_connections_usage_seconds_sum{pool=\"main\"} 12.5
jdbc_connections_active{name=\"dataSource\"} 10.0
jvm_memory_used_bytes{area=\"heap\",id=\"Eden Space\"} 1.0E7
jvm_memory_used_bytes{area=\"heap\",id=\"Tenured Gen\"} 2.0E7
jvm_memory_used_bytes{area=\"nonheap\",id=\"Metaspace\"} 5.0E7
jvm_memory_max_bytes{area=\"heap\",id=\"G1 Eden Space\"} -1.0
jvm_memory_max_bytes{area=\"heap\",id=\"G1 Old Gen\"} 5.0E8
jvm_gc_pause_seconds_count{action=\"end of minor GC\",cause=\"Allocation Failure\",gc=\"Copy\"} 3
jvm_info{runtime=\"OpenJDK\",vendor=\"Debian\",version=\"17.0.1\"} 1
process_cpu_time_ns_total 2.0E9
tomcat_threads_config_max_threads{name=\"http-nio-8080\"} 200.0
http_server_requests_seconds_count{method=\"GET\",status=\"200\",uri=\"/a/{id}\"} 5
http_server_requests_seconds_count{method=\"GET\",status=\"503\",uri=\"/a/{id}\"} 2
";
    let expected = [
        ("process-cpu", "", 2.0),
        ("heap-used", "", 3e7),
        ("heap-max", "", 5e8),
        ("collection-pauses", "collector=Copy, generation=minor", 3.0),
        ("pool-active", "pool=main", 10.0),
        ("pool-max", "pool=main", 10.0),
        ("pool-hold-time", "pool=main", 12.5),
        ("workers-max", "pool=http-nio-8080", 200.0),
        ("server-requests", "operation=GET /a/{id}", 7.0),
        ("server-errors", "operation=GET /a/{id}", 2.0),
    ];
    let expected = expected.map(|(kind, entity, value)| (kind, entity.to_owned(), value));
    assert_eq!(values(page), expected);
    let (reading, _) = read(page);
    let settings = reading.settings.iter();
    let settings: Vec<_> = settings
        .map(|s| format!("{}={}", s.name, s.value))
        .collect();
    assert_eq!(
        settings,
        [
            "pool.library=Tomcat",
            "pool.library=HikariCP",
            "jvm.collector=Serial",
            "jvm.vendor=Debian",
            "jvm.version=17.0.1"
        ]
    );
}

#[test]
fn what_is_switched_off_is_told_with_its_setting() {
    let page = "jvm_threads_live_threads 9\ntomcat_sessions_active_current_sessions 0\n\
        http_server_requests_seconds_count{method=\"GET\",uri=\"/\",status=\"200\"} 1\n";
    let (_, setup) = read(page);
    let lacks = setup.lacks();
    assert_eq!(lacks[0].signal, "workers-busy");
    assert_eq!(lacks[0].setting, "server.tomcat.mbeanregistry.enabled=true");
    for threads in ["1", "-1"] {
        let (_, setup) = read(&format!("{page}tomcat_threads_busy_threads {threads}\n"));
        let lacks = setup.lacks();
        assert!(lacks.iter().all(|missing| missing.signal != "workers-busy"));
    }
}

#[test]
fn an_exporters_own_process_is_not_the_target() {
    let node = "node_cpu_seconds_total{cpu=\"0\",mode=\"idle\"} 50\n\
        node_cpu_seconds_total{cpu=\"1\",mode=\"idle\"} 60\n\
        node_cpu_seconds_total{cpu=\"0\",mode=\"user\"} 5\n\
        node_cpu_seconds_total{cpu=\"1\",mode=\"system\"} 2\n\
        node_exporter_build_info 1\nprocess_cpu_seconds_total 7\n";
    let expected = [
        ("host-cpu", String::new(), 7.0),
        ("host-cores", String::new(), 2.0),
    ];
    assert_eq!(values(node), expected);
    let target = "process_cpu_seconds_total 7\nnodejs_version_info{version=\"v20\"} 1\n";
    assert_eq!(values(target), [("process-cpu", String::new(), 7.0)]);
}

#[test]
fn both_generations_of_opentelemetrys_pool_metrics_are_read() {
    let new = "db_client_connection_count{db_client_connection_pool_name=\"p\",db_client_connection_state=\"used\"} 4\n";
    let old = "db_client_connections_usage{pool_name=\"p\",state=\"used\"} 4\n";
    for page in [new, old] {
        assert_eq!(values(page), [("pool-active", "pool=p".to_owned(), 4.0)]);
    }
    let time = "db_client_connections_use_time_milliseconds_sum{pool_name=\"p\"} 1500\n";
    let expected = ("pool-hold-time", "pool=p".to_owned(), 1.5);
    assert_eq!(values(time), [expected]);
}

#[test]
fn a_containers_quota_is_told_in_cores_and_no_limit_is_no_signal() {
    let page = "container_spec_cpu_quota{name=\"web\",image=\"i\"} 150000\n\
        container_spec_cpu_period{name=\"web\",image=\"i\"} 100000\n\
        container_spec_memory_limit_bytes{name=\"web\",image=\"i\"} 0\n\
        container_cpu_usage_seconds_total{name=\"web\",image=\"i\"} 3\n\
        container_cpu_usage_seconds_total{id=\"/\"} 30\n";
    let expected = [("process-cpu", 3.0), ("cores-available", 1.5)];
    let expected = expected.map(|(kind, value)| (kind, "instance=web".to_owned(), value));
    assert_eq!(values(page), expected);
}

#[test]
fn a_pool_of_threads_without_a_bound_limits_nothing() {
    let page = "executor_pool_max_threads{name=\"a\"} 2.147483647E9\n\
        executor_active_threads{name=\"a\"} 1\nexecutor_active_threads{name=\"b\"} 2\n";
    assert_eq!(values(page), [("workers-busy", "pool=b".to_owned(), 2.0)]);
}

/// Seen: an application's own executor was dropped, and advice was given for the server's threads.
#[test]
fn an_executor_with_an_endless_queue_has_its_core_threads() {
    let page = |most: &str, left: &str| {
        format!(
            "executor_pool_max_threads{{name=\"a\"}} {most}\nexecutor_pool_core_threads{{name=\"a\"}} 8\n\
             executor_active_threads{{name=\"a\"}} 8\nexecutor_queued_tasks{{name=\"a\"}} 30\n\
             executor_queue_remaining_tasks{{name=\"a\"}} {left}\n"
        )
    };
    let of = |read: &[(&str, String, f64)], kind: &str| {
        read.iter()
            .find(|(known, _, _)| *known == kind)
            .map(|(_, _, value)| *value)
    };
    for most in ["2.147483647E9", "50", "8"] {
        let read = values(&page(most, "2.147483647E9"));
        assert_eq!(of(&read, "workers-max"), Some(8.0), "{most}");
        assert_eq!(of(&read, "workers-queue"), Some(30.0), "{most}");
        assert_eq!(of(&read, "workers-queue-max"), None);
    }
    let bounded = values(&page("50", "70"));
    assert_eq!(of(&bounded, "workers-max"), Some(50.0));
    assert_eq!(of(&bounded, "workers-queue-max"), Some(100.0));
    let (reading, setup) = read(&page("2.147483647E9", "0"));
    assert!(
        !reading.has(SignalKind::WorkersBusy),
        "a thread for each task"
    );
    let notes: Vec<String> = setup.unused().iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["unused-metric unbounded executor_pool_max_threads"]);
}

#[test]
fn what_nginx_closes_for_its_limit_is_told() {
    let page = "nginx_up 1\nnginx_connections_accepted 1000\nnginx_connections_handled 810\n\
        nginx_connections_active 512\nnginx_connections_waiting 20\nnginx_http_requests_total 900\n\
        process_cpu_seconds_total 3\n";
    let expected = [
        ("connections", 512.0),
        ("connections-idle", 20.0),
        ("connections-accepted", 1000.0),
        ("connections-dropped", 190.0),
        ("server-requests", 900.0),
    ];
    let expected = expected.map(|(kind, value)| (kind, String::new(), value));
    assert_eq!(values(page), expected);
}

#[test]
fn pools_that_other_libraries_tell_are_read() {
    let go = "go_sql_stats_connections_max_open{db_name=\"d\"} 5\ngo_sql_stats_connections_in_use{db_name=\"d\"} 5\n\
        go_sql_stats_connections_waited_for{db_name=\"d\"} 9\ngo_sql_stats_connections_blocked_seconds{db_name=\"d\"} 2\n";
    let expected = [
        ("pool-active", "pool=d".to_owned(), 5.0),
        ("pool-max", "pool=d".to_owned(), 5.0),
        ("pool-acquire-time", "pool=d".to_owned(), 2.0),
        ("pool-waits", "pool=d".to_owned(), 9.0),
    ];
    assert_eq!(values(go), expected);
    let agroal = "agroal_active_count{datasource=\"d\"} 8\nagroal_available_count{datasource=\"d\"} 0\n\
        agroal_awaiting_count{datasource=\"d\"} 3\n";
    let kinds: Vec<_> = values(agroal)
        .into_iter()
        .map(|(kind, _, _)| kind)
        .collect();
    assert_eq!(
        kinds,
        ["pool-active", "pool-idle", "pool-pending", "pool-max"]
    );
    let hikari = "hikaricp_active_connections{pool=\"p\"} 3\nhikaricp_max_connections{pool=\"p\"} 3\n\
        hikaricp_pending_threads{pool=\"p\"} 1\nhikaricp_connection_acquired_nanos_sum{pool=\"p\"} 2e9\n";
    let kinds: Vec<_> = values(hikari)
        .into_iter()
        .map(|(kind, _, value)| (kind, value))
        .collect();
    let expected = [
        ("pool-active", 3.0),
        ("pool-pending", 1.0),
        ("pool-max", 3.0),
        ("pool-acquire-time", 2.0),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn operations_beyond_a_number_are_one() {
    let line = |n: usize| {
        format!("http_server_requests_seconds_count{{method=\"GET\",uri=\"/page-{n}\"}} 1\n")
    };
    let page: String = (0..OPERATIONS_MAX + 50).map(line).collect();
    let values = values(&page);
    assert_eq!(values.len(), OPERATIONS_MAX + 1);
    let others = values.iter().find(|(_, entity, _)| entity.contains(OTHERS));
    assert_eq!(others.map(|(_, _, value)| *value), Some(50.0));
}

/// Seen: with a label of raw paths another hundred of them was told each second, and requests were lost.
#[test]
fn operations_keep_their_names_from_look_to_look() {
    let page = |from: usize, to: usize| -> String {
        let line = |n| {
            format!("http_server_requests_seconds_count{{method=\"GET\",uri=\"/page-{n:04}\"}} 2\n")
        };
        (from..to).map(line).collect()
    };
    let (_, mut setup) = read(&page(100, 240));
    let mut sums = Vec::new();
    for from in [50, 0] {
        let mut reader = PageReader::after(&setup);
        exposition::read(&page(from, 240), false, |sample| reader.take(&sample)).unwrap();
        let mut reading = Reading::default();
        setup = reader.finish(&mut reading);
        let of = |name: &str| {
            let mut all = reading.values.iter();
            all.find(|(_, of, _)| of.get(Label::Operation) == Some(name))
                .map(|(_, _, v)| *v)
        };
        assert_eq!(of("GET /page-0100"), Some(2.0));
        assert_eq!(of("GET /page-0050"), None, "it came when there was no room");
        sums.push((
            of(OTHERS).unwrap(),
            reading.values.iter().map(|(_, _, v)| v).sum::<f64>(),
        ));
    }
    assert_eq!(sums, [(180.0, 380.0), (280.0, 480.0)]);
}

#[test]
fn identifiers_in_a_path_are_one_operation() {
    let cases = [
        ("/items/17", "/items/{id}"),
        ("/items/17/parts/9?x=1", "/items/{id}/parts/{id}"),
        ("/u/6fa459ea-ee8a-3ca4-894e-db77e160355e", "/u/{id}"),
        ("/v1/items", "/v1/items"),
        ("/o/ord_5f2b8c9d", "/o/{id}"),
        ("/at/2026-11-29", "/at/{id}"),
        ("/a/{id}", "/a/{id}"),
        ("/cafe", "/cafe"),
        ("", ""),
    ];
    for (path, route) in cases {
        assert_eq!(rule::route(path), route);
    }
    let page = "http_request_duration_seconds_count{method=\"get\",path=\"/items/1\"} 3\n\
        http_request_duration_seconds_count{method=\"get\",path=\"/items/2\"} 4\n";
    let expected = (
        "server-requests",
        "operation=get /items/{id}".to_owned(),
        7.0,
    );
    assert_eq!(values(page), [expected]);
}

#[test]
fn a_page_tells_which_process_it_is_of() {
    let process = |page: &str| {
        let mut reader = PageReader::new();
        exposition::read(page, false, |sample| reader.take(&sample)).unwrap();
        reader.process()
    };
    let java = process("process_start_time_seconds 1.5e9\nprocess_cpu_usage 0.1\n").unwrap();
    assert_eq!((java.name.as_str(), java.started), ("", Some(1.5e9)));
    let node =
        "process_cpu_seconds_total{pid=\"12\"} 3\nprocess_start_time_seconds{pid=\"12\"} 5\n";
    assert_eq!(process(node).unwrap().name, "pid=12");
    let otel = "target_info{service_name=\"shop\",service_instance_id=\"ab\"} 1\n";
    assert_eq!(process(otel).unwrap().name, "service_instance_id=ab");
    assert_eq!(process("http_requests_total 3\n"), None);
    let aggregated =
        "process_start_time_seconds{pid=\"1\"} 5\nprocess_start_time_seconds{pid=\"2\"} 6\n";
    assert_eq!(process(aggregated), None, "a page of several");
    let exporter = "process_start_time_seconds 5\nnode_exporter_build_info 1\n";
    assert_eq!(process(exporter), None, "it is about something else");
}

#[test]
fn metrics_that_seem_to_matter_and_are_not_used_are_told_with_the_reason() {
    let page = "my_pool_in_use 3\nmy_requests_total 5\n\
        tomcat_threads_config_max_threads{name=\"a\"} -1\n\
        db_client_connections_usage{state=\"odd\"} 4\n\
        jvm_memory_pool_bytes 3\nhikaricp_connections_max{pool=\"p\"} 5\n";
    let (_, setup) = read(page);
    let codes: Vec<String> = setup.unused().iter().map(ToString::to_string).collect();
    let expected = [
        "unused-metric labels db_client_connections_usage",
        "unused-metric name my_pool_in_use",
        "unused-metric no-value tomcat_threads_config_max_threads",
    ];
    assert_eq!(codes, expected);
}

/// Seen: a Go server behind promhttp's middleware had no time of its requests.
#[test]
fn requests_are_counted_once_whatever_labels_they_have() {
    for labels in [
        r#"code="200",method="get""#,
        r#"code="200",method="get",path="/a""#,
        r#"status="200",method="get",path="/a""#,
        r#"status_code="200",method="get",route="/a""#,
        r#"status="2xx",method="get",handler="/a""#,
        r#"code="200",method="get",handler="/a",path="/a""#,
    ] {
        let page = format!(
            "http_request_duration_seconds_count{{{labels}}} 4\nhttp_request_duration_seconds_sum{{{labels}}} 2\n"
        );
        let read = values(&page);
        let of = |name: &str| -> f64 {
            let all = read.iter().filter(|(kind, _, _)| *kind == name);
            all.map(|(_, _, value)| value).sum()
        };
        assert!(
            (of("server-requests") - 4.0).abs() < 1e-9,
            "{labels}: {read:?}"
        );
        assert!(
            (of("server-request-time") - 2.0).abs() < 1e-9,
            "{labels}: {read:?}"
        );
    }
}

#[test]
fn an_outside_server_is_named_by_whatever_label_names_it() {
    for label in ["server_address", "host", "target", "peer_service"] {
        let page =
            format!("http_client_request_duration_seconds_count{{{label}=\"payments\"}} 4\n");
        let (_, entity, _) = values(&page).remove(0);
        assert!(entity.contains("payments"), "{label}: {entity}");
    }
}

/// Seen: a page that counted each call that was answered 429, and "why is not seen".
#[test]
fn calls_that_another_server_refuses_are_told_by_whatever_label_has_the_status() {
    for label in ["code", "status", "status_code", "http_response_status_code"] {
        for (status, refused) in [("429", true), ("503", true), ("500", false), ("200", false)] {
            let page = format!(
                "http_client_request_duration_seconds_count{{host=\"pay\",{label}=\"{status}\"}} 4\n"
            );
            let read = values(&page);
            let is_told = read.iter().any(|(kind, _, _)| *kind == "outside-refused");
            assert_eq!(is_told, refused, "{label}={status}: {read:?}");
        }
    }
    let of_spring = "http_client_requests_seconds_count{client_name=\"pay\",status=\"503\"} 4\n";
    assert!(
        values(of_spring)
            .iter()
            .any(|(kind, _, _)| *kind == "outside-refused")
    );
}

/// A Prometheus of a cluster: the node is where cAdvisor is scraped, unless a label names it.
#[test]
fn pods_are_told_with_their_nodes() {
    let page = "kube_pod_info{pod=\"shop-1\",node=\"node-a\",host_ip=\"10.0.0.1\",pod_ip=\"10.244.0.7\"} 1\n\
        container_cpu_usage_seconds_total{pod=\"tempo-0\",container=\"tempo\",image=\"i\"} 7\n";
    let mut reader = PageReader::new().at("10.0.0.2");
    exposition::read(page, false, |sample| reader.take(&sample)).unwrap();
    let mut reading = Reading::default();
    reader.finish(&mut reading);
    let settings = reading.settings.iter();
    let told: Vec<String> = settings
        .map(|one| format!("{} {}={}", one.entity, one.name, one.value))
        .collect();
    assert_eq!(
        told,
        [
            "instance=shop-1 pod.address=10.244.0.7",
            "instance=shop-1 pod.host=10.0.0.1",
            "instance=shop-1 pod.node=node-a",
            "instance=tempo-0 pod.host=10.0.0.2",
        ]
    );
}

#[test]
fn a_pool_tells_what_it_keeps_open_and_what_it_opened() {
    for page in [
        "hikaricp_connections_min{pool=\"p\"} 2\nhikaricp_connections_creation_seconds_count{pool=\"p\"} 9\n",
        "hikaricp_min_connections{pool=\"p\"} 2\nhikaricp_connection_creation_millis_count{pool=\"p\"} 9\n",
        "db_client_connection_idle_min{db_client_connection_pool_name=\"p\"} 2\n\
            db_client_connection_create_time_seconds_count{db_client_connection_pool_name=\"p\"} 9\n",
    ] {
        let of = |kind, value| (kind, "pool=p".to_owned(), value);
        assert_eq!(
            values(page),
            [of("pool-min", 2.0), of("pool-opened", 9.0)],
            "{page}"
        );
    }
}
