//! Sockets of processes: what they listen on, how many wait there, and what the network did.
//!
//! Counters of the network belong to the whole network namespace of the process.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::Ipv4Addr;

use loadline_record::signals::{Entity, Label, SignalKind, SourceError};
use procfs::process::{FDTarget, Process, all_processes};

use crate::reading::Reading;
use crate::target_connections::Connections;

/// How much of a table of sockets is read: some 25,000 of them.
const TABLE_BYTES_MAX: u64 = 4 << 20;

/// A socket that listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ListeningSocket {
    port: u16,
    /// The address if it listens on one only, and not on the machine's own loop.
    address: Option<Ipv4Addr>,
    inode: u64,
    /// Connections that wait to be accepted.
    waiting: u64,
}

/// The sockets of processes.
#[derive(Debug, Default)]
pub(super) struct Sockets {
    root: i32,
    inodes: BTreeSet<u64>,
    places: BTreeSet<(Ipv4Addr, u16)>,
    is_readable: bool,
    /// Those of the whole network that listen.
    listening: Vec<ListeningSocket>,
    /// Those of the whole network that are connected to a port asked for.
    connected: Vec<ConnectedSocket>,
}

impl Sockets {
    /// Reads the tables of the network, once a look: the kernel walks through all of its sockets for it.
    pub(super) fn read_tables(&mut self, root: i32, ports: &BTreeSet<u16>) {
        self.root = root;
        (self.listening, self.connected) = (Vec::new(), Vec::new());
        for row in table_rows(root) {
            self.listening.extend(listening_in(&row));
            self.connected.extend(established_in(&row, ports));
        }
    }

    /// Numbers of the sockets that listen in the network.
    pub(super) fn listening_numbers(&self) -> BTreeSet<u64> {
        self.listening.iter().map(|socket| socket.inode).collect()
    }

    /// Looks for the processes' sockets anew.
    pub(super) fn refresh(&mut self, members: &[i32]) {
        let all: Vec<_> = members.iter().filter_map(|pid| inodes(*pid)).collect();
        self.is_readable = !all.is_empty();
        self.inodes = all.into_iter().flatten().collect();
        let own = self.listening.iter();
        let own = own.filter(|socket| self.inodes.contains(&socket.inode));
        let place = |socket: &ListeningSocket| {
            let address = socket.address.unwrap_or(Ipv4Addr::LOCALHOST);
            (address, socket.port)
        };
        self.places = own.map(place).collect();
    }

    /// Where they listen.
    pub(super) fn places(&self) -> impl Iterator<Item = (Ipv4Addr, u16)> {
        self.places.iter().copied()
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.inodes.len()
    }

    /// Their connections to the ports asked for.
    pub(super) fn connections(&self) -> Connections {
        let mut all = Connections::new();
        let own = self.connected.iter();
        for one in own.filter(|one| self.inodes.contains(&one.inode)) {
            all.entry(one.remote_port).or_default().insert(one.port);
        }
        all
    }

    pub(super) fn give(&self, reading: &mut Reading) {
        if !self.is_readable {
            return;
        }
        let mut add = |kind, value: u64| reading.add(kind, Entity::new(), super::count(value));
        add(SignalKind::OpenSockets, self.inodes.len() as u64);
        let own = self.listening.iter();
        let own = own.filter(|socket| self.inodes.contains(&socket.inode));
        let waiting: Vec<u64> = own.map(|socket| socket.waiting).collect();
        if !waiting.is_empty() {
            add(SignalKind::AcceptQueue, waiting.iter().sum());
        }
    }

    /// What the network of the processes did.
    pub(super) fn give_network(&self, reading: &mut Reading) {
        let read = |name: &str| fs::read_to_string(format!("/proc/{}/net/{name}", self.root));
        let mut add = |kind, value: Option<f64>| {
            if let Some(value) = value {
                reading.add(kind, Entity::new(), value);
            }
        };
        if let Ok(text) = read("snmp") {
            add(SignalKind::SegmentsSent, counter(&text, "Tcp:", "OutSegs"));
            add(
                SignalKind::SegmentsResent,
                counter(&text, "Tcp:", "RetransSegs"),
            );
        }
        if let Ok(text) = read("netstat") {
            let overflows = counter(&text, "TcpExt:", "ListenOverflows");
            add(SignalKind::AcceptQueueOverflows, overflows);
        }
        if let Ok(text) = read("dev") {
            for (name, received, sent) in interfaces(&text) {
                let entity = Entity::new().with(Label::Interface, name);
                reading.add(SignalKind::NetworkReceived, entity.clone(), received);
                reading.add(SignalKind::NetworkSent, entity, sent);
            }
        }
        if let Ok(most) = fs::read_to_string("/proc/sys/net/core/somaxconn") {
            reading.set("host.net.core.somaxconn", most.trim());
        }
    }
}

/// Numbers of a process's sockets; `None` if they may not be looked at.
fn inodes(pid: i32) -> Option<Vec<u64>> {
    let files = Process::new(pid).ok()?.fd().ok()?;
    let sockets = files.filter_map(|file| match file.ok()?.target {
        FDTarget::Socket(inode) => Some(inode),
        _ => None,
    });
    Some(sockets.collect())
}

/// The process that listens on a port: of several the one that started the others.
pub(super) fn listener(port: u16) -> Result<i32, SourceError> {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let sockets: BTreeSet<u64> = listening(own)
        .iter()
        .filter(|socket| socket.port == port)
        .map(|socket| socket.inode)
        .collect();
    if sockets.is_empty() {
        return Err(SourceError::NoListener);
    }
    let all = all_processes().map_err(super::error_of)?;
    let mut parents = BTreeMap::new();
    for process in all.flatten() {
        let holds = inodes(process.pid);
        if holds.is_some_and(|own| own.iter().any(|inode| sockets.contains(inode)))
            && let Ok(stat) = process.stat()
        {
            parents.insert(process.pid, stat.ppid);
        }
    }
    let mut tops = parents.iter();
    let top = tops.find(|(_, parent)| !parents.contains_key(parent));
    // Somebody listens, but his files may not be looked at.
    top.map(|(pid, _)| *pid).ok_or(SourceError::NoPermission)
}

/// The listening sockets of a process's network.
fn listening(pid: i32) -> Vec<ListeningSocket> {
    table_rows(pid)
        .filter_map(|line| listening_in(&line))
        .collect()
}

/// The rows of the tables of sockets in a process's network.
fn table_rows(pid: i32) -> impl Iterator<Item = String> {
    let tables = ["tcp", "tcp6"].map(|name| fs::File::open(format!("/proc/{pid}/net/{name}")));
    tables.into_iter().flatten().flat_map(|table| {
        let rows = BufReader::new(table.take(TABLE_BYTES_MAX)).lines();
        rows.map_while(Result::ok)
    })
}

/// A socket that is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ConnectedSocket {
    port: u16,
    remote_port: u16,
    inode: u64,
}

/// A row of the table of sockets, if it is a connection to one of these ports.
fn established_in(line: &str, ports: &BTreeSet<u16>) -> Option<ConnectedSocket> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let port = |field: &str| {
        let (_, port) = field.rsplit_once(':')?;
        u16::from_str_radix(port, 16).ok()
    };
    let remote_port = port(fields.get(2)?)?;
    if *fields.get(3)? != "01" || !ports.contains(&remote_port) {
        return None;
    }
    Some(ConnectedSocket {
        port: port(fields.get(1)?)?,
        remote_port,
        inode: fields.get(9)?.parse().ok()?,
    })
}

/// A row of the table of sockets, if it listens: `0: 0100007F:1F90 00000000:0000 0A tx:rx ...`.
fn listening_in(line: &str) -> Option<ListeningSocket> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let (local, state) = (fields.get(1)?, fields.get(3)?);
    if *state != "0A" {
        return None;
    }
    let (_, waiting) = fields.get(4)?.split_once(':')?;
    let (address, port) = local.rsplit_once(':')?;
    // Four bytes as they stand in memory; those of IPv6 are longer.
    let address = u32::from_str_radix(address, 16).ok();
    let address = address.map(|address| Ipv4Addr::from(address.swap_bytes()));
    Some(ListeningSocket {
        port: u16::from_str_radix(port, 16).ok()?,
        address: address.filter(|address| !address.is_loopback() && !address.is_unspecified()),
        inode: fields.get(9)?.parse().ok()?,
        waiting: u64::from_str_radix(waiting, 16).ok()?,
    })
}

/// A counter of `snmp` or `netstat`, where a line of names comes before one of numbers.
fn counter(text: &str, protocol: &str, name: &str) -> Option<f64> {
    let mut lines = text.lines().filter(|line| line.starts_with(protocol));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let place = names.split(' ').position(|other| other == name)?;
    numbers.split(' ').nth(place)?.parse().ok()
}

/// Name, bytes received and bytes sent of each interface but the machine's own loop.
fn interfaces(text: &str) -> Vec<(&str, f64, f64)> {
    let rows = text.lines().filter_map(|line| {
        let (name, numbers) = line.split_once(':')?;
        let numbers: Vec<&str> = numbers.split_ascii_whitespace().collect();
        let number = |place: usize| numbers.get(place)?.parse().ok();
        Some((name.trim(), number(0)?, number(8)?))
    });
    rows.filter(|(name, _, _)| *name != "lo").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_sockets_are_found_with_what_waits() {
        let row = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000007 00:00000000 00000000     0        0 25977 1 0 100 0 0 10 0";
        let socket = ListeningSocket {
            port: 8080,
            address: None,
            inode: 25977,
            waiting: 7,
        };
        assert_eq!(listening_in(row), Some(socket));
        assert_eq!(listening_in(&row.replace(" 0A ", " 01 ")), None);
        let elsewhere = listening_in(&row.replace("0100007F", "0201E70A")).unwrap();
        assert_eq!(elsewhere.address, Some(Ipv4Addr::new(10, 231, 1, 2)));
        assert_eq!(listening_in("  sl  local_address rem_address   st"), None);
    }

    #[test]
    fn connections_to_a_database_are_found_by_its_port() {
        let row = "   3: 0100007F:9C41 0100007F:1538 01 00000000:00000000 00:00000000 00000000  1000        0 31 1 0 20 4 30 10 -1";
        let expected = ConnectedSocket {
            port: 40_001,
            remote_port: 5432,
            inode: 31,
        };
        let ports = BTreeSet::from([5432]);
        assert_eq!(established_in(row, &ports), Some(expected));
        assert_eq!(established_in(row, &BTreeSet::from([3306])), None);
        assert_eq!(
            established_in(&row.replace(" 01 ", " 06 "), &ports),
            None,
            "closed"
        );
    }

    #[test]
    fn counters_stand_below_their_names() {
        let text = "Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm OutSegs RetransSegs\nTcp: 1 200 3\n";
        assert_eq!(counter(text, "Tcp:", "RetransSegs"), Some(3.0));
        assert_eq!(counter(text, "Tcp:", "Missing"), None);
        assert_eq!(counter(text, "Udp:", "OutSegs"), None);
    }

    #[test]
    fn interfaces_are_read_without_the_loop() {
        let text = "Inter-|   Receive  |  Transmit\n face |bytes packets|bytes\n\
            lo: 9 0 0 0 0 0 0 0 9 0 0 0 0 0 0 0\n\
            eth0: 1500 10 0 0 0 0 0 0 300 4 0 0 0 0 0 0\n";
        assert_eq!(interfaces(text), [("eth0", 1500.0, 300.0)]);
    }
}
