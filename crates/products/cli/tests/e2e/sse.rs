//! Server-Sent Events in scripts: what they see, and that no end of a run waits for them.

use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use crate::common::{Started, Stopwatch, TestTarget, command, script, signal, stderr, stdout};

/// Runs scripts with event streams against the test server.
struct Target(TestTarget);

impl Target {
    fn start(name: &str) -> Self {
        Self(TestTarget::start(name))
    }

    fn run(&self, name: &str, text: &str, flags: &[&str]) -> Started {
        let path = script(name, &format!("import sse from 'k6/x/sse';\n{text}"));
        let mut args = vec!["run", "-q"];
        args.extend_from_slice(flags);
        args.push(path.to_str().unwrap());
        let mut command = command(&args);
        for (name, base) in self.0.server.bases().environment() {
            command.env(name, base);
        }
        let piped = std::process::Stdio::piped;
        command.stdout(piped()).stderr(piped()).spawn().unwrap()
    }

    /// What the script's `console.log` said, line by line, and the exit code.
    fn lines(&self, name: &str, text: &str) -> (Vec<String>, Option<i32>) {
        let output = self.run(name, text, &[]).wait_with_output().unwrap();
        let said = stderr(&output);
        let lines = said.lines().filter(|line| line.contains("source=console"));
        let message = |line: &str| {
            let after = line.split("msg=").nth(1).unwrap_or_default();
            let message = after.trim_end_matches(" source=console").trim_matches('"');
            message.replace("\\\"", "\"")
        };
        (lines.map(message).collect(), output.status.code())
    }
}

#[test]
fn a_stream_is_read_event_by_event_over_both_versions_of_http() {
    let target = Target::start("sse-events");
    for base in ["BASE", "TLS_BASE"] {
        let text = format!(
            "export const options = {{ insecureSkipTLSVerify: true }};
             export default function () {{
                 // Before the stream opens: a busy machine may be late to see it open, never too early to see an event.
                 const begin = Date.now();
                 const res = sse.open(`${{__ENV.{base}}}/sse/gzip/3?gap=100`, (client) => {{
                     client.on('open', () => console.log('open'));
                     client.on('event', (e) => {{
                         const waited = Date.now() - begin;
                         console.log(e.id, e.name, e.data, waited >= 80 * e.id);
                     }});
                 }});
                 console.log(res.status, res.headers['Content-Type'], res.error === '');
             }}"
        );
        let (lines, exit) = target.lines(&format!("sse-events-{base}.js"), &text);
        let expected = [
            "open",
            "0 tick {\"tick\":0} true",
            "1 tick {\"tick\":1} true",
            "2 tick {\"tick\":2} true",
            "200 text/event-stream true",
        ];
        assert_eq!(
            (lines, exit),
            (expected.map(str::to_owned).to_vec(), Some(0)),
            "{base}"
        );
    }
}

#[test]
fn an_event_is_told_while_the_rest_of_a_packed_stream_is_yet_to_come() {
    let target = Target::start("sse-first");
    let text = "export default function () {
            sse.open(`${__ENV.BASE}/sse/gzip/3?gap=60000`, (client) => {
                client.on('event', (e) => { console.log(e.id); client.close(); });
            });
        }";
    let begun = Stopwatch::start();
    let (lines, exit) = target.lines("sse-first.js", text);
    assert_eq!((lines, exit), (vec!["0".to_owned()], Some(0)));
    begun.assert_within(Duration::from_secs(5));
}

#[test]
fn samples_are_those_of_the_extension() {
    let target = Target::start("sse-samples");
    let text = "export const options = { thresholds: {
            'sse_event{kind:a}': ['count==3'], 'http_reqs{kind:a}': ['count==1'],
            'http_req_duration{kind:a,status:200}': ['min>=90'],
            'http_req_sending{kind:a}': ['max<90'], 'http_reqs{status:401}': ['count==1'],
        } };
        export default function () {
            sse.open(`${__ENV.BASE}/sse/ticks/3?gap=50`, { tags: { kind: 'a' } }, () => {});
            const res = sse.open(`${__ENV.BASE}/sse/status/401`, () => console.log('never'));
            console.log(res.status, res.body);
        }";
    let (lines, exit) = target.lines("sse-samples.js", text);
    assert_eq!(
        (lines, exit),
        (vec!["401 {\"refused\":401}".to_owned()], Some(0))
    );
}

#[test]
fn a_script_closes_a_stream_that_would_go_on_for_ever() {
    let target = Target::start("sse-close");
    let text = "export default function () {
            let seen = 0;
            const res = sse.open(`${__ENV.BASE}/sse/endless?gap=20`, (client) => {
                client.on('event', () => { if (++seen === 2) client.close(); });
            });
            console.log(seen, res.status);
        }";
    let (lines, _) = target.lines("sse-close.js", text);
    assert_eq!(lines, ["2 200"]);
}

#[test]
fn a_stream_that_breaks_is_told_and_ends() {
    let target = Target::start("sse-breaks");
    let text = "export default function () {
            const res = sse.open(`${__ENV.BASE}/sse/cut?gap=50`, (client) => {
                client.on('event', (e) => console.log(e.id));
                client.on('error', (e) => console.log('error', e.error()));
            });
            console.log(res.status);
            const none = sse.open('http://127.0.0.1:1/', () => {});
            console.log(none.status, none.error);
        }";
    let (lines, exit) = target.lines("sse-breaks.js", text);
    let refused =
        "0 Get \"http://127.0.0.1:1/\": dial tcp 127.0.0.1:1: connect: connection refused";
    assert_eq!(lines, ["0", "error unexpected EOF", "200", refused]);
    assert_eq!(exit, Some(0));
}

const WAITING: &str = "export default function () {
        sse.open(`${__ENV.BASE}/sse/endless?gap=1000`, (client) => {
            client.on('open', () => console.log('waiting'));
        });
        console.log('came back');
    }";

#[test]
fn an_open_stream_is_cut_when_the_grace_of_a_scenario_is_over() {
    let target = Target::start("sse-grace");
    let text = format!(
        "export const options = {{ scenarios: {{ s: {{
             executor: 'constant-vus', vus: 3, duration: '1s', gracefulStop: '500ms' }} }},
             thresholds: {{ sse_event: ['count>=3'] }} }};\n{WAITING}"
    );
    let begun = Stopwatch::start();
    let (lines, exit) = target.lines("sse-grace.js", &text);
    assert_eq!((lines, exit), (vec!["waiting".to_owned(); 3], Some(0)));
    begun.assert_within(Duration::from_secs(5));
}

#[test]
fn an_open_stream_is_cut_by_a_signal_and_by_an_abort() {
    let target = Target::start("sse-signal");
    let mut child = target.run(
        "sse-signal.js",
        WAITING,
        &["--vus", "2", "--duration", "60s"],
    );
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut waiting = 0;
    while waiting < 2 {
        let mut line = String::new();
        assert_ne!(log.read_line(&mut line).unwrap(), 0, "both wait");
        waiting += usize::from(line.contains("waiting"));
    }
    let asked = Stopwatch::start();
    signal(&child, "INT");
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(105), "{rest}");
    asked.assert_within(Duration::from_secs(3));
    assert!(stdout(&output).contains("sse_event"), "{}", stdout(&output));

    let text = format!(
        "import exec from 'k6/execution'; import {{ sleep }} from 'k6';
         export const options = {{ scenarios: {{
             wait: {{ executor: 'constant-vus', vus: 2, duration: '60s' }},
             stop: {{ executor: 'shared-iterations', exec: 'stop', startTime: '1s' }} }} }};
         export function stop() {{ exec.test.abort('enough'); }}\n{WAITING}"
    );
    let begun = Stopwatch::start();
    let (_, exit) = target.lines("sse-abort.js", &text);
    assert_eq!(exit, Some(108));
    begun.assert_within(Duration::from_secs(5));
}

/// Users in one runtime each hear their own streams and sockets only.
#[test]
fn handlers_of_users_in_one_runtime_are_not_mixed_up() {
    let target = Target::start("sse-shared");
    let text = "import ws from 'k6/ws'; import { WebSocket } from 'k6/websockets'; import { Counter } from 'k6/metrics';
        const right = new Counter('right'), wrong = new Counter('wrong');
        const W = __ENV.BASE.replace('http', 'ws');
        let mine = 0;
        export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 40, iterations: 2 } },
            thresholds: { right: ['count==400'], wrong: ['count==0'] } };
        export function setup() { wrong.add(0); }
        export default function () {
            const is = (text) => { mine += 1; (text === `${__VU}` ? right : wrong).add(1); };
            sse.open(`${__ENV.BASE}/sse/echo`, { headers: { 'X-Own': `${__VU}` } }, (client) => {
                client.on('event', (e) => is(JSON.parse(e.data)['x-own']));
            });
            ws.connect(`${W}/ws/echo?delay=20`, (socket) => {
                let left = 2;
                socket.on('open', () => { socket.send(`${__VU}`); socket.send(`${__VU}`); });
                socket.on('message', (m) => { is(m); if (--left === 0) socket.close(); });
            });
            const web = new WebSocket(`${W}/ws/echo?delay=20`);
            let left = 2;
            web.onopen = () => { web.send(`${__VU}`); web.send(`${__VU}`); };
            web.onmessage = (e) => { is(e.data); if (--left === 0) web.close(); };
            web.onclose = () => { if (mine !== 5 * (__ITER + 1)) wrong.add(1); };
        }";
    let (lines, exit) = target.lines("sse-shared.js", text);
    assert_eq!((lines, exit), (Vec::new(), Some(0)));
}
