//! What people type that know other tools, or in a hurry: what is meant is named.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::common::{command, loadline, stderr};

/// Seen: "there is no option --rps" without the one that is meant, and `--lang` for `--tag`.
#[test]
fn flags_of_other_tools_name_ours() {
    for (flag, told) in [
        ("--rps", Some("--rate")),
        ("--qps", Some("--rate")),
        ("-c", Some("--vus")),
        ("--connections", Some("--vus")),
        ("-z", Some("--duration")),
        ("-n", Some("--iterations")),
        ("--itterations", Some("--iterations")),
        ("--tag", None),
    ] {
        let output = loadline(&["run", "http://127.0.0.1:9/", flag, "5"]);
        let said = stderr(&output);
        match told {
            Some(ours) => assert!(said.contains(ours), "{flag}: {said}"),
            None => assert!(!said.contains("similar"), "{flag}: {said}"),
        }
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
}

#[test]
fn a_negative_duration_is_no_option() {
    for typed in [["--duration", "-1s"], ["-d", "-5m"]] {
        let [flag, value] = typed;
        let output = loadline(&["run", "http://127.0.0.1:9/", flag, value]);
        let said = stderr(&output);
        assert!(said.contains("--duration cannot be"), "{typed:?}: {said}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn tls_to_a_server_without_it_names_the_other_scheme() {
    // As servers answer to what is no request.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut socket, _) = server.accept().unwrap();
        let _ = socket.read(&mut [0; 1024]).unwrap();
        let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    });
    let url = format!("https://{address}/");
    let said = stderr(&loadline(&["run", &url, "-i", "1", "--no-store"]));
    answering.join().unwrap();
    assert!(said.contains(&format!("try http://{address}/")), "{said}");
}

/// Seen: a plan that no disk took ended with 0.
#[test]
fn what_no_disk_takes_is_no_success() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [
        &["plan", "--rate", "5/s"][..],
        &["runs"],
        &["run", "--help"],
    ] {
        let output = command(args).stdout(full()).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains("/dev/stdout"), "{args:?}: {said}");
    }
}
