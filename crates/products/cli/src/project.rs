//! `loadline.yaml`: what holds for all tests of a project.
//!
//! It is looked for where the command runs and in the folders above. Read here: targets that
//! others use too, where notices go, and where signals of the target come from. A key that is none of these is refused: of `shred:` nothing
//! would be kept from load.
//! Whose orders are followed: [`trust`]; the file that holds here: `found_project`.

mod keys;
pub(crate) mod trust;
pub(crate) mod trusted_code;

use jiff::Zoned;
use jiff::civil::{Time, Weekday};
use loadline_record::Redactor;
use serde::Deserialize;

pub(crate) use keys::UnknownKey;

/// What is wrong with the file.
#[derive(Debug)]
pub(crate) enum ProjectMistake {
    /// A key that means nothing.
    Key(UnknownKey),
    /// In the words of the reader of YAML.
    Text(String),
}

/// The file's name.
pub(crate) const FILE: &str = "loadline.yaml";

/// What the file says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Project {
    /// Targets that others use too.
    pub(crate) shared: Vec<SharedTarget>,
    /// Where notices go.
    pub(crate) notify: Option<String>,
    /// Where signals of the target come from.
    pub(crate) observe: Vec<String>,
}

/// A target that others use too.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SharedTarget {
    /// Its name, with its port if only that is shared: `dev.example.com`.
    pub(crate) host: String,
    /// When load is allowed, local time: `22:00-06:00`; always unless given.
    #[serde(default)]
    pub(crate) hours: Option<Hours>,
    /// On which days: `[mon, tue]`; all unless given.
    #[serde(default)]
    pub(crate) days: Vec<Day>,
    /// Who uses it, and what for.
    #[serde(default)]
    pub(crate) note: String,
}

/// A part of the day, over midnight if it ends before it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Hours {
    from: Time,
    to: Time,
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

impl TryFrom<String> for Hours {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a time of day such as 22:00-06:00");
        let (from, to) = text.split_once('-').ok_or_else(wrong)?;
        let time = |text: &str| -> Option<Time> {
            let (hour, minute) = text.trim().split_once(':')?;
            Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
        };
        let (from, to) = time(from).zip(time(to)).ok_or_else(wrong)?;
        Ok(Self { from, to })
    }
}

impl std::fmt::Display for Hours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (from, to) = (self.from, self.to);
        write!(
            f,
            "{:02}:{:02}-{:02}:{:02}",
            from.hour(),
            from.minute(),
            to.hour(),
            to.minute()
        )
    }
}

impl Hours {
    /// Whether a time of day lies in it.
    fn has(self, time: Time) -> bool {
        if self.from <= self.to {
            self.from <= time && time <= self.to
        } else {
            time >= self.from || time <= self.to
        }
    }
}

impl Project {
    /// What of the file is done only for a person who confirmed it: running a command, reading the
    /// environment, sending data out.
    pub(crate) fn orders(&self) -> Vec<String> {
        let notify = self.notify.iter().map(|url| format!("notify: {url}"));
        let observe = self.observe.iter().filter(|source| is_order(source));
        let observe = observe.map(|source| format!("observe: {source}"));
        let redactor = Redactor::default();
        observe
            .chain(notify)
            .map(|order| redactor.text(&order))
            .collect()
    }

    /// The settings without orders.
    pub(crate) fn without_orders(mut self) -> Self {
        self.notify = None;
        self.observe.retain(|source| !is_order(source));
        self
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Self, ProjectMistake> {
        if let Some(unknown) = keys::unknown(text) {
            return Err(ProjectMistake::Key(unknown));
        }
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        serde_saphyr::from_str(text).map_err(|error| {
            let text = error.to_string();
            ProjectMistake::Text(text.lines().next().unwrap_or_default().to_owned())
        })
    }

    /// The shared targets that a test's texts name: its URL, its source, its variables.
    pub(crate) fn named_in(&self, texts: &[&str]) -> Vec<&SharedTarget> {
        let names = |target: &&SharedTarget| texts.iter().any(|text| target.is_named_in(text));
        self.shared.iter().filter(names).collect()
    }
}

/// Whether a source runs something or reads the environment.
fn is_order(source: &str) -> bool {
    source.trim_start().starts_with("command:") || source.contains("${")
}

impl SharedTarget {
    /// Whether a text names the host, not one that only ends or begins like it.
    fn is_named_in(&self, text: &str) -> bool {
        let host = self.host.trim_start_matches("*.").to_ascii_lowercase();
        let text = text.to_ascii_lowercase();
        let in_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        text.match_indices(&host).any(|(place, _)| {
            let before = text.as_bytes()[..place].last().copied();
            let after = text.as_bytes().get(place + host.len()).copied();
            let begins = match before {
                // A part of a longer name, unless all below it are meant.
                Some(b'.') => self.host.starts_with("*."),
                Some(byte) => !in_name(byte),
                None => true,
            };
            let ends = after.is_none_or(|byte| !in_name(byte) && byte != b'.');
            !host.is_empty() && begins && ends
        })
    }

    /// Whether load is allowed at a moment.
    pub(crate) fn allows(&self, at: &Zoned) -> bool {
        let day = match at.weekday() {
            Weekday::Monday => Day::Mon,
            Weekday::Tuesday => Day::Tue,
            Weekday::Wednesday => Day::Wed,
            Weekday::Thursday => Day::Thu,
            Weekday::Friday => Day::Fri,
            Weekday::Saturday => Day::Sat,
            Weekday::Sunday => Day::Sun,
        };
        let in_hours = self.hours.is_none_or(|hours| hours.has(at.time()));
        in_hours && (self.days.is_empty() || self.days.contains(&day))
    }

    /// When load is allowed, as written.
    pub(crate) fn when(&self) -> String {
        let days: Vec<String> = self
            .days
            .iter()
            .map(|day| format!("{day:?}").to_lowercase())
            .collect();
        let hours = self.hours.map(|hours| hours.to_string());
        [days.join(", "), hours.unwrap_or_default()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
shared:
  - host: dev.example.com
    hours: 22:00-06:00
    days: [mon, tue]
    note: the search team works on it
  - host: 127.0.0.1:9000
notify: http://127.0.0.1:1/hook
observe:
  - http://127.0.0.1:9000/metrics
x-team:
  - whatever another program reads
";

    #[test]
    fn targets_are_found_by_their_names_only() {
        let project = Project::read(FILE).unwrap();
        let named = |text: &str| project.named_in(&[text]).len();
        assert_eq!(named("http.get('https://dev.example.com/places')"), 1);
        assert_eq!(named("https://DEV.example.com"), 1);
        assert_eq!(named("https://my-dev.example.com"), 0);
        assert_eq!(named("https://a.dev.example.com"), 0);
        assert_eq!(named("https://dev.example.com.evil.org"), 0);
        assert_eq!(named("http://127.0.0.1:9000/x"), 1);
        assert_eq!(named("http://127.0.0.1:90001/x"), 0);
    }

    #[test]
    fn hours_may_go_over_midnight() {
        let project = Project::read(FILE).unwrap();
        let target = &project.shared[0];
        let at = |text: &str| text.parse::<Zoned>().unwrap();
        // 2026-11-23 is a Monday.
        assert!(target.allows(&at("2026-11-23T23:00+00:00[+00:00]")));
        assert!(target.allows(&at("2026-11-24T05:59+00:00[+00:00]")));
        assert!(!target.allows(&at("2026-11-23T12:00+00:00[+00:00]")));
        assert!(!target.allows(&at("2026-11-25T23:00+00:00[+00:00]")));
        assert_eq!(target.when(), "mon, tue 22:00-06:00");
    }

    #[test]
    fn commands_variables_and_notices_are_orders_and_pages_are_none() {
        let text = "observe:\n  - http://127.0.0.1:1/metrics\n  - 'command:id'\n  - 'postgres://${A}@h/d'\n  - port:80\nnotify: http://h/hook?token=abcd\n";
        let project = Project::read(text).unwrap();
        assert_eq!(
            project.orders(),
            [
                "observe: command:id",
                "observe: postgres://(redacted)@h/d",
                "notify: http://h/hook?token=(redacted)"
            ]
        );
        let project = project.without_orders();
        assert_eq!(project.observe, ["http://127.0.0.1:1/metrics", "port:80"]);
        assert_eq!(project.notify, None);
        assert!(project.orders().is_empty());
    }

    #[test]
    fn a_mistake_is_told() {
        let wrong = "shared:\n  - host: a\n    hours: late\n";
        let told = format!("{:?}", Project::read(wrong).unwrap_err());
        assert!(told.contains("late"), "{told}");
        assert!(Project::read("shared:\n  - hst: a\n").is_err());
        assert!(Project::read("").is_ok());
    }
}
