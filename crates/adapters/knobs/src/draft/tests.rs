use loadline_text::Lang;

use super::*;
use crate::study;

fn process(words: &[&str], variables: &[(&str, &str)]) -> RunningProcess {
    RunningProcess {
        pid: 42,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        variables: variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        folder: "/srv/app".into(),
        ports: vec![8080],
    }
}

/// The draft, which must be a study without mistakes.
fn drafted(process: Option<&RunningProcess>, pages: &AnsweredPages) -> (String, study::StudyFile) {
    let mut texts = Vec::new();
    for lang in [Lang::Ko, Lang::En] {
        texts.push(text(&DraftSource {
            process,
            pages,
            url: "http://127.0.0.1:8080/",
            own_variables: &|name| (name == "SAME").then(|| "here".to_owned()),
            folder: Path::new("/tmp"),
            catalog: &Catalog::new(lang),
        }));
    }
    let files = texts
        .iter()
        .map(|text| study::read(text, "study", Path::new("/tmp")).unwrap());
    let files: Vec<study::StudyFile> = files.collect();
    assert_eq!(files[0], files[1]);
    (texts.pop().unwrap(), files[1].clone())
}

fn knob<'f>(file: &'f study::StudyFile, name: &str) -> &'f study::Knob {
    file.knobs.iter().find(|knob| knob.name == name).unwrap()
}

#[test]
fn spring_boot_has_heap_pool_and_threads_with_what_shows_them() {
    let words = [
        "java",
        "-Xmx96m",
        "-jar",
        "app.jar",
        "--server.tomcat.threads.max=200",
    ];
    let variables = [
        ("DB_POOL_SIZE", "10"),
        ("DB_PASSWORD", "x"),
        ("SAME", "here"),
        ("MODE", "a b"),
    ];
    let page = "# TYPE a gauge\nhikaricp_connections_max{pool=\"main\"} 10.0\ntomcat_threads_config_max_threads{name=\"http\"} 200.0\n";
    let pages = AnsweredPages {
        metrics: Some((
            "http://127.0.0.1:8081/actuator/prometheus".to_owned(),
            page.to_owned(),
        )),
        ready: Some("http://127.0.0.1:8081/actuator/health".to_owned()),
    };
    let (text, file) = drafted(Some(&process(&words, &variables)), &pages);
    let start = file.target.start.clone().unwrap();
    assert_eq!(
        start,
        [
            "env",
            "-C",
            "/srv/app",
            "MODE=a b",
            "java",
            "{heap}",
            "-jar",
            "app.jar",
            "{threads}"
        ]
    );
    assert_eq!(
        knob(&file, "heap").values,
        ["48m", "72m", "96m", "144m", "192m"]
    );
    assert_eq!(
        knob(&file, "db_pool_size").method,
        study::KnobMethod::Env("DB_POOL_SIZE".to_owned())
    );
    assert!(knob(&file, "db_pool_size").read.is_some());
    assert_eq!(
        knob(&file, "threads").method,
        study::KnobMethod::Argument("--server.tomcat.threads.max={value}".to_owned())
    );
    assert!(!text.contains("DB_PASSWORD="), "{text}");
    assert!(text.contains("DB_PASSWORD"), "{text}");
}

#[test]
fn without_a_heap_option_the_one_that_metrics_show_is_put_before_the_program() {
    let page = "# TYPE a gauge\njvm_memory_max_bytes{area=\"heap\",id=\"Old\"} 1.34217728E8\njvm_memory_max_bytes{area=\"heap\",id=\"Eden\"} -1.0\n";
    let pages = AnsweredPages {
        metrics: Some(("http://127.0.0.1:8080/m".to_owned(), page.to_owned())),
        ready: None,
    };
    let (_, file) = drafted(Some(&process(&["java", "-jar", "a.jar"], &[])), &pages);
    assert_eq!(
        file.target.start.clone().unwrap()[3..],
        ["java", "{heap}", "-jar", "a.jar"]
    );
    assert_eq!(file.knobs[0].values[file.knobs[0].now], "128m");
}

#[test]
fn node_has_its_heap_and_threads() {
    let words = ["/usr/bin/node", "--max-old-space-size=256", "server.js"];
    let (_, file) = drafted(Some(&process(&words, &[])), &AnsweredPages::default());
    assert_eq!(knob(&file, "heap").values[2], "256");
    assert_eq!(knob(&file, "io_threads").values, ["1", "2", "4", "8", "16"]);
    assert_eq!(file.name, "server");
}

#[test]
fn any_process_has_what_its_options_and_variables_name() {
    let words = [
        "gunicorn",
        "--workers",
        "4",
        "--bind=:8080",
        "app:app",
        "--threads=2",
    ];
    let variables = [("QUEUE_BATCH", "50"), ("POOL_TIMEOUT_MS", "500")];
    let (_, file) = drafted(
        Some(&process(&words, &variables)),
        &AnsweredPages::default(),
    );
    let names: Vec<&str> = file.knobs.iter().map(|knob| knob.name.as_str()).collect();
    assert_eq!(names, ["queue_batch", "workers", "threads"]);
    assert_eq!(
        file.target.start.clone().unwrap(),
        [
            "env",
            "-C",
            "/srv/app",
            "POOL_TIMEOUT_MS=500",
            "gunicorn",
            "{workers}",
            "--bind=:8080",
            "app:app",
            "{threads}"
        ]
    );
}

#[test]
fn what_shows_nothing_and_what_runs_elsewhere_have_a_knob_to_change() {
    let (_, file) = drafted(
        Some(&process(&["./server"], &[])),
        &AnsweredPages::default(),
    );
    assert_eq!(file.knobs[0].name, "workers");
    let pages = AnsweredPages {
        metrics: Some((
            "http://10.0.0.5/metrics".to_owned(),
            "# TYPE a gauge\n".to_owned(),
        )),
        ready: None,
    };
    let (_, file) = drafted(None, &pages);
    assert!(matches!(file.knobs[0].method, study::KnobMethod::Manual(_)));
}

/// Seen in a file that everybody may read.
#[test]
fn secrets_of_command_and_variables_are_not_written() {
    let words = [
        "python3",
        "app.py",
        "--db-password=argsecret7",
        "-Dspring.datasource.password=argsecret8",
        "--api-token",
        "argsecret9",
    ];
    let variables = [
        ("DB_PASS", "passpass1"),
        ("DATABASE_URL", "postgres://app:urlsecret3@db/shop"),
        (
            "SESSION",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        ),
        ("MODE", "blue"),
    ];
    let (text, _) = drafted(
        Some(&process(&words, &variables)),
        &AnsweredPages::default(),
    );
    for secret in ["argsecret", "passpass1", "urlsecret3", "c2lnbmF0dXJl"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    for shown in [
        "DB_PASS",
        "DATABASE_URL",
        "MODE=blue",
        "--db-password=(redacted)",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
}
