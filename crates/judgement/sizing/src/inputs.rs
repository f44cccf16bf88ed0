//! The inputs of a plan: people, goals and machines.
//!
//! Flags and files both give names and texts. [`PlanInputs::read`] validates them in the same way
//! and finds all errors at once.

use loadline_text::{Message, plan};

use crate::feature::Feature;
use crate::stages::{self, LoadStage};
use crate::values;

/// A value that is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// The input's name: the flag without dashes.
    pub name: String,
    /// The value as text.
    pub value: String,
    /// Why it is not valid.
    pub why: Message,
}

impl InputError {
    pub(crate) fn new(name: impl Into<String>, value: impl Into<String>, why: Message) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            why,
        }
    }
}

/// The minute of a log with the most requests.
#[derive(Debug, Clone, PartialEq)]
pub struct BusiestSpan {
    /// When it begins.
    pub at: String,
    /// Its requests.
    pub requests: u64,
    /// How much of it the log covers: a log may be shorter than a minute.
    pub seconds: f64,
}

macro_rules! inputs {
    ($($(#[$doc:meta])* $field:ident $name:literal $reader:ident;)*) => {
        /// The inputs. Times are in seconds, rates per second, shares from 0 to 1, memory in MiB.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct PlanInputs {
            $($(#[$doc])* pub $field: Option<f64>,)*
            /// Response times to plan for; the first is the goal.
            pub response_times: Vec<f64>,
            /// The numbers of instances to compute settings for.
            pub instances: Vec<f64>,
            /// Stages of the load.
            pub stages: Vec<LoadStage>,
            /// Features.
            pub features: Vec<Feature>,
            /// The log's busiest minute.
            pub busiest: Option<BusiestSpan>,
            /// The inputs as text, in order.
            pub written: Vec<(String, String)>,
        }

        impl PlanInputs {
            /// The names of all inputs.
            #[must_use]
            pub fn names() -> Vec<&'static str> {
                vec![$($name,)* "response-time", "instances", "stages", "feature"]
            }

            fn set(&mut self, name: &str, text: &str) -> Result<(), Message> {
                match name {
                    $($name => self.$field = Some(values::$reader(text)?),)*
                    "response-time" => {
                        self.response_times = each(text, values::positive_seconds)?;
                    }
                    "instances" => self.instances = each(text, values::whole)?,
                    "stages" => self.stages = stages::parse(text)?,
                    "feature" => self.features.push(Feature::parse(text)?),
                    _ => return Err(plan::why_unknown_input(Self::names().join(", "))),
                }
                Ok(())
            }
        }
    };
}

inputs! {
    /// People active on a day.
    dau "dau" whole;
    /// People active in a month.
    mau "mau" whole;
    /// Share of the monthly people who are active on a day.
    daily_share "daily-share" share;
    /// Requests per person and day.
    requests_per_user "requests-per-user" count;
    /// Hours of the day over which they are spread.
    active_hours "active-hours" count;
    /// All people; a share of them is active.
    users "users" whole;
    /// The share of them who are active.
    active "active" share;
    /// People online at the same time.
    online "online" whole;
    /// Seconds between two requests of a person.
    every "every" positive_seconds;
    /// A known mean rate.
    rate "rate" rate;
    /// The peak rate divided by the mean rate.
    peak_factor "peak-factor" factor;
    /// Expected growth, as a factor.
    growth "growth" factor;
    /// Think time between iterations.
    think_time "think-time" seconds;
    /// Requests per iteration.
    requests_per_iteration "requests-per-iteration" whole;
    /// Length of the load test.
    duration "duration" positive_seconds;
    /// Goal of the 95th percentile.
    p95 "p95" positive_seconds;
    /// Goal of the error rate.
    error_rate "error-rate" share_or_none;
    /// Virtual users of a script; for its ceiling.
    vus "vus" whole;
    /// The time goal of a page, until it is displayed.
    page_time "page-time" positive_seconds;
    /// The part of it that the browser needs for rendering.
    render_time "render-time" seconds;
    /// Time of one round trip.
    round_trip "round-trip" seconds;
    /// Sequential round trips per page.
    round_trips "round-trips" not_negative;
    /// Sequential API calls per page.
    api_calls "api-calls" whole;
    /// Cores of an instance.
    cores "cores" count;
    /// Memory limit of an instance.
    memory "memory" mebibytes;
    /// CPU time per request.
    service_time "service-time" positive_seconds;
    /// Waiting time per request.
    wait_time "wait-time" seconds;
    /// Response time measured with one user; the waiting time is computed from it.
    measured_response "measured-response" positive_seconds;
    /// How long a request holds a connection.
    hold_time "hold-time" positive_seconds;
    /// Cores of the database.
    db_cores "db-cores" count;
    /// Disks (spindles) of the database.
    spindles "spindles" not_negative;
    /// The database's limit of connections.
    db_max_connections "db-max-connections" whole;
    /// Of these, connections that are not for the application.
    db_reserved "db-reserved" not_negative;
    /// Connections that a task holds at the same time.
    connections_per_task "connections-per-task" whole;
}

impl PlanInputs {
    /// Reads names and texts; a later one replaces an earlier one with the same name. Also checks
    /// combinations.
    ///
    /// # Errors
    /// All errors, in the order given.
    pub fn read<'a>(
        &mut self,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), Vec<InputError>> {
        let mut mistakes = Vec::new();
        for (name, text) in given {
            match self.set(name, text) {
                Ok(()) => {
                    if name != "feature" {
                        self.written.retain(|(known, _)| known != name);
                    }
                    self.written.push((name.to_owned(), text.to_owned()));
                }
                Err(why) => mistakes.push(InputError::new(name, text, why)),
            }
        }
        if mistakes.is_empty() {
            self.check_together(&mut mistakes);
        }
        if mistakes.is_empty() {
            Ok(())
        } else {
            Err(mistakes)
        }
    }

    /// The response-time goal.
    #[must_use]
    pub fn response_goal(&self) -> Option<f64> {
        self.response_times.first().copied()
    }

    fn text_of(&self, name: &str) -> String {
        let found = self.written.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, text)| text.clone()).unwrap_or_default()
    }

    fn is_given(&self, name: &str) -> bool {
        self.written.iter().any(|(known, _)| known == name)
    }

    fn check_together(&self, mistakes: &mut Vec<InputError>) {
        let mut refuse = |name: &str, why: Message| {
            mistakes.push(InputError::new(name, self.text_of(name), why));
        };
        let more = |one: Option<f64>, other: Option<f64>| {
            one.zip(other).is_some_and(|(one, other)| one > other)
        };
        if more(self.dau, self.mau) {
            refuse("dau", plan::why_more_than("mau", self.text_of("mau")));
        }
        if more(self.active_hours, Some(24.0)) {
            refuse("active-hours", plan::why_more_than("24", "24 h"));
        }
        if more(self.render_time, self.page_time) {
            let page = self.text_of("page-time");
            refuse("render-time", plan::why_more_than("page-time", page));
        }
        if more(self.service_time, self.measured_response) {
            let response = self.text_of("measured-response");
            refuse(
                "service-time",
                plan::why_more_than("measured-response", response),
            );
        }
        // A connection is held within the request.
        if more(self.hold_time, self.measured_response) {
            let response = self.text_of("measured-response");
            refuse(
                "hold-time",
                plan::why_more_than("measured-response", response),
            );
        }
        let longest = self.response_times.iter().copied().reduce(f64::max);
        if more(self.hold_time, longest) {
            let response = self.text_of("response-time");
            refuse("hold-time", plan::why_more_than("response-time", response));
        }
        if more(self.db_reserved, self.db_max_connections) {
            let most = self.text_of("db-max-connections");
            refuse(
                "db-reserved",
                plan::why_more_than("db-max-connections", most),
            );
        }
        // Stages say every rate and time.
        let beside = [
            "dau",
            "mau",
            "users",
            "online",
            "rate",
            "peak-factor",
            "duration",
        ];
        let beside = beside.iter().find(|name| self.is_given(name));
        if let Some(name) = beside.filter(|_| !self.stages.is_empty()) {
            refuse("stages", plan::why_stages_beside(name));
        }
        if self.memory.is_some_and(|memory| memory < 128.0) {
            refuse("memory", plan::why_memory_small());
        }
        if self.cores.is_some_and(|cores| cores > 4096.0) {
            refuse("cores", plan::why_too_large());
        }
        let shares: f64 = self.features.iter().filter_map(|f| f.share).sum();
        let all_given = self.features.iter().all(|f| f.share.is_some());
        let wrong = if all_given {
            (shares - 1.0).abs() > 0.001
        } else {
            shares >= 1.0
        };
        if !self.features.is_empty() && shares > 0.0 && wrong {
            refuse("feature", plan::why_shares(crate::figure::share(shares)));
        }
        let mut names: Vec<&str> = self.features.iter().map(|f| f.name.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            refuse("feature", plan::why_same_feature());
        }
    }
}

/// The parts of a comma-separated list; a thousands separator is no comma of the list.
fn each(text: &str, read: impl Fn(&str) -> Result<f64, Message>) -> Result<Vec<f64>, Message> {
    text.split([',', '，']).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(given: &[(&str, &str)]) -> Vec<(String, Message)> {
        let mut inputs = PlanInputs::default();
        let mistakes = inputs.read(given.iter().copied()).unwrap_err();
        mistakes.into_iter().map(|m| (m.name, m.why)).collect()
    }

    #[test]
    fn all_mistakes_are_found_at_once() {
        let found = refused(&[("dau", "-1"), ("active", "200%"), ("page", "1s")]);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["dau", "active", "page"]);
    }

    #[test]
    fn what_contradicts_another_input_is_refused() {
        let cases: [(&[(&str, &str)], &str); 6] = [
            (&[("dau", "20"), ("mau", "10")], "dau"),
            (&[("active-hours", "25")], "active-hours"),
            (&[("page-time", "1s"), ("render-time", "2s")], "render-time"),
            (
                &[("service-time", "80ms"), ("measured-response", "40ms")],
                "service-time",
            ),
            (&[("memory", "64m")], "memory"),
            (
                &[("feature", "a: share=60%"), ("feature", "b: share=60%")],
                "feature",
            ),
        ];
        for (given, name) in cases {
            let found = refused(given);
            assert_eq!(found.len(), 1, "{given:?}");
            assert_eq!(found[0].0, name);
        }
    }

    #[test]
    fn a_later_value_wins_and_is_the_one_written() {
        let mut inputs = PlanInputs::default();
        inputs.read([("dau", "10"), ("dau", "20")]).unwrap();
        assert_eq!(inputs.dau, Some(20.0));
        assert_eq!(inputs.written, [("dau".to_owned(), "20".to_owned())]);
    }
}
