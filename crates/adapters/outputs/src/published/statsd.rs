//! statsd over UDP: one line a value, with tags as Datadog's agent or as Telegraf reads them.

use std::net::UdpSocket;

use super::{PeriodValues, Publish, shown};

/// A statsd server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatsdReceiver {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What each name begins with.
    pub prefix: String,
    /// `key:value`, on each line.
    pub tags: Vec<String>,
    /// Tags stand in the name, as Telegraf reads them.
    pub is_telegraf: bool,
    /// Only names that begin so.
    pub include_only: Vec<String>,
    /// All names but those that begin so.
    pub excluded: Vec<String>,
    /// The event at the beginning and at the end.
    pub event: Option<StatsdEvent>,
}

/// What is said when a run begins and when it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatsdEvent {
    /// Its title, after `Started: `.
    pub title: String,
    /// Its text.
    pub text: String,
    /// `low` or `normal`.
    pub priority: String,
    /// `info`, `error`, `warning` or `success`.
    pub alert_type: String,
    /// Its key of aggregation.
    pub aggregation_key: Option<String>,
    /// Its source.
    pub source_type: Option<String>,
    /// Its tags, after those of each line.
    pub tags: Vec<String>,
}

impl StatsdReceiver {
    pub(super) fn open(self) -> Result<OpenStatsd, String> {
        let socket = UdpSocket::bind(("0.0.0.0", 0)).map_err(|error| error.to_string())?;
        Ok(OpenStatsd { to: self, socket })
    }

    fn is_wanted(&self, name: &str) -> bool {
        let begins = |with: &[String]| with.iter().any(|start| name.starts_with(start.as_str()));
        if self.include_only.is_empty() {
            !begins(&self.excluded)
        } else {
            begins(&self.include_only)
        }
    }

    fn line(&self, name: &str, value: f64, kind: &str) -> String {
        let (prefix, value) = (&self.prefix, shown(value));
        if self.is_telegraf {
            let tags = self.tags.iter().map(|tag| tag.replacen(':', "=", 1));
            let tags: String = tags.map(|tag| format!(",{tag}")).collect();
            return format!("{prefix}{name}{tags}:{value}|{kind}");
        }
        let tags = tagged(&self.tags);
        format!("{prefix}{name}:{value}|{kind}{tags}")
    }

    fn lines(&self, values: &PeriodValues) -> Vec<String> {
        let wanted = |name: &&String| self.is_wanted(name);
        let mut lines = Vec::new();
        for name in values.counters.keys().filter(wanted) {
            lines.push(self.line(name, values.counters[name], "c"));
        }
        for name in values.summaries.keys().filter(wanted) {
            for (aggregation, value) in &values.summaries[name] {
                lines.push(self.line(&format!("{name}.{aggregation}"), *value, "g"));
            }
        }
        for name in values.rates.keys().filter(wanted) {
            lines.push(self.line(name, values.rates[name], "g"));
        }
        lines
    }

    /// The event, in the form of Datadog's agent. Telegraf has none.
    fn event(&self, what: &str) -> Option<String> {
        let event = self.event.as_ref().filter(|_| !self.is_telegraf)?;
        let title = format!("{what}: {}", event.title).replace('\n', "\\n");
        let text = event.text.replace('\n', "\\n");
        let mut line = format!("_e{{{},{}}}:{title}|{text}", title.len(), text.len());
        for (letter, value) in [
            ("k", event.aggregation_key.as_ref()),
            ("p", Some(&event.priority)),
            ("s", event.source_type.as_ref()),
            ("t", Some(&event.alert_type)),
        ] {
            if let Some(value) = value {
                line.push_str(&format!("|{letter}:{value}"));
            }
        }
        let tags: Vec<String> = self.tags.iter().chain(&event.tags).cloned().collect();
        line.push_str(&tagged(&tags));
        Some(line)
    }
}

fn tagged(tags: &[String]) -> String {
    if tags.is_empty() {
        return String::new();
    }
    format!("|#{}", tags.join(","))
}

/// A statsd server that is sent to.
pub(super) struct OpenStatsd {
    to: StatsdReceiver,
    socket: UdpSocket,
}

impl OpenStatsd {
    fn send(&self, line: &str) -> Result<(), String> {
        let address = (self.to.host.as_str(), self.to.port);
        let sent = self.socket.send_to(line.as_bytes(), address);
        sent.map(|_| ()).map_err(|error| error.to_string())
    }

    fn send_event(&self, what: &str) -> Result<(), String> {
        match self.to.event(what) {
            Some(line) => self.send(&line),
            None => Ok(()),
        }
    }
}

impl Publish for OpenStatsd {
    fn begin(&mut self) -> Result<(), String> {
        self.send_event("Started")
    }

    fn publish(&mut self, values: &PeriodValues) -> Result<(), String> {
        let lines = self.to.lines(values);
        lines.iter().try_for_each(|line| self.send(line))
    }

    fn end(&mut self) -> Result<(), String> {
        self.send_event("Finished")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> PeriodValues {
        PeriodValues {
            counters: [
                ("http.requests".to_owned(), 4.0),
                ("vusers.failed".to_owned(), 0.0),
            ]
            .into(),
            rates: [("http.request_rate".to_owned(), 3.0)].into(),
            summaries: [("http.response_time".to_owned(), vec![("mean", 13.5)])].into(),
            ..PeriodValues::default()
        }
    }

    fn receiver() -> StatsdReceiver {
        StatsdReceiver {
            host: "127.0.0.1".to_owned(),
            port: 8125,
            prefix: "load.".to_owned(),
            tags: vec!["team:a".to_owned(), "env:test".to_owned()],
            is_telegraf: false,
            include_only: Vec::new(),
            excluded: vec!["vusers".to_owned()],
            event: Some(StatsdEvent {
                title: "mine".to_owned(),
                text: "Target: http://127.0.0.1:9091".to_owned(),
                priority: "low".to_owned(),
                alert_type: "info".to_owned(),
                aggregation_key: None,
                source_type: None,
                tags: vec!["x:y".to_owned()],
            }),
        }
    }

    #[test]
    fn lines_are_those_of_artillerys_plugin() {
        let lines = receiver().lines(&values());
        assert_eq!(
            lines,
            [
                "load.http.requests:4|c|#team:a,env:test",
                "load.http.response_time.mean:13.5|g|#team:a,env:test",
                "load.http.request_rate:3|g|#team:a,env:test",
            ]
        );
        let telegraf = StatsdReceiver {
            is_telegraf: true,
            tags: vec!["team:a".to_owned()],
            include_only: vec!["http.req".to_owned()],
            ..receiver()
        };
        assert_eq!(
            telegraf.lines(&values()),
            [
                "load.http.requests,team=a:4|c",
                "load.http.request_rate,team=a:3|g"
            ]
        );
        assert_eq!(telegraf.event("Started"), None);
    }

    #[test]
    fn events_have_the_agents_form() {
        let line = receiver().event("Started").unwrap_or_default();
        assert_eq!(
            line,
            "_e{13,29}:Started: mine|Target: http://127.0.0.1:9091|p:low|t:info|#team:a,env:test,x:y"
        );
    }
}
