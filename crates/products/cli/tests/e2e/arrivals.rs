//! How starts are spaced: as asked for, the same again from the same seed, and told.

use serde_json::Value;

use crate::common::{Server, loadline, no_folder, script, stderr, stdout};

const SCRIPT: &str = "import http from 'k6/http';
     export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 100,
       duration: '2s', preAllocatedVUs: 20, maxVUs: 200 } } };
     export default function () { http.get(__ENV.BASE || 'http://127.0.0.1:9/'); }";

/// The planned starts, nanoseconds.
fn schedule(name: &str, flags: &[&str]) -> Vec<u64> {
    let path = script(&format!("arrivals-{name}.js"), SCRIPT);
    let args = [&["inspect", "--schedule"], flags, &[path.to_str().unwrap()]];
    let output = loadline(&args.concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    let starts = shown["scenarios"][0]["startOffsetsNs"].as_array().unwrap();
    starts.iter().map(|at| at.as_u64().unwrap()).collect()
}

#[test]
fn a_script_keeps_the_spacing_of_k6_unless_it_is_asked_for_another() {
    let even = schedule("even", &[]);
    assert_eq!(even.len(), 201);
    assert!(even.windows(2).all(|pair| pair[1] - pair[0] == 10_000_000));
    let random = schedule("random", &["--arrivals", "poisson", "--arrivals-seed", "7"]);
    assert!(random.windows(2).any(|pair| pair[1] - pair[0] > 20_000_000));
    assert!(random.windows(2).any(|pair| pair[1] - pair[0] < 5_000_000));
    let again = schedule("again", &["--arrivals-seed", "7"]);
    assert_eq!(random, again, "the same seed makes the same starts");
    let other = schedule("other", &["--arrivals-seed", "8"]);
    assert_ne!(random, other);
}

#[test]
fn a_run_says_and_keeps_the_seed_its_starts_came_from() {
    let server = Server::start();
    let store = no_folder("arrivals-store");
    let store = store.to_str().unwrap();
    let args = ["run", &server.base, "--rate", "100/s", "-d", "2s", "-q"];
    let flags = ["--vus", "200", "--arrivals-seed", "4711", "--store", store];
    let output = loadline(&[&args[..], &flags].concat());
    let said = stdout(&output);
    let line = "random (Poisson), --arrivals-seed 4711 makes the same ones";
    assert!(said.contains(line), "{said}");
    let first = server.requests();
    let shown = loadline(&["show", "latest", "--store", store]);
    assert!(stdout(&shown).contains(line), "{}", stdout(&shown));
    // The schedule is the same, so as many are sent, whatever the number of workers.
    loadline(&[&args[..], &flags, &["--threads", "3"]].concat());
    assert_eq!(server.requests() - first, first);
    let korean = loadline(&[&args[..], &flags, &["--lang", "ko"]].concat());
    let said = stdout(&korean);
    assert!(
        said.contains("무작위(푸아송), --arrivals-seed 4711"),
        "{said}"
    );
}

#[test]
fn a_script_at_random_says_its_seed() {
    let server = Server::start();
    let path = script("arrivals-said.js", SCRIPT);
    let base = format!("BASE={}", server.base);
    let args = ["run", "-q", "-e", &base, path.to_str().unwrap()];
    let output = loadline(&[&args[..], &["--arrivals", "poisson"]].concat());
    let said = stderr(&output);
    assert!(
        said.contains("random (Poisson), --arrivals-seed "),
        "{said}"
    );
    let output = loadline(&args);
    assert!(!stderr(&output).contains("Poisson"), "{}", stderr(&output));
}

#[test]
fn an_artillery_file_comes_at_random_when_asked() {
    let server = Server::start();
    let text = format!(
        "config: {{target: '{}', phases: [{{duration: 2, arrivalRate: 50}}]}}
scenarios: [{{flow: [{{get: {{url: /}}}}]}}]
",
        server.base
    );
    let path = script("arrivals.yml", &text);
    let path = path.to_str().unwrap();
    let even = loadline(&["run", path, "-q"]);
    assert_eq!(server.requests(), 100, "{}", stderr(&even));
    let random = loadline(&["run", path, "-q", "--arrivals-seed", "5"]);
    let said = stderr(&random);
    assert!(said.contains("--arrivals-seed 5 makes"), "{said}");
    let sent = server.requests() - 100;
    assert!((60..140).contains(&sent), "{sent}");
    assert_ne!(sent, 100, "this seed's number is another");
}

#[test]
fn evenly_spaced_starts_have_no_seed() {
    for args in [
        ["run", "http://127.0.0.1:9/", "--rate", "5/s"].as_slice(),
        &["capacity", "http://127.0.0.1:9/"],
    ] {
        let flags = ["--arrivals", "even", "--arrivals-seed", "3"];
        let output = loadline(&[args, &flags].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("--arrivals even"), "{said}");
    }
}

#[test]
fn segments_with_random_starts_need_the_seed_that_makes_them_parts_of_one_schedule() {
    let path = script("arrivals-segment.js", SCRIPT);
    let file = path.to_str().unwrap();
    let args = [
        "run",
        "--no-store",
        "-q",
        "--arrivals",
        "poisson",
        "--execution-segment",
        "0:1/2",
        file,
    ];
    let refused = loadline(&args);
    assert_eq!(refused.status.code(), Some(104), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("--execution-segment needs --arrivals-seed"));
    let server = Server::start();
    let sent = |segment: &str| {
        let before = server.requests();
        let base = format!("BASE={}", server.base);
        let flags = [
            "--arrivals-seed",
            "7",
            "--execution-segment",
            segment,
            "-e",
            &base,
        ];
        let output = loadline(&[&["run", "--no-store", "-q"], &flags[..], &[file]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        server.requests() - before
    };
    let planned = schedule("all", &["--arrivals-seed", "7"]).len() as u64;
    assert_eq!(sent("0:1/2") + sent("1/2:1"), planned);
}
