//! Nothing vanishes: what a run began is in its counts, and those are the server's own.

use std::time::Duration;

use serde_json::Value;

use crate::common::{
    Server, TestTarget, command, loadline, no_folder, script, signal, start, stderr, stdout, until,
};

/// A store of its own, and the counts of the run in it.
pub(crate) struct Kept(pub(crate) String);

impl Kept {
    pub(crate) fn new(name: &str) -> Self {
        let folder = no_folder(name);
        Self(folder.join("runs.db").to_str().unwrap().to_owned())
    }

    /// `accounting` of the only run, as exported.
    pub(crate) fn accounting(&self) -> Value {
        let output = loadline(&["runs", "export", "latest", "--store", &self.0]);
        let said = stdout(&output);
        let head: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
        head["end"]["run"]["accounting"].clone()
    }
}

pub(crate) fn count(accounting: &Value, of: &str, what: &str) -> u64 {
    let found = accounting[of][what].as_u64();
    found.unwrap_or_else(|| panic!("no {of}.{what} in {accounting}"))
}

/// Requests that were sent, answered, failed, cut; all of them known to the server.
pub(crate) fn requests(accounting: &Value, server: &Server) -> [u64; 4] {
    let all = ["sent", "answered", "failed", "cut"].map(|what| count(accounting, "requests", what));
    let resent = count(accounting, "requests", "resent");
    // What was written last may lie in its socket still.
    until("request at the server", || {
        server.requests() >= all[0] + resent
    });
    assert_eq!(all[0] + resent, server.requests(), "{accounting}");
    all
}

/// Guards against a target that answers, then hangs, and looks fast.
#[test]
fn a_target_that_hangs_is_slow_in_the_table_of_a_url_run() {
    let (server, kept) = (Server::hanging_after(40), Kept::new("hanging-url"));
    let args = [
        "--rate",
        "50/s",
        "--arrivals",
        "even",
        "-d",
        "2s",
        "--graceful-stop",
        "500ms",
    ];
    let all = [&["run", &server.base, "-q", "--store", &kept.0], &args[..]].concat();
    let said = stdout(&loadline(&all));

    let accounting = kept.accounting();
    let [sent, answered, failed, cut] = requests(&accounting, &server);
    assert_eq!((answered, failed), (40, 0));
    let line = said.lines().find(|line| line.starts_with("cut at the end"));
    let words: Vec<&str> = line
        .unwrap_or_else(|| panic!("{said}"))
        .split_whitespace()
        .collect();
    assert_eq!(words[4], cut.to_string(), "{said}");
    assert_eq!(words[6], sent.to_string(), "{said}");
    // 60 of 100 hang: the median is among them.
    for row in ["latency ", "from planned start"] {
        let line = said.lines().find(|line| line.starts_with(row)).unwrap();
        assert_eq!(line.matches('≥').count(), 6, "{said}");
    }
    assert_eq!(count(&accounting, "starts", "planned"), 101);
    assert_eq!(count(&accounting, "iterations", "interrupted"), cut);
}

/// Guards against 20 requests a second to one user who makes at most 5, and "p95 200 ms".
#[test]
fn a_goal_of_load_at_a_rate_counts_the_wait_for_a_user() {
    let server = Server::answering_after(Duration::from_millis(200));
    let kept = Kept::new("waiting-url");
    let args = ["--rate", "20/s", "--arrivals", "even", "-d", "2s"];
    let users = ["--vus", "1", "--max-vus", "1", "--graceful-stop", "60s"];
    let goal = ["--slo", "p(95)<600ms", "--fail-on", "errors"];
    let url = ["run", &server.base, "-q", "--store", &kept.0];
    let said = stdout(&loadline(&[&url[..], &args, &users, &goal].concat()));

    assert!(said.contains("✗ p(95)<600ms of planned starts: "), "{said}");
    assert!(said.starts_with("FAILED"), "{said}");
    let listed = stdout(&loadline(&["runs", "--json", "--store", &kept.0]));
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let p95 = listed["p95_ms"].as_f64();
    assert!(p95.is_some_and(|p95| p95 > 600.0), "{listed}");
}

#[test]
fn what_a_script_leaves_unfinished_is_told_and_stored_under_its_name() {
    let (server, kept) = (Server::hanging_after(10), Kept::new("hanging-script"));
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ scenarios: {{ rate: {{ executor: 'constant-arrival-rate', rate: 20,
           duration: '1s', preAllocatedVUs: 30, gracefulStop: '500ms' }} }},
           thresholds: {{ intended_latency: ['p(95)<500'] }} }};
         export default function () {{
           http.asyncRequest('GET', '{base}/', null, {{ tags: {{ name: 'async' }} }});
           http.batch([['GET', '{base}/', null, {{ tags: {{ name: 'batch' }} }}]]);
         }}",
        base = server.base
    );
    let path = script("hanging.js", &text);
    let output = loadline(&["run", path.to_str().unwrap(), "--store", &kept.0]);
    assert_eq!(output.status.code(), Some(99), "{}", stderr(&output));

    let accounting = kept.accounting();
    let [sent, answered, failed, cut] = requests(&accounting, &server);
    assert_eq!((answered, failed), (10, 0));
    let interrupted = count(&accounting, "iterations", "interrupted");
    assert_eq!(
        count(&accounting, "iterations", "complete") + interrupted,
        21
    );
    let said = stdout(&output);
    let line = format!(
        "{} complete and {interrupted} interrupted iterations",
        21 - interrupted
    );
    assert!(said.contains(&line), "{said}");
    assert!(said.contains("✗ 'p(95)<500'"), "{said}");
    let was = if cut == 1 { "was" } else { "were" };
    let told = format!("loadline: {cut} of {sent} requests {was} under way when the run ended");
    assert!(stderr(&output).contains(&told), "{}", stderr(&output));

    let exported = stdout(&loadline(&["runs", "export", "latest", "--store", &kept.0]));
    let cuts = exported
        .lines()
        .filter(|line| line.contains("\"http_reqs_cut\""));
    let cuts: Vec<&str> = cuts.collect();
    for name in ["async", "batch"] {
        assert!(
            cuts.iter().any(|line| line.contains(name)),
            "{name}: {cuts:?}"
        );
    }
}

#[test]
fn what_an_artillery_file_leaves_unfinished_when_it_is_stopped_is_told_and_stored() {
    let (server, kept) = (Server::hanging_after(5), Kept::new("hanging-artillery"));
    let text = format!(
        "config: {{ target: '{}', http: {{ timeout: 30 }}, phases: [{{ duration: 1, arrivalCount: 15 }}] }}
scenarios: [{{ flow: [{{ get: {{ url: '/' }} }}] }}]",
        server.base
    );
    let path = script("hanging.yml", &text);
    let child = start(&["run", path.to_str().unwrap(), "--store", &kept.0]);
    server.wait_for(15);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();

    let accounting = kept.accounting();
    let [sent, answered, failed, cut] = requests(&accounting, &server);
    assert_eq!(
        (sent, answered, failed, cut),
        (15, 5, 0, 10),
        "{accounting}"
    );
    assert_eq!(count(&accounting, "iterations", "interrupted"), cut);
    let told = format!("loadline: {cut} of {sent} requests were under way when the run ended");
    assert!(stderr(&output).contains(&told), "{}", stderr(&output));
}

#[test]
fn what_ctrl_c_cuts_is_counted() {
    let (server, kept) = (Server::hanging_after(3), Kept::new("hanging-stopped"));
    let child = start(&[
        "run",
        &server.base,
        "-u",
        "4",
        "-d",
        "60s",
        "-q",
        "--graceful-stop",
        "0s",
        "--store",
        &kept.0,
    ]);
    server.wait_for(7);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(requests(&kept.accounting(), &server), [7, 3, 0, 4]);
}

/// Each user's third request finds its connection closed, and is sent once more.
#[test]
fn requests_sent_again_on_a_broken_connection_are_counted_and_shown() {
    let (server, kept) = (Server::closing_after(2), Kept::new("resent"));
    let args = [
        "run",
        &server.base,
        "-u",
        "1",
        "-i",
        "40",
        "-q",
        "--store",
        &kept.0,
    ];
    let said = stdout(&loadline(&args));
    let accounting = kept.accounting();
    assert_eq!(requests(&accounting, &server), [40, 40, 0, 0]);
    let resent = count(&accounting, "requests", "resent");
    assert!(resent >= 10, "{resent}");
    let line = said.lines().find(|line| line.starts_with("sent again"));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    assert_eq!(line.split_whitespace().nth(2), Some(&*resent.to_string()));
}

/// Guards against coordinated omission with few users.
#[test]
fn starts_wait_for_the_only_user_and_their_wait_is_in_the_table() {
    let server = Server::answering_after(std::time::Duration::from_millis(150));
    let kept = Kept::new("waiting");
    let said = stdout(&loadline(&[
        "run",
        &server.base,
        "--rate",
        "20/s",
        "--arrivals",
        "even",
        "-d",
        "2s",
        "--max-vus",
        "1",
        "--vus",
        "1",
        "-q",
        "--store",
        &kept.0,
    ]));
    let accounting = kept.accounting();
    requests(&accounting, &server);
    let (planned, started) = (
        count(&accounting, "starts", "planned"),
        count(&accounting, "starts", "started"),
    );
    assert_eq!(planned, 41);
    assert!((8..=14).contains(&started), "{started}");
    assert_eq!(count(&accounting, "starts", "dropped"), planned - started);
    // A third of them began; what the others waited, up to 2 s, is in the median.
    let line = said
        .lines()
        .find(|line| line.starts_with("from planned start"));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains('≥'), "{said}");
}

/// Runs `calls` for two users with a client of the echo service. Returns the requests' account
/// and what the run said.
fn grpc_account(name: &str, calls: &str) -> ([u64; 6], String) {
    let (target, kept) = (TestTarget::start(name), Kept::new(name));
    let protos = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/k6/scripts/grpc/proto"
    );
    let text = format!(
        "import grpc from 'k6/net/grpc';
         const client = new grpc.Client();
         client.load(['{protos}'], 'echo.proto');
         export const options = {{ scenarios: {{ calls: {{ executor: 'per-vu-iterations', vus: 2,
           iterations: 1, maxDuration: '3s', gracefulStop: '0s' }} }} }};
         export default function () {{
           client.connect(__ENV.GRPC_BASE.replace('http://', ''), {{ plaintext: true }});
           {calls}
         }}"
    );
    let path = script(&format!("{name}.js"), &text);
    let mut run = command(&["run", "-q", "--store", &kept.0, path.to_str().unwrap()]);
    for (name, base) in target.server.bases().environment() {
        run.env(name, base);
    }
    let output = run.output().unwrap();
    let accounting = kept.accounting();
    let counts = [
        "sent",
        "answered",
        "failed",
        "cut",
        "other_ended",
        "other_cut",
    ];
    let counts = counts.map(|what| count(&accounting, "requests", what));
    (counts, stderr(&output))
}

/// Of each user's calls four are answered (one with an error), one is late, one hangs.
#[test]
fn grpc_calls_are_among_the_requests_with_what_became_of_them() {
    let calls = "
        const call = (message, params) => client.invoke('echo.v1.Echo/Unary', message, params);
        for (let i = 0; i < 3; i++) call({ text: 'a' });
        call({ text: 'b', code: 5 });
        call({ delay_ms: 9000 }, { timeout: '200ms' });
        call({ delay_ms: 9000 });";
    let (counts, said) = grpc_account("accounting-grpc", calls);
    assert_eq!(counts, [12, 8, 2, 2, 10, 2], "{said}");
    assert!(
        said.contains("2 of 12 requests were under way when the run ended"),
        "{said}"
    );
}

/// Of each user's streams two are answered (one with an error), one is late, one hangs.
#[test]
fn grpc_streams_are_among_the_requests_with_what_became_of_them() {
    let calls = "
        const open = (message, params) => {
          const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream', params);
          stream.on('error', () => {});
          stream.write(message);
        };
        open({ count: 2 });
        open({ count: 1, code: 5 });
        open({ delay_ms: 9000 }, { timeout: '200ms' });
        open({ delay_ms: 9000 });";
    let (counts, said) = grpc_account("accounting-grpc-streams", calls);
    assert_eq!(counts, [8, 4, 2, 2, 6, 2], "{said}");
    assert!(
        said.contains("2 of 8 requests were under way when the run ended"),
        "{said}"
    );
}

/// A script that closes its client gives its streams up: they ended, nothing cut them.
#[test]
fn grpc_streams_that_a_script_gives_up_are_not_called_cut() {
    let calls = "
        const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
        stream.on('error', () => {});
        stream.write({ text: 'a' });
        stream.on('data', () => client.close());";
    let (counts, said) = grpc_account("accounting-grpc-closed", calls);
    assert_eq!(counts, [2, 0, 2, 0, 2, 0], "{said}");
}

#[test]
fn handshakes_of_websockets_are_among_the_requests() {
    let (answering, hanging) = (Server::start(), Server::hanging_after(0));
    let kept = Kept::new("handshakes");
    let address = |server: &Server| server.base.replace("http://", "ws://");
    let text = format!(
        "import ws from 'k6/ws';
         export const options = {{ scenarios: {{ a: {{ executor: 'per-vu-iterations', vus: 1,
           iterations: 1, maxDuration: '1s', gracefulStop: '0s' }} }} }};
         export default function () {{
           try {{ ws.connect('{}/', null, () => {{}}); }} catch (refused) {{ /* a plain 200 */ }}
           ws.connect('{}/', null, () => {{}});
         }}",
        address(&answering),
        address(&hanging)
    );
    let path = script("accounting-ws.js", &text);
    let args = ["run", "-q", "--store", &kept.0, path.to_str().unwrap()];
    let output = loadline(&args);
    let accounting = kept.accounting();
    let counts = [
        "sent",
        "answered",
        "failed",
        "cut",
        "other_ended",
        "other_cut",
    ];
    let counts = counts.map(|what| count(&accounting, "requests", what));
    assert_eq!(counts, [2, 1, 0, 1, 1, 1], "{}", stderr(&output));
    assert!(
        stderr(&output).contains("1 of 2 requests was under way when the run ended"),
        "{}",
        stderr(&output)
    );
}
