//! Every flag of `k6 run`.

use super::spec::FlagKind::{Duration, Int, List, Repeated, Switch, Text};
use super::spec::{FlagGroup, FlagKind, FlagSpec, FlagStatus};
use crate::version::K6Version;

const NO_PROFILES: FlagStatus = FlagStatus::NoEffect {
    why: "there are no profiles to serve",
    harmless: &["false"],
};

/// A flag that does what it does in k6.
const fn flag(
    name: &'static str,
    kind: FlagKind,
    group: FlagGroup,
    help: &'static str,
) -> FlagSpec {
    FlagSpec {
        name,
        short: None,
        kind,
        value_name: match kind {
            Switch => "",
            Int => "int",
            Duration => "duration",
            Text | Repeated => "string",
            List => "list",
        },
        default: "",
        bare: match kind {
            Switch => Some("true"),
            _ => None,
        },
        help,
        group,
        status: FlagStatus::Supported,
        deprecated: None,
        only: None,
    }
}

impl FlagSpec {
    const fn short(mut self, short: char) -> Self {
        self.short = Some(short);
        self
    }

    const fn value(mut self, name: &'static str, default: &'static str) -> Self {
        self.value_name = name;
        self.default = default;
        self
    }

    const fn bare(mut self, value: &'static str) -> Self {
        self.bare = Some(value);
        self
    }

    const fn deprecated(mut self, instead: &'static str) -> Self {
        self.deprecated = Some(instead);
        self
    }

    const fn only(mut self, version: K6Version) -> Self {
        self.only = Some(version);
        self
    }

    const fn status(mut self, status: FlagStatus) -> Self {
        self.status = status;
        self
    }
}

/// The flag of ours that says whose rules hold; for [`super::parse_with`].
pub const VERSION_FLAG: FlagSpec = flag(
    "k6-version",
    Text,
    FlagGroup::Program,
    "whose rules hold where versions of k6 differ",
)
.value("2.2|1.8", "2.2");

use FlagGroup::{Http, Load, Program, Results, Script};

/// Every flag, by group.
pub static TABLE: [FlagSpec; 53] = [
    flag("vus", Int, Load, "how many virtual users run").short('u').value("int", "1"),
    flag("duration", Duration, Load, "how long they run").short('d'),
    flag("iterations", Int, Load, "how many iterations all users run together").short('i'),
    flag("stage", List, Load, "ramp to a number of users over a time; once per stage")
        .short('s')
        .value("duration:target", ""),
    flag("execution-segment", Text, Load, "run only this part of the test, such as 1/4:1/2")
        .value("from:to", ""),
    flag("execution-segment-sequence", Text, Load, "where the test is cut into parts")
        .value("cuts", ""),
    flag("paused", Switch, Load, "wait to be resumed before starting")
        .short('p'),
    flag("min-iteration-duration", Duration, Load, "the least time an iteration takes"),
    flag("max-redirects", Int, Http, "how many redirects are followed").value("int", "10"),
    flag("batch", Int, Http, "how many requests of a batch run at once").value("int", "20"),
    flag("batch-per-host", Int, Http, "how many of them to one host").value("int", "6"),
    flag("rps", Int, Http, "requests per second at most; 0 is no limit"),
    flag("user-agent", Text, Http, "the user agent that requests name")
        .value("string", K6Version::V2.user_agent()),
    flag("http-debug", Text, Http, "print requests and responses; full prints bodies too")
        .value("headers|full", "")
        .bare("headers"),
    flag("insecure-skip-tls-verify", Switch, Http, "take certificates unchecked"),
    flag("no-connection-reuse", Switch, Http, "open a connection for every request"),
    flag("no-vu-connection-reuse", Switch, Http, "open connections anew in every iteration"),
    flag("throw", Switch, Http, "throw an exception when a request fails").short('w'),
    flag("blacklist-ip", List, Http, "networks that must not be reached")
        .value("network", ""),
    flag("block-hostnames", List, Http, "host names that must not be reached, * in front")
        .value("pattern", ""),
    flag("discard-response-bodies", Switch, Http, "read response bodies and forget them"),
    flag("local-ips", Text, Http, "addresses to send from: single ones, ranges, networks")
        .value("addresses", ""),
    flag("dns", Text, Http, "how host names are looked up: ttl, select, policy")
        .value("settings", "ttl=5m,select=random,policy=preferIPv4"),
    flag("tag", Repeated, Results, "a tag of all samples").value("name=value", ""),
    flag("system-tags", List, Results, "which of k6's own tags samples get").value(
        "list",
        "proto,subproto,status,method,url,name,group,check,error,error_code,tls_version,scenario,service,expected_response",
    ),
    flag("no-thresholds", Switch, Results, "judge no thresholds"),
    flag("summary-mode", Text, Results, "how much the summary tells")
        .value("compact|full|disabled", "compact"),
    flag("no-summary", Switch, Results, "print no summary").deprecated("use --summary-mode=disabled instead").only(K6Version::V1),
    flag("summary-export", Text, Results, "write the summary to a file, as JSON")
        .value("file", ""),
    flag("summary-trend-stats", List, Results, "what the summary shows of trends")
        .value("list", "avg,min,med,max,p(90),p(95)"),
    flag("summary-time-unit", Text, Results, "the unit of times in the summary")
        .value("s|ms|us", ""),
    flag("new-machine-readable-summary", Switch, Results, "k6's next form of summary data"),
    flag("out", Repeated, Results, "where samples go besides the summary")
        .short('o')
        .value("type=place", ""),
    flag("env", Repeated, Script, "a variable in the script's __ENV").short('e').value("name=value", ""),
    flag("include-system-env-vars", Switch, Script, "the environment's variables are in __ENV too")
        .value("", "true"),
    flag("no-setup", Switch, Script, "leave out setup()"),
    flag("no-teardown", Switch, Script, "leave out teardown()"),
    flag("compatibility-mode", Text, Script, "extended adds `global` to the language")
        .value("extended|base", "extended"),
    flag("type", Text, Script, "what the test is, if its content does not tell")
        .short('t')
        .value("js|archive", ""),
    flag("console-output", Text, Script, "the file the console's lines go to").value("file", ""),
    flag("secret-source", Repeated, Script, "where the script's secrets come from")
        .value("type=place", ""),
    flag("features", Repeated, Program, "features of k6 to switch on; k6 features lists them")
        .value("name", "")
        .only(K6Version::V2),
    flag("config", Text, Program, "a file of options, JSON").short('c').value("file", ""),
    flag("quiet", Switch, Program, "show no progress").short('q'),
    flag("verbose", Switch, Program, "log more").short('v'),
    flag("no-color", Switch, Program, "print without colours"),
    flag("log-output", Text, Program, "where log lines go")
        .value("stderr|stdout|none|file=path", "stderr"),
    flag("log-format", Text, Program, "what log lines look like").value("text|json|raw", ""),
    flag("address", Text, Program, "where the REST API listens")
        .short('a')
        .value("host:port", "localhost:6565"),
    flag("linger", Switch, Program, "keep the REST API up after the test").short('l'),
    flag("profiling-enabled", Switch, Program, "serve profiles on the REST API").status(NO_PROFILES),
    flag("no-usage-report", Switch, Program, "send no usage report").status(FlagStatus::NoEffect {
        why: "none is ever sent",
        harmless: &[],
    }),
    flag("traces-output", Text, Program, "where traces of browser pages go; of other requests k6 makes none")
        .value("none|otel=url", "none"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_flag_is_there_twice() {
        for (place, spec) in TABLE.iter().enumerate() {
            for other in &TABLE[place + 1..] {
                assert_ne!(spec.name, other.name);
                assert!(
                    spec.short.is_none() || spec.short != other.short,
                    "{}",
                    spec.name
                );
            }
        }
    }

    #[test]
    fn every_flag_says_what_it_does_and_why_it_does_nothing() {
        for spec in &TABLE {
            assert!(
                !spec.help.is_empty() && !spec.help.ends_with('.'),
                "{}",
                spec.name
            );
            match spec.status {
                FlagStatus::Supported => {}
                FlagStatus::NoEffect { why, .. } => {
                    assert!(!why.is_empty(), "{}", spec.name);
                }
            }
        }
    }
}
