//! A script of the corpus and the directives in its head: how to run it and what to compare beyond the usual.
//!
//! Directives are comment lines at the top, before anything else:
//!
//! ```text
//! // @args --vus 2 --iterations 4       flags after `run`
//! // @env KEY=VALUE                     environment; ${BASE} and its like are replaced
//! // @exit 99                           exit code k6 must have shown when recorded
//! // @since 2.2                         k6 1.8 is not asked
//! // @former-exit 0                      that of k6 1.8, where it is another
//! // @signal SIGINT 200ms ready         sent 200 ms after a line holding `ready`
//! // @compare summary-text              the text summary
//! // @compare stdout REGEX              lines of standard output that match
//! // @compare file NAME                 a file the run wrote
//! // @tolerance iterations 1            a count may be off by 1 (or 1%)
//! // @ordered                           console order counts although there are several VUs
//! // @limit 8s                          the run is ended after this long (20 s unless told)
//! // @trust none                        the test authority is not trusted
//! // @stdin                             the script is piped in, the argument is `-`
//! // @target NAME                       argument in place of the script's own name
//! // @home-config NAME                  file to use as ~/.config/k6/config.json
//! // @plain                             no --summary-export of ours
//! // @computes                          its times are processor time: being sooner than k6 is no difference
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{CorpusError, arguments};
use crate::source_hash::sha256;

/// A signal sent during a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Signal number.
    pub number: i32,
    /// Time after the line that triggers it.
    pub after: Duration,
    /// Text of the output line that triggers it.
    pub trigger: String,
}

/// How far a count may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// By this many.
    Absolute(f64),
    /// By this share of the recorded count.
    Relative(f64),
}

impl Tolerance {
    /// Whether `got` is near enough to `expected`.
    #[must_use]
    pub fn accepts(self, expected: f64, got: f64) -> bool {
        let allowed = match self {
            Self::Absolute(count) => count,
            Self::Relative(share) => expected.abs() * share,
        };
        (expected - got).abs() <= allowed
    }
}

/// What the head of a script asks for.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    missing_docs,
    reason = "each field is the directive of that name, described above"
)]
pub struct Directives {
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub exit: Option<i32>,
    pub former_exit: Option<i32>,
    pub since: Option<String>,
    pub signals: Vec<Signal>,
    pub summary_text: bool,
    pub stdout: Vec<String>,
    pub files: Vec<String>,
    pub tolerances: Vec<(String, Tolerance)>,
    pub ordered: bool,
    pub limit: Duration,
    pub trusted: bool,
    pub stdin: bool,
    pub target: Option<String>,
    pub home_config: Option<String>,
    pub plain: bool,
    pub computes: bool,
}

impl Default for Directives {
    fn default() -> Self {
        Self {
            args: Vec::new(),
            env: Vec::new(),
            exit: None,
            former_exit: None,
            since: None,
            signals: Vec::new(),
            summary_text: false,
            stdout: Vec::new(),
            files: Vec::new(),
            tolerances: Vec::new(),
            ordered: false,
            limit: Duration::from_secs(20),
            trusted: true,
            stdin: false,
            target: None,
            home_config: None,
            plain: false,
            computes: false,
        }
    }
}

impl Directives {
    /// Reads the comment lines at the top of `source`.
    ///
    /// # Errors
    /// The text of the first directive that cannot be understood, and why.
    pub fn parse(source: &str) -> Result<Self, (String, String)> {
        let mut directives = Self::default();
        let head = source
            .lines()
            .map_while(|line| line.trim().strip_prefix("//"))
            .map(str::trim);
        for line in head.filter(|line| line.starts_with('@')) {
            directives
                .add(line)
                .map_err(|reason| (line.to_owned(), reason))?;
        }
        let body = source
            .lines()
            .map(str::trim)
            .skip_while(|line| line.starts_with("//"));
        if let Some(late) = body.filter(|line| line.starts_with("// @")).last() {
            return Err((
                late.to_owned(),
                "directives stand at the top, before anything else".to_owned(),
            ));
        }
        Ok(directives)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match name {
            "@args" => self.args.extend(arguments::split(rest)),
            "@env" => {
                let (key, value) = rest.split_once('=').ok_or("KEY=VALUE wanted")?;
                self.env.push((key.to_owned(), value.to_owned()));
            }
            "@exit" => self.exit = Some(rest.parse().map_err(|_| "a number wanted")?),
            "@since" => self.since = Some(rest.to_owned()),
            "@former-exit" => self.former_exit = Some(rest.parse().map_err(|_| "a number wanted")?),
            "@signal" => self.signals.push(signal(rest)?),
            "@compare" => self.compare(rest)?,
            "@tolerance" => {
                let (count, amount) = rest.split_once(' ').ok_or("NAME AMOUNT wanted")?;
                self.tolerances.push((count.to_owned(), tolerance(amount)?));
            }
            "@ordered" => self.ordered = true,
            "@limit" => self.limit = duration(rest)?,
            "@trust" => self.trusted = rest != "none",
            "@stdin" => self.stdin = true,
            "@target" => self.target = Some(rest.to_owned()),
            "@home-config" => self.home_config = Some(rest.to_owned()),
            "@plain" => self.plain = true,
            "@computes" => self.computes = true,
            _ => return Err("unknown directive".to_owned()),
        }
        Ok(())
    }

    fn compare(&mut self, what: &str) -> Result<(), String> {
        match what.split_once(' ') {
            None if what == "summary-text" => self.summary_text = true,
            Some(("stdout", pattern)) => {
                regex::Regex::new(pattern).map_err(|error| error.to_string())?;
                self.stdout.push(pattern.to_owned());
            }
            Some(("file", name)) => self.files.push(name.to_owned()),
            _ => return Err("summary-text, stdout REGEX or file NAME wanted".to_owned()),
        }
        Ok(())
    }

    /// The tolerance of a count, by the longest name that begins it.
    #[must_use]
    pub fn tolerance(&self, count: &str) -> Option<Tolerance> {
        // One sample of each per request.
        let count = if count.starts_with("http_req_failed") {
            "http_reqs"
        } else {
            count
        };
        let matching = self
            .tolerances
            .iter()
            .filter(|(name, _)| count.starts_with(name.as_str()) || name == "all");
        matching
            .max_by_key(|(name, _)| name.len())
            .map(|(_, tolerance)| *tolerance)
    }
}

fn signal(text: &str) -> Result<Signal, String> {
    let mut words = text.splitn(3, ' ');
    let number = match words.next() {
        Some("SIGINT") => libc::SIGINT,
        Some("SIGTERM") => libc::SIGTERM,
        _ => return Err("SIGINT or SIGTERM wanted".to_owned()),
    };
    let after = duration(words.next().unwrap_or_default())?;
    let trigger = words.next().ok_or("text of a line wanted")?.to_owned();
    Ok(Signal {
        number,
        after,
        trigger,
    })
}

fn duration(text: &str) -> Result<Duration, String> {
    let parsed = match text.strip_suffix("ms") {
        Some(number) => number.parse().map(Duration::from_millis),
        None => text.trim_end_matches('s').parse().map(Duration::from_secs),
    };
    parsed.map_err(|_| format!("{text:?}: 200ms or 2s wanted"))
}

fn tolerance(text: &str) -> Result<Tolerance, String> {
    let number = |digits: &str| {
        digits
            .parse::<f64>()
            .map_err(|_| format!("{text:?}: 1 or 1% wanted"))
    };
    match text.strip_suffix('%') {
        Some(percent) => Ok(Tolerance::Relative(number(percent)? / 100.0)),
        None => Ok(Tolerance::Absolute(number(text)?)),
    }
}

/// A script, found.
#[derive(Debug, Clone)]
pub struct Script {
    /// `topic/name`, without the extension.
    pub name: String,
    /// Folder of its topic: what is copied for a run.
    pub folder: PathBuf,
    /// File name in that folder.
    pub file: String,
    /// What its head asks for.
    pub directives: Directives,
    /// SHA-256 of its text, hexadecimal: says when a recording is out of date.
    pub hash: String,
}

impl Script {
    /// The folder it is in.
    #[must_use]
    pub fn topic(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    fn read(topic: &str, path: &Path) -> Result<Self, CorpusError> {
        let source = std::fs::read(path).map_err(|error| CorpusError::file(path, error))?;
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{topic}/{stem}");
        let directives = Directives::parse(&String::from_utf8_lossy(&source)).map_err(
            |(directive, reason)| CorpusError::Directive {
                script: name.clone(),
                directive,
                reason,
            },
        )?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        Ok(Self {
            name,
            folder,
            file,
            directives,
            hash: sha256(&source),
        })
    }
}

/// All scripts below `root` (`TOPIC/NAME.js` or `.ts`), sorted by name. Deeper folders hold what scripts import or open.
///
/// # Errors
/// When a folder or file cannot be read, or a directive cannot be understood.
pub fn discover(root: &Path) -> Result<Vec<Script>, CorpusError> {
    let mut scripts = Vec::new();
    for topic in entries(root)?.into_iter().filter(|path| path.is_dir()) {
        let name = topic
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for path in entries(&topic)? {
            if path.is_file()
                && path
                    .extension()
                    .is_some_and(|extension| extension == "js" || extension == "ts")
            {
                scripts.push(Script::read(&name, &path)?);
            }
        }
    }
    Ok(scripts)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| CorpusError::file(folder, error))? {
        paths.push(
            entry
                .map_err(|error| CorpusError::file(folder, error))?
                .path(),
        );
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_stand_at_the_top_only() {
        let source =
            "// A test.\n// @args --vus 2\n// @exit 99\n// @signal SIGINT 200ms is ready\nlet a;\n";
        let directives = Directives::parse(source).unwrap();
        assert_eq!(directives.args, ["--vus", "2"]);
        assert_eq!(directives.exit, Some(99));
        assert_eq!(directives.signals[0].trigger, "is ready");
        let late = Directives::parse("let a;\n// @stdin\n").unwrap_err();
        assert_eq!(late.0, "// @stdin");
    }

    #[test]
    fn unknown_directive_is_refused() {
        assert_eq!(
            Directives::parse("// @nosuch 1\n").unwrap_err().1,
            "unknown directive"
        );
    }

    #[test]
    fn tolerance_of_the_longest_name_holds() {
        let directives =
            Directives::parse("// @tolerance all 10%\n// @tolerance iterations 1\n").unwrap();
        assert_eq!(
            directives.tolerance("iterations.count"),
            Some(Tolerance::Absolute(1.0))
        );
        assert_eq!(
            directives.tolerance("http_reqs.count"),
            Some(Tolerance::Relative(0.1))
        );
        assert!(!Tolerance::Absolute(1.0).accepts(10.0, 12.0));
    }
}
