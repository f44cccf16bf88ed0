//! Peers that flood, bomb and stall: the run ends in time, a healthy endpoint beside them keeps its
//! starts, memory stays bounded, and limits have names.
//!
//! The attacks are `loadline_testkit::attacks`; what k6 made of each is recorded there.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use loadline_testkit::attacks::{self, AttackEnd, AttackProtocol, AttackServer};
use loadline_testkit::server::TlsMaterial;

use crate::common::{Server, command, no_folder, script, stderr, stdout};

/// After its graceful stop a run ends within this.
const END_TIMEOUT: Duration = Duration::from_secs(2);
/// What an attack may cost in memory, beside a run without it.
const MORE_MEGABYTES_MAX: f64 = 64.0;
/// A machine that is too busy for a run without attack cannot judge one with; it is asked again.
const ATTEMPTS_MAX: usize = 4;
/// Attacks of one run; each floods as fast as it can, and the machine has few cores.
const ATTACKS_OF_A_RUN: usize = 4;

/// Limits have errors with a name.
const NAMED: [(&str, &str); 24] = [
    ("head-endless", "header fields"),
    ("field-endless", "response headers exceeded"),
    ("hints-endless", "too many 1xx informational responses"),
    ("continue-endless", "too many 1xx informational responses"),
    ("fields-5000", "header fields"),
    ("trailers-endless", "response headers exceeded"),
    ("chunks-of-a-byte", "too much non-data"),
    ("chunk-huge", "chunk length too large"),
    ("length-over", "bad Content-Length"),
    ("length-twice", "multiple Content-Length"),
    ("page-deep", "open stack of elements exceeds 512 nodes"),
    ("page-attributes", "more than 4096 attributes"),
    ("redirect-loop", "status 302"),
    ("redirect-file", "unsupported protocol scheme"),
    ("silence", "request timeout"),
    ("h2-settings", "control frames in a row"),
    ("h2-ping", "control frames in a row"),
    ("h2-reset", ""),
    ("h2-hints", "too many 1xx informational responses"),
    ("h2-priority", "control frames in a row"),
    ("h2-silence", "request timeout"),
    ("ws-messages", "closed within 1 s"),
    ("ws-pings", "closed within 1 s"),
    ("ws-huge", "close sent"),
];

/// All attacks, in one process.
fn server() -> &'static AttackServer {
    static SERVER: OnceLock<AttackServer> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = no_folder("attacks");
        std::fs::create_dir_all(&folder).unwrap();
        let material = TlsMaterial::generate(&folder).unwrap();
        AttackServer::start(&material).unwrap()
    })
}

/// How a run went.
struct Ran {
    took: Duration,
    megabytes: f64,
    output: String,
    code: Option<i32>,
}

/// Two such runs at once would starve each other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn run(attacks: &[serde_json::Value]) -> Ran {
    let _turn = ONE_AT_A_TIME.lock();
    let healthy = Server::start();
    let text = include_str!("attacks/attacks.js");
    let path = script("attacks.js", text);
    let begun = Instant::now();
    let child = command(&["run", path.to_str().unwrap(), "--no-store"])
        .env("ATTACKS", serde_json::to_string(attacks).unwrap())
        .env("HEALTHY", &healthy.base)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let watched = std::thread::spawn(move || peak_megabytes(id));
    let output = child.wait_with_output().unwrap();
    let took = begun.elapsed();
    Ran {
        took,
        megabytes: watched.join().unwrap(),
        output: stdout(&output) + &stderr(&output),
        code: output.status.code(),
    }
}

/// The most memory a process had, followed until it is gone.
fn peak_megabytes(process: u32) -> f64 {
    let mut peak = 0.0;
    while let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) {
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
        // A process that has ended has no memory any more.
        let Some(kilobytes) = kilobytes else { break };
        peak = kilobytes / 1024.0;
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}

/// A run without attack.
fn unharmed() -> &'static Ran {
    static UNHARMED: OnceLock<Ran> = OnceLock::new();
    UNHARMED.get_or_init(|| {
        let ran = run(&[]);
        assert_eq!(ran.code, Some(0), "{}", ran.output);
        ran
    })
}

/// Runs against attacks, some at a time.
fn withstand(protocols: &[AttackProtocol], module: Option<&str>) {
    let chosen: Vec<_> = server()
        .attacks()
        .iter()
        .filter(|(attack, _)| protocols.contains(&attack.protocol))
        .collect();
    assert!(!chosen.is_empty());
    for some in chosen.chunks(ATTACKS_OF_A_RUN) {
        let attacks: Vec<_> = some
            .iter()
            .map(|(attack, address)| {
                let protocol = module.map_or_else(|| format!("{:?}", attack.protocol), str::to_owned);
                serde_json::json!({ "name": attack.name, "protocol": protocol, "address": address.to_string() })
            })
            .collect();
        let names: Vec<&str> = some.iter().map(|(attack, _)| attack.name).collect();
        judge(&names, &run_in_time(&names, &attacks), module);
    }
}

/// A run against attacks whose healthy endpoint kept its starts and that ended in time.
fn run_in_time(names: &[&str], attacks: &[serde_json::Value]) -> Ran {
    let unharmed = unharmed().took;
    let grace = Duration::from_secs(1);
    for _ in 0..ATTEMPTS_MAX {
        let ran = run(attacks);
        let is_in_time = ran.took <= unharmed + grace + END_TIMEOUT;
        if ran.code == Some(0) && is_in_time {
            return ran;
        }
        let control = run(&[]);
        assert!(
            control.code != Some(0) || control.took > unharmed + grace,
            "{names:?}: exit code {:?} (0 if a healthy endpoint kept its starts) after {:?}, without attack {unharmed:?}: {}",
            ran.code,
            ran.took,
            ran.output
        );
    }
    panic!(
        "{names:?}: the machine was too busy {ATTEMPTS_MAX} times, for runs without attack, too"
    );
}

fn judge(names: &[&str], ran: &Ran, module: Option<&str>) {
    let (unharmed, output) = (unharmed(), &ran.output);
    let more = ran.megabytes - unharmed.megabytes;
    let allowed = MORE_MEGABYTES_MAX * names.len() as f64;
    assert!(more <= allowed, "{names:?}: {more} MB more, {output}");
    let said: BTreeMap<&str, &str> = output
        .split("SAID ")
        .skip(1)
        .filter_map(|rest| rest.split('\n').next()?.split_once(": "))
        .collect();
    if module.is_some() {
        return;
    }
    for (name, words) in NAMED.iter().filter(|(name, _)| names.contains(name)) {
        let told = said.get(name).copied().unwrap_or_default();
        // On a busy machine a time-out may come first: it has its turn, too.
        assert!(
            told.contains(words) || told.contains("request timeout"),
            "{name}: {told:?} lacks {words:?}: {output}"
        );
    }
}

#[test]
fn every_attack_is_told_of_k6_and_all_names_are_those_of_attacks() {
    let all = attacks::all();
    assert!(all.len() >= 70, "{}", all.len());
    let of_k6: Vec<&str> = attacks::of_k6().iter().map(|row| row.name).collect();
    // k6 has no Socket.IO.
    let of_ours = all
        .iter()
        .filter(|attack| attack.protocol != AttackProtocol::SocketIo);
    assert_eq!(of_k6, of_ours.map(|attack| attack.name).collect::<Vec<_>>());
    for (name, _) in NAMED {
        assert!(all.iter().any(|attack| attack.name == name), "{name}");
    }
    assert!(
        all.iter()
            .all(|attack| attack.end != AttackEnd::Flood || !attack.flood.is_empty())
    );
}

#[test]
fn answers_over_http1_end_in_time() {
    withstand(&[AttackProtocol::Http1, AttackProtocol::Sse], None);
}

#[test]
fn frames_over_http2_end_in_time() {
    withstand(&[AttackProtocol::Http2, AttackProtocol::Grpc], None);
}

#[test]
fn records_of_tls_end_in_time() {
    withstand(&[AttackProtocol::Tls], None);
}

#[test]
fn messages_of_websockets_end_in_time_and_leave_timers_their_turn() {
    withstand(&[AttackProtocol::WebSocket], None);
    withstand(&[AttackProtocol::WebSocket], Some("Events"));
}

#[test]
fn events_of_socket_io_end_in_time() {
    for (attack, address) in server().attacks() {
        if attack.protocol != AttackProtocol::SocketIo {
            continue;
        }
        let text = format!(
            "config:\n  target: 'http://{address}'\n  phases: [{{duration: 1, arrivalRate: 2}}]\n  socketio: {{transports: ['websocket']}}\n\
             scenarios:\n  - engine: socketio\n    flow: [{{emit: {{channel: x, data: y}}}}, {{think: 1}}]\n"
        );
        let path = script("attacks.yml", &text);
        let begun = Instant::now();
        let ran = command(&["run", path.to_str().unwrap(), "--no-store"])
            .output()
            .unwrap();
        let took = begun.elapsed();
        let output = stdout(&ran) + &stderr(&ran);
        assert!(
            took < Duration::from_secs(8),
            "{}: {took:?}, {output}",
            attack.name
        );
        assert!(
            output.contains("vusers.completed"),
            "{}: {output}",
            attack.name
        );
    }
}
