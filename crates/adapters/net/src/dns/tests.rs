use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Wake;

use loadline_units::{Clock, Time};

use super::system::{HostsFile, SystemResolver, settings};
use super::*;
use crate::failure::Cause;

const V4: [IpAddr; 2] = [
    IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)),
    IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2)),
];
const V6: IpAddr = IpAddr::V6(std::net::Ipv6Addr::LOCALHOST);

/// Answers when the test says so.
#[derive(Clone, Default)]
struct ManualResolver(Arc<Mutex<Vec<(String, LookupAnswer)>>>);

impl ManualResolver {
    fn answer(&self, outcome: Result<Vec<IpAddr>, LookupError>) {
        let (_, answer) = self.0.lock().unwrap().remove(0);
        answer.give(outcome);
    }

    fn asked(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl Resolve for ManualResolver {
    fn lookup(&self, host: &str, answer: LookupAnswer) {
        self.0.lock().unwrap().push((host.to_owned(), answer));
    }
}

/// Answers at once with these addresses.
struct FixedResolver(Vec<IpAddr>);

impl Resolve for FixedResolver {
    fn lookup(&self, _: &str, answer: LookupAnswer) {
        answer.give(Ok(self.0.clone()));
    }
}

struct At(Time);

impl Clock for At {
    fn now(&self) -> Time {
        self.0
    }
}

fn at(seconds: u64) -> At {
    At(Time::from_nanos(seconds * 1_000_000_000))
}

#[derive(Default)]
struct WakeCounter(AtomicU32);

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn now_or_never<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut cx) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

fn picks(options: NamesOptions, addresses: &[IpAddr], count: usize) -> Vec<Result<IpAddr, Cause>> {
    let names = Names::new(FixedResolver(addresses.to_vec()), options, 7);
    let pick = |_| now_or_never(names.address("h", &at(0))).unwrap();
    (0..count).map(pick).collect()
}

#[test]
fn lookups_of_one_name_are_one_and_wake_all_who_wait() {
    let told = ManualResolver::default();
    let names = Names::new(told.clone(), NamesOptions::default(), 1);
    let bell = Arc::new(WakeCounter::default());
    let waker = Waker::from(bell.clone());
    let other_bell = Arc::new(WakeCounter::default());
    let other_waker = Waker::from(other_bell.clone());
    let clock = at(0);
    let mut first = pin!(names.address("h", &clock));
    let mut second = pin!(names.address("h", &clock));

    let mut cx = Context::from_waker(&waker);
    let mut other_cx = Context::from_waker(&other_waker);
    assert!(first.as_mut().poll(&mut cx).is_pending());
    assert!(first.as_mut().poll(&mut cx).is_pending());
    assert!(second.as_mut().poll(&mut other_cx).is_pending());
    assert_eq!(told.asked(), 1);
    told.answer(Ok(vec![V4[0]]));

    assert_eq!(bell.0.load(Ordering::Relaxed), 1);
    assert_eq!(other_bell.0.load(Ordering::Relaxed), 1);
    assert_eq!(first.as_mut().poll(&mut cx), Poll::Ready(Ok(V4[0])));
    assert_eq!(second.as_mut().poll(&mut cx), Poll::Ready(Ok(V4[0])));
    assert_eq!(told.asked(), 0);
}

#[test]
fn an_answer_is_remembered_for_its_time_and_no_longer() {
    let told = ManualResolver::default();
    let names = Names::new(told.clone(), NamesOptions::default(), 1);
    let first = at(0);
    let mut asking = pin!(names.address("h", &first));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(asking.as_mut().poll(&mut cx).is_pending());
    told.answer(Ok(vec![V4[0]]));
    assert!(asking.as_mut().poll(&mut cx).is_ready());

    assert_eq!(now_or_never(names.address("h", &at(299))), Some(Ok(V4[0])));
    assert_eq!(now_or_never(names.address("h", &at(300))), None);
    assert_eq!(told.asked(), 1);
}

#[test]
fn without_a_time_every_lookup_asks_and_with_all_time_none_does() {
    for (ttl, asked) in [
        (std::time::Duration::ZERO, 1),
        (std::time::Duration::MAX, 0),
    ] {
        let options = NamesOptions {
            ttl,
            ..NamesOptions::default()
        };
        let told = ManualResolver::default();
        let names = Names::new(told.clone(), options, 1);
        let clock = at(0);
        let mut asking = pin!(names.address("h", &clock));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(asking.as_mut().poll(&mut cx).is_pending());
        told.answer(Ok(vec![V4[0]]));
        assert!(asking.as_mut().poll(&mut cx).is_ready());

        let _ = now_or_never(names.address("h", &at(1_000_000)));
        assert_eq!(told.asked(), asked, "{ttl:?}");
    }
}

#[test]
fn a_failure_is_told_and_not_remembered() {
    let told = ManualResolver::default();
    let names = Names::new(told.clone(), NamesOptions::default(), 1);
    let mut cx = Context::from_waker(Waker::noop());
    let no_such_host = Cause::NoSuchHost {
        host: "h".to_owned(),
    };
    let refused = Cause::Lookup("lookup h: refused".to_owned());
    let failures = [
        (LookupError::NoSuchHost, no_such_host),
        (LookupError::Failed("refused".to_owned()), refused),
    ];
    for (error, cause) in failures {
        let clock = at(0);
        let mut asking = pin!(names.address("h", &clock));
        assert!(asking.as_mut().poll(&mut cx).is_pending());
        told.answer(Err(error));
        assert_eq!(asking.as_mut().poll(&mut cx), Poll::Ready(Err(cause)));
    }
}

/// A task may stop waiting; the next one must not get the failure that it left behind.
#[test]
fn a_failure_nobody_waited_for_is_asked_again() {
    let told = ManualResolver::default();
    let names = Names::new(told.clone(), NamesOptions::default(), 1);
    assert_eq!(now_or_never(names.address("h", &at(0))), None);
    told.answer(Err(LookupError::NoSuchHost));

    assert_eq!(now_or_never(names.address("h", &at(0))), None);
    assert_eq!(told.asked(), 1);
}

#[test]
fn a_resolver_that_drops_the_question_has_answered() {
    let told = ManualResolver::default();
    let names = Names::new(told.clone(), NamesOptions::default(), 1);
    let clock = at(0);
    let mut asking = pin!(names.address("h", &clock));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(asking.as_mut().poll(&mut cx).is_pending());
    told.0.lock().unwrap().clear();

    let cause = Cause::Lookup("lookup h: the resolver gave no answer".to_owned());
    assert_eq!(asking.as_mut().poll(&mut cx), Poll::Ready(Err(cause)));
}

#[test]
fn an_address_is_selected_as_asked() {
    let select = |select| {
        let options = NamesOptions {
            select,
            ..NamesOptions::default()
        };
        let picked = picks(options, &V4, 40);
        picked.into_iter().map(Result::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(select(AddressSelection::First), vec![V4[0]; 40]);
    assert_eq!(
        select(AddressSelection::RoundRobin)[..3],
        [V4[0], V4[1], V4[0]]
    );
    let random = select(AddressSelection::Random);
    assert!(random.contains(&V4[0]) && random.contains(&V4[1]));
    assert_ne!(random, select(AddressSelection::RoundRobin));
}

#[test]
fn addresses_are_of_the_wanted_family() {
    let table = [
        (AddressPolicy::PreferIpv4, vec![V6, V4[0]], Some(V4[0])),
        (AddressPolicy::PreferIpv4, vec![V6], Some(V6)),
        (AddressPolicy::PreferIpv6, vec![V4[0], V6], Some(V6)),
        (AddressPolicy::PreferIpv6, vec![V4[0]], Some(V4[0])),
        (AddressPolicy::OnlyIpv4, vec![V6, V4[1]], Some(V4[1])),
        (AddressPolicy::OnlyIpv4, vec![V6], None),
        (AddressPolicy::OnlyIpv6, vec![V4[0], V6], Some(V6)),
        (AddressPolicy::OnlyIpv6, vec![V4[0]], None),
        (AddressPolicy::Any, vec![V6, V4[0]], Some(V6)),
    ];
    for (family, addresses, expected) in table {
        let options = NamesOptions {
            family,
            select: AddressSelection::First,
            ..NamesOptions::default()
        };
        let none = Cause::Other("lookup h: no such host".to_owned());
        let picked = picks(options, &addresses, 1).remove(0);
        assert_eq!(picked, expected.ok_or(none), "{family:?}");
    }
}

#[test]
fn the_hosts_file_is_read_and_localhost_is_known_without_it() {
    let hosts = HostsFile::parse(
        "# comment\n127.0.0.1 localhost\n::1\tlocalhost ip6-localhost # tail\n\nnonsense line\n\
         10.0.0.1  App.Test app\n10.0.0.2 app 10.0.0.1 app\n",
    );
    assert_eq!(
        hosts.get("LocalHost."),
        Some(vec!["127.0.0.1".parse().unwrap(), V6])
    );
    assert_eq!(hosts.get("app.test"), Some(vec![V4[0]]));
    assert_eq!(hosts.get("app"), Some(V4.to_vec()));
    assert_eq!(hosts.get("other"), None);

    let names = Names::localhost_only();
    let found = now_or_never(names.address("localhost", &at(0))).unwrap();
    assert_eq!(found, Ok("127.0.0.1".parse().unwrap()));
    let missing = now_or_never(names.address("other", &at(0))).unwrap();
    assert!(matches!(missing, Err(Cause::NoSuchHost { .. })));
}

/// A name server that knows only the IPv4 address of `known.test`.
fn name_server() -> std::net::SocketAddr {
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut query) {
            let query = &query[..length];
            // The question ends at its class, four bytes after its name.
            let name_end = query[12..].iter().position(|b| *b == 0).unwrap() + 13;
            let question = &query[12..name_end + 4];
            let known = question.starts_with(b"\x05known\x04test\0");
            let wants_v4 = query[name_end..name_end + 2] == [0, 1];
            let answers = u8::from(known && wants_v4);
            let code = if known { 0x80 } else { 0x83 };
            let mut reply = query[..2].to_vec();
            reply.extend([0x81, code, 0, 1, 0, answers, 0, 0, 0, 0]);
            reply.extend(question);
            if answers > 0 {
                reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1]);
            }
            socket.send_to(&reply, from).unwrap();
        }
    });
    address
}

#[test]
fn the_machines_servers_are_asked_what_the_hosts_file_does_not_know() {
    use hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};

    let server = name_server();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut config = NameServerConfig::udp(server.ip());
    config.connections[0].port = server.port();
    let resolver = SystemResolver::asking(
        runtime.handle().clone(),
        HostsFile::parse("10.0.0.2 in.file"),
        ResolverConfig::from_name_servers(vec![config]),
        ResolverOpts::default(),
    )
    .unwrap();
    let look_up = |host: &str| {
        let question = Arc::new(PendingLookup::default());
        resolver.lookup(host, LookupAnswer::new(question.clone()));
        runtime.block_on(std::future::poll_fn(|cx| question.poll(cx)))
    };

    assert_eq!(look_up("in.file"), Ok(vec![V4[1]].into()));
    assert_eq!(look_up("known.test"), Ok(vec![V4[0]].into()));
    assert_eq!(look_up("other.test"), Err(LookupError::NoSuchHost));
    assert_eq!(look_up("LOCALHOST").map(|found| found.len()), Ok(2));
}

#[test]
fn servers_search_list_and_options_are_read_from_resolv_conf() {
    let text = b"search lan -- corp.test.\nnonsense\noptions ndots:3 timeout:2 attempts:4 edns0\n\
                 nameserver 10.0.0.53\nnameserver fe80::1%2\n";
    let (config, options) = settings(text).unwrap();
    let servers: Vec<_> = config.name_servers().iter().map(|one| one.ip).collect();
    assert_eq!(
        servers,
        ["10.0.0.53", "fe80::1"].map(|ip| ip.parse::<IpAddr>().unwrap())
    );
    let search: Vec<_> = config.search().iter().map(ToString::to_string).collect();
    assert_eq!(search, ["lan", "corp.test."]);
    assert_eq!(
        (options.ndots, options.attempts, options.edns0),
        (3, 4, true)
    );
    assert_eq!(options.timeout, std::time::Duration::from_secs(2));
}

#[test]
fn without_a_server_this_machine_is_asked() {
    for text in ["", "# nameserver 10.0.0.1\nsearch lan\n"] {
        let (config, _) = settings(text.as_bytes()).unwrap();
        let servers: Vec<_> = config.name_servers().iter().map(|one| one.ip).collect();
        assert_eq!(servers, [IpAddr::from([127, 0, 0, 1])]);
    }
}
