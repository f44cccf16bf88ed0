//! Fixed addresses for host names, instead of a lookup.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::patterns::is_name_pattern;
use crate::go::quote;

/// Where a host name leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostTarget {
    /// The address; `None` when the text is not one. k6 accepts it and fails every
    /// connection to that name; we refuse the run.
    pub ip: Option<IpAddr>,
    /// The port, if another than that asked for.
    pub port: Option<u16>,
}

/// Host names (`name`, `*.name`, `name:port`) and where they lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    written: BTreeMap<String, HostTarget>,
}

impl Hosts {
    /// From names and targets (`1.2.3.4`, `1.2.3.4:80`, `[::1]:80`) as written.
    ///
    /// # Errors
    /// k6's text, with the part that is wrong.
    pub fn new(written: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut targets = BTreeMap::new();
        for (name, target) in written {
            targets.insert(name.to_lowercase(), HostTarget::parse(target)?);
        }
        if let Some(name) = targets.keys().find(|name| !is_name_pattern(name, true)) {
            return Err(format!("invalid host pattern '{name}'"));
        }
        Ok(Self { written: targets })
    }

    /// Names and targets as k6 shows them.
    pub fn shown(&self) -> impl Iterator<Item = (&str, String)> {
        let targets = self.written.iter();
        targets.map(|(name, target)| (name.as_str(), target.shown()))
    }
}

impl HostTarget {
    fn parse(text: &str) -> Result<Self, String> {
        let address = |text: &str| text.parse().ok();
        let split = match text.strip_prefix('[').and_then(|t| t.split_once("]:")) {
            Some((ip, port)) => Some((ip, port)),
            None => text.split_once(':').filter(|(_, port)| !port.contains(':')),
        };
        let Some((ip, port)) = split else {
            return Ok(Self {
                ip: address(text),
                port: None,
            });
        };
        let port: u16 = port
            .parse()
            .map_err(|_| format!("strconv.Atoi: parsing {}: invalid syntax", quote(port)))?;
        Ok(Self {
            ip: address(ip),
            port: (port != 0).then_some(port),
        })
    }

    fn shown(self) -> String {
        match (self.ip, self.port) {
            (None, None) => "<nil>".to_owned(),
            (None, Some(port)) => format!(":{port}"),
            (Some(ip), None) => ip.to_string(),
            (Some(IpAddr::V6(ip)), Some(port)) => format!("[{ip}]:{port}"),
            (Some(ip), Some(port)) => format!("{ip}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(pairs: &[(&str, &str)]) -> Result<Hosts, String> {
        let pairs = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into()));
        Hosts::new(&pairs.collect())
    }

    #[test]
    fn names_and_targets_are_shown_as_k6_shows_them() {
        let hosts = hosts(&[("A.test", "1.1.1.1"), ("a.test:81", "[::1]:82"), ("b", "x")]).unwrap();
        let shown: Vec<_> = hosts.shown().collect();
        let target = |name, target: &str| (name, target.to_owned());
        assert_eq!(
            shown,
            [
                target("a.test", "1.1.1.1"),
                target("a.test:81", "[::1]:82"),
                target("b", "<nil>"),
            ]
        );
    }

    #[test]
    fn bad_names_and_ports_are_refused() {
        assert_eq!(
            hosts(&[("a*.test", "1.1.1.1")]),
            Err("invalid host pattern 'a*.test'".to_owned())
        );
        assert_eq!(
            hosts(&[("a", "1.1.1.1:x")]),
            Err(r#"strconv.Atoi: parsing "x": invalid syntax"#.to_owned())
        );
    }
}
