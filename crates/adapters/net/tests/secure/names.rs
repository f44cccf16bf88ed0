//! Where a name leads, and where it must not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use loadline_net::{
    BlockedNames, HostMap, LookupAnswer, LookupError, Names, NamesOptions, NetworkSettings, Resolve,
};

use super::common::{Bed, ONE_WAY, get, now};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<(String, LookupAnswer)>>>);

impl Resolve for Told {
    fn lookup(&self, host: &str, answer: LookupAnswer) {
        self.0.lock().unwrap().push((host.to_owned(), answer));
    }
}

fn bed_with(settings: NetworkSettings) -> (Bed, Told) {
    let told = Told::default();
    let names = Names::new(told.clone(), NamesOptions::default(), 1);
    let mut bed = Bed::with(NetworkSettings {
        names: Arc::new(names),
        ..settings
    });
    bed.serve(80, |_, _, _| vec![now(OK)]);
    bed.serve(81, |_, _, _| vec![now(OK)]);
    bed.wait(Duration::ZERO);
    (bed, told)
}

impl Told {
    /// Answers the next question after `delay`.
    fn answer_after(&self, bed: &Bed, delay: Duration, outcome: Result<&[&str], LookupError>) {
        let handle = bed.reactor.handle();
        let outcome = outcome.map(|ips| ips.iter().map(|ip| ip.parse().unwrap()).collect());
        let told = self.clone();
        handle.clone().spawn(async move {
            handle.sleep_until(handle.now() + delay).await;
            let (_, answer) = told.0.lock().unwrap().remove(0);
            answer.give(outcome);
        });
    }
}

#[test]
fn a_lookup_takes_its_time_and_is_not_repeated() {
    let (mut bed, told) = bed_with(NetworkSettings {
        reuse_connections: false,
        ..NetworkSettings::default()
    });
    told.answer_after(&bed, Duration::from_millis(5), Ok(&["10.0.0.1"]));

    let (first, outcome) = bed.exchange(&get("http://app.test/"));
    assert_eq!(outcome, Ok(()));
    assert_eq!(first.remote, Some("10.0.0.1:80".parse().unwrap()));
    assert_eq!(
        first.timing.blocked(),
        Duration::from_millis(5) + ONE_WAY * 2
    );
    assert_eq!(first.timing.connecting(), ONE_WAY * 2);

    let (second, outcome) = bed.exchange(&get("http://app.test:81/"));
    assert_eq!(outcome, Ok(()));
    assert_eq!(second.timing.blocked(), ONE_WAY * 2);
}

#[test]
fn a_lookup_that_fails_or_takes_too_long_fails_the_exchange() {
    let (mut bed, told) = bed_with(NetworkSettings::default());

    told.answer_after(&bed, ONE_WAY, Err(LookupError::NoSuchHost));
    let failure = bed.exchange(&get("http://app.test/")).1.unwrap_err();
    assert_eq!(
        (failure.code(), failure.text().as_str()),
        (1101, "lookup: no such host")
    );
    assert_eq!(failure.detail(), "lookup app.test: no such host");

    told.answer_after(
        &bed,
        ONE_WAY,
        Err(LookupError::Failed("i/o timeout".into())),
    );
    let failure = bed.exchange(&get("http://app.test/")).1.unwrap_err();
    assert_eq!(
        (failure.code(), failure.text().as_str()),
        (1100, "lookup app.test: i/o timeout")
    );

    let failure = bed.exchange(&get("http://app.test/")).1.unwrap_err();
    assert_eq!(failure.code(), 1050);
}

#[test]
fn hosts_lead_elsewhere_without_a_lookup() {
    let entries = [
        ("*.test", "10.0.0.1:81".parse().unwrap()),
        ("10.9.9.9", "10.0.0.1".parse().unwrap()),
    ];
    let (mut bed, told) = bed_with(NetworkSettings {
        hosts: HostMap::new(entries).unwrap(),
        ..NetworkSettings::default()
    });
    for (url, remote) in [
        ("http://App.test/", "10.0.0.1:81"),
        ("http://10.9.9.9/", "10.0.0.1:80"),
    ] {
        let (response, outcome) = bed.exchange(&get(url));
        assert_eq!(outcome, Ok(()));
        assert_eq!(response.remote, Some(remote.parse().unwrap()));
    }
    assert!(told.0.lock().unwrap().is_empty());
    assert!(bed.seen.borrow().requests[0].contains("Host: App.test\r\n"));
}

#[test]
fn blocked_names_and_addresses_are_not_reached() {
    let (mut bed, told) = bed_with(NetworkSettings {
        blocked_names: BlockedNames::new(["*.blocked.test", "10.0.0.1"]).unwrap(),
        blacklist: vec!["10.9.0.0/16".parse().unwrap()],
        ..NetworkSettings::default()
    });

    let failure = bed.exchange(&get("http://a.Blocked.test/")).1.unwrap_err();
    assert_eq!(
        (failure.code(), failure.text().as_str()),
        (1111, "hostname is blocked")
    );
    assert_eq!(
        failure.detail(),
        "hostname (a.Blocked.test) is in a blocked pattern (*.blocked.test)"
    );
    // An address is no name.
    bed.exchange(&get("http://10.0.0.1/")).1.unwrap();

    let failure = bed.exchange(&get("http://10.9.1.1/")).1.unwrap_err();
    assert_eq!(
        (failure.code(), failure.text().as_str()),
        (1110, "ip is blacklisted")
    );
    told.answer_after(&bed, ONE_WAY, Ok(&["10.9.1.2"]));
    let failure = bed.exchange(&get("http://app.test/")).1.unwrap_err();
    assert_eq!(
        failure.detail(),
        "IP (10.9.1.2) is in a blacklisted range (10.9.0.0/16)"
    );
    assert_eq!(bed.seen.borrow().connections, 1);
}
