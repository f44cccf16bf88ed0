//! `TZ`: names are known with and without the machine's zone files, and one that nobody knows is
//! an error.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{Server, command, no_folder, stderr};

/// A folder in which no zone files are, as in a container without `tzdata`.
fn no_zone_files() -> PathBuf {
    let folder = no_folder("no-zone-files");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run_in(zone: &str, zone_files: Option<&Path>, server: &Server, hours: &str) -> Output {
    let folder = no_folder(&format!("zone-{}", zone.replace(['/', ':'], "-")));
    std::fs::create_dir_all(&folder).unwrap();
    let host = server
        .base
        .trim_start_matches("http://")
        .trim_end_matches('/');
    let text = format!("shared:\n  - host: {host}\n    hours: {hours}\n");
    std::fs::write(folder.join("loadline.yaml"), text).unwrap();
    let mut command = command(&["run", &server.base, "-i", "1", "--no-store", "--yes"]);
    command.current_dir(&folder).env("TZ", zone);
    if let Some(files) = zone_files {
        command.env("TZDIR", files);
    }
    command.output().unwrap()
}

/// Hours of a day around now in a zone so many hours from UTC; the other half of the day.
fn hours_around_now(offset_hours: u64) -> [String; 2] {
    let now = std::time::SystemTime::now();
    let seconds = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let hour = (seconds / 3600 + offset_hours) % 24;
    let at = |hour: u64| format!("{:02}:00", hour % 24);
    [
        format!("{}-{}", at(hour + 23), at(hour + 2)),
        format!("{}-{}", at(hour + 3), at(hour + 22)),
    ]
}

/// Seen: `TZ=Asia/Seoul` was taken for UTC, and load was let through by day.
#[test]
fn hours_of_a_shared_target_are_those_of_the_named_zone() {
    let server = Server::start();
    let none = no_zone_files();
    // None of them has a summer time.
    for (zone, offset) in [
        ("Asia/Seoul", 9),
        (":Asia/Seoul", 9),
        ("/usr/share/zoneinfo/Asia/Seoul", 9),
        ("KST-9", 9),
        ("Asia/Tokyo", 9),
        ("Asia/Singapore", 8),
        ("Asia/Dubai", 4),
        ("UTC", 0),
        ("", 0),
    ] {
        let [inside, outside] = hours_around_now(offset);
        for files in [None, Some(none.as_path())] {
            let allowed = run_in(zone, files, &server, &inside);
            assert_eq!(
                allowed.status.code(),
                Some(0),
                "{zone}: {}",
                stderr(&allowed)
            );
            let refused = run_in(zone, files, &server, &outside);
            assert_eq!(
                refused.status.code(),
                Some(2),
                "{zone}: {}",
                stderr(&refused)
            );
        }
    }
}

#[test]
fn a_zone_that_nobody_knows_is_an_error() {
    for (zone, told) in [
        ("Asia/Seoull", "did you mean Asia/Seoul?"),
        ("Seoul", "did you mean Asia/Seoul?"),
        ("KST", "there is no time zone `KST`"),
        ("Mars/Olympus", "there is no time zone `Mars/Olympus`"),
        ("/no/such/file", "there is no time zone `/no/such/file`"),
    ] {
        let output = command(&["runs"]).env("TZ", zone).output().unwrap();
        let said = stderr(&output);
        assert!(said.contains(told), "{zone}: {said}");
        assert_eq!(output.status.code(), Some(2), "{zone}");
    }
    let korean = command(&["--lang", "ko", "runs"])
        .env("TZ", "Asia/Seoull")
        .output();
    let said = stderr(&korean.unwrap());
    assert!(said.contains("혹시 Asia/Seoul인가요?"), "{said}");
}
