//! Flags of other load tools, and what does the same here.

use loadline_units::{nearest, nearest_beginning};

/// A flag of another tool.
struct FlagElsewhere {
    /// As it is typed there.
    theirs: &'static str,
    /// The tools that have it, where the letter means other things in others.
    tools: &'static str,
    /// The flag of ours that a command must have.
    ours: &'static str,
    /// How ours is typed, where the flag alone does not tell.
    typed: Option<&'static str>,
}

impl FlagElsewhere {
    /// The flag does the same, whatever the tool.
    const fn same(theirs: &'static str, ours: &'static str) -> Self {
        Self {
            theirs,
            tools: "",
            ours,
            typed: None,
        }
    }

    /// The flag means this in these tools.
    const fn in_tools(theirs: &'static str, tools: &'static str, ours: &'static str) -> Self {
        Self {
            theirs,
            tools,
            ours,
            typed: None,
        }
    }

    /// The flag means this in these tools, and is typed so here.
    const fn typed(
        theirs: &'static str,
        tools: &'static str,
        ours: &'static str,
        typed: &'static str,
    ) -> Self {
        Self {
            theirs,
            tools,
            ours,
            typed: Some(typed),
        }
    }
}

/// Flags of wrk, wrk2, ab, hey, oha, vegeta, siege, curl, k6 and Locust. Of several lines of one flag those
/// are named whose flag the command has.
const FLAGS_ELSEWHERE: &[FlagElsewhere] = &[
    FlagElsewhere::same("-c", "--vus"),
    FlagElsewhere::same("-c", "--max-vus"),
    FlagElsewhere::same("--connections", "--vus"),
    FlagElsewhere::same("--connections", "--max-vus"),
    FlagElsewhere::same("--concurrency", "--vus"),
    FlagElsewhere::same("--concurrency", "--max-vus"),
    FlagElsewhere::same("--users", "--vus"),
    FlagElsewhere::same("--users", "--max-vus"),
    FlagElsewhere::same("--workers", "--vus"),
    FlagElsewhere::same("--max-workers", "--max-vus"),
    FlagElsewhere::same("-n", "--iterations"),
    FlagElsewhere::same("--requests", "--iterations"),
    FlagElsewhere::same("-z", "--duration"),
    FlagElsewhere::same("-z", "--budget"),
    FlagElsewhere::same("--run-time", "--duration"),
    FlagElsewhere::same("--run-time", "--budget"),
    FlagElsewhere::same("--time", "--duration"),
    FlagElsewhere::same("--time", "--budget"),
    FlagElsewhere::typed("--environment", "k6 scripts", "--env", "-e NAME=VALUE"),
    FlagElsewhere::same("--rps", "--rate"),
    FlagElsewhere::same("--rps", "--max-rate"),
    FlagElsewhere::same("--qps", "--rate"),
    FlagElsewhere::same("--qps", "--max-rate"),
    FlagElsewhere::same("-q", "--max-rate"),
    FlagElsewhere::same("--query-per-second", "--rate"),
    FlagElsewhere::same("--query-per-second", "--max-rate"),
    FlagElsewhere::same("-R", "--rate"),
    FlagElsewhere::same("-R", "--max-rate"),
    FlagElsewhere::same("-r", "--rate"),
    FlagElsewhere::in_tools("-t", "wrk", "--threads"),
    FlagElsewhere::in_tools("-t", "hey, oha", "--timeout"),
    FlagElsewhere::in_tools("-t", "ab", "--duration"),
    FlagElsewhere::in_tools("-s", "k6", "--stage"),
    FlagElsewhere::in_tools("-s", "ab", "--timeout"),
    FlagElsewhere::typed("-w", "ab", "--report", "--report FILE"),
    FlagElsewhere::in_tools("-w", "oha", "--graceful-stop"),
    FlagElsewhere::in_tools("-w", "vegeta", "--vus"),
    FlagElsewhere::typed("-A", "hey, oha", "--header", "-H 'Accept: TYPE'"),
    FlagElsewhere::typed("-A", "ab", "--header", "-H 'Authorization: Basic ...'"),
    FlagElsewhere::typed(
        "-a",
        "hey, oha",
        "--header",
        "-H 'Authorization: Basic ...'",
    ),
    FlagElsewhere::typed("-T", "ab, hey, oha", "--header", "-H 'Content-Type: TYPE'"),
    FlagElsewhere::typed("-C", "ab", "--header", "-H 'Cookie: NAME=VALUE'"),
    FlagElsewhere::typed("-p", "ab", "--body", "--body @FILE"),
    FlagElsewhere::same("-p", "--address"),
    FlagElsewhere::same("--port", "--address"),
    FlagElsewhere::typed("-D", "hey, oha", "--body", "--body @FILE"),
    FlagElsewhere::same("-X", "--method"),
    FlagElsewhere::same("--request", "--method"),
    FlagElsewhere::same("--data", "--body"),
    FlagElsewhere::same("--data-raw", "--body"),
    FlagElsewhere::same("--json", "--body"),
    FlagElsewhere::same("--spawn-rate", "--stage"),
    FlagElsewhere::same("--no-tui", "--live"),
    FlagElsewhere::same("--disable-keepalive", "--no-connection-reuse"),
    FlagElsewhere::same("--output", "--report"),
];

/// Flags of URL runs that scripts have in their own words.
const IN_SCRIPTS: &[ScriptSpelling] = &[
    ScriptSpelling {
        flags: &["--slo"],
        spelling: "thresholds: { http_req_duration: ['p(95)<300'] }",
    },
    ScriptSpelling {
        flags: &["--rate"],
        spelling: "scenarios: { load: { executor: 'constant-arrival-rate', ... } }",
    },
    ScriptSpelling {
        flags: &["--header", "-H"],
        spelling: "http.get(url, { headers: { ... } })",
    },
];

/// Flags of URL runs, and what does the same in a script.
struct ScriptSpelling {
    flags: &'static [&'static str],
    spelling: &'static str,
}

/// How a script says what a flag of URL runs does.
pub(crate) fn in_script(argument: &str) -> Option<&'static str> {
    let mut all = IN_SCRIPTS.iter();
    let known = all.find(|one| one.flags.contains(&argument));
    known.map(|one| one.spelling)
}

/// Flags of other tools that ask for what is shown in any case.
const NEEDLESS_ELSEWHERE: &[&str] = &["--latency", "--latency-correction", "--u_latency", "-U"];

/// Flags that say the load itself, which a search for capacity finds.
const LOAD_FLAGS: &[&str] = &["--vus", "--rate", "--iterations", "--duration", "--stage"];

/// The flags that a command has.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownFlags(Vec<String>);

impl KnownFlags {
    /// Those of a command.
    pub(crate) fn new(command: &clap::Command) -> Self {
        let long = |arg: &clap::Arg| arg.get_long().map(|name| format!("--{name}"));
        Self(command.get_arguments().filter_map(long).collect())
    }

    /// Those of a search: its own, and those of its test that do not say the load.
    pub(crate) fn of_search(own: &clap::Command, test: &clap::Command) -> Self {
        let Self(mut flags) = Self::new(test);
        flags.retain(|flag| !LOAD_FLAGS.contains(&flag.as_str()));
        flags.extend(Self::new(own).0);
        Self(flags)
    }

    /// Those of these names, without dashes.
    pub(crate) fn from<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        Self(names.map(|name| format!("--{name}")).collect())
    }

    pub(crate) fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|known| known == flag)
    }

    /// What does the same as a flag of another tool, as it is typed here: `--threads (wrk)`.
    pub(crate) fn named_elsewhere(&self, argument: &str) -> Option<String> {
        let meant = FLAGS_ELSEWHERE
            .iter()
            .filter(|flag| flag.theirs == argument && self.has(flag.ours));
        let typed: Vec<String> = meant.map(typed_here).collect();
        (!typed.is_empty()).then(|| typed.join(", "))
    }

    /// The flag that was probably meant: a slip of the finger, or a beginning.
    pub(crate) fn similar(&self, argument: &str) -> Option<String> {
        let bare = argument.strip_prefix("--")?;
        let names = || self.0.iter().map(|flag| flag.trim_start_matches('-'));
        let found = nearest(bare, names()).or_else(|| nearest_beginning(bare, names()));
        found.map(|name| format!("--{name}"))
    }

    /// The flag that was typed with one dash, as vegeta takes it: `-duration=30s` for `--duration`.
    ///
    /// The command line's library takes it for `-d uration=30s`.
    pub(crate) fn of_one_dash(&self, short: char, value: &str) -> Option<&str> {
        let word = value.split('=').next().unwrap_or_default();
        let meant = format!("--{short}{word}");
        let known = self.0.iter().find(|flag| **flag == meant);
        known.map(String::as_str)
    }
}

/// Whether a flag of another tool asks for what is shown in any case.
pub(crate) fn is_needless(argument: &str) -> bool {
    NEEDLESS_ELSEWHERE.contains(&argument)
}

fn typed_here(flag: &FlagElsewhere) -> String {
    let typed = flag.typed.unwrap_or(flag.ours);
    if flag.tools.is_empty() {
        typed.to_owned()
    } else {
        format!("{typed} ({})", flag.tools)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(flags: &[&str]) -> KnownFlags {
        KnownFlags(flags.iter().map(|flag| (*flag).to_owned()).collect())
    }

    #[test]
    fn only_flags_that_the_command_has_are_named() {
        let url = known(&["--vus", "--threads", "--timeout", "--duration", "--rate"]);
        assert_eq!(url.named_elsewhere("-c").as_deref(), Some("--vus"));
        assert_eq!(
            url.named_elsewhere("-t").as_deref(),
            Some("--threads (wrk), --timeout (hey, oha), --duration (ab)")
        );
        let search = known(&["--max-vus", "--max-rate", "--budget"]);
        assert_eq!(
            search.named_elsewhere("--rps").as_deref(),
            Some("--max-rate")
        );
        assert_eq!(
            search.named_elsewhere("--time").as_deref(),
            Some("--budget")
        );
        assert_eq!(url.named_elsewhere("--time").as_deref(), Some("--duration"));
        assert_eq!(search.named_elsewhere("-n"), None);
        assert_eq!(known(&[]).named_elsewhere("-c"), None);
    }

    /// Seen: "there is no option --dua", and no more.
    #[test]
    fn a_slip_or_a_beginning_names_the_flag_that_was_meant() {
        let known = known(&["--duration", "--budget", "--report", "--repeat"]);
        assert_eq!(known.similar("--dua").as_deref(), Some("--duration"));
        assert_eq!(known.similar("--budgt").as_deref(), Some("--budget"));
        assert_eq!(known.similar("--rep"), None);
        assert_eq!(known.similar("--zzz"), None);
    }

    #[test]
    fn one_dash_before_a_long_flag_is_seen() {
        let url = known(&["--duration"]);
        assert_eq!(url.of_one_dash('d', "uration=30s"), Some("--duration"));
        assert_eq!(url.of_one_dash('d', "30s"), None);
    }
}
