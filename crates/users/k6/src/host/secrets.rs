//! Secrets of scripts: reads them from their sources (`--secret-source`) and removes those a
//! script has asked for from the log.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::lock::lock;
use crate::log::Entry;

/// The replacement of a secret in the log.
const REDACTED: &str = "***SECRET_REDACTED***";

/// The source that scripts ask when they name none.
const DEFAULT: &str = "default";

type Source = Arc<BTreeMap<String, String>>;

/// The sources of a run. Values are read once, before the script.
#[derive(Default)]
pub struct Secrets {
    sources: BTreeMap<String, Source>,
    /// Secrets a script has read.
    given: Mutex<Vec<String>>,
}

impl Secrets {
    /// Reads the sources that `--secret-source` names, in order: `mock=KEY=VALUE,...` or
    /// `file=PATH`, each with `name=NAME` and `default` where it wants them. Paths start
    /// from `working_dir`.
    ///
    /// # Errors
    /// k6's words.
    pub fn read(lines: &[String], working_dir: &Path) -> Result<Self, String> {
        let mut sources: BTreeMap<String, Source> = BTreeMap::new();
        for line in lines {
            if line.trim().is_empty() {
                return Err(format!(
                    "couldn't parse secret source configuration {line:?}"
                ));
            }
            let (kind, config) = line.split_once('=').unwrap_or((line, ""));
            let settings = SourceSettings::read(config);
            let values = match kind {
                "mock" => pairs(settings.rest.split(','))?,
                "file" => from_file(&settings.rest, working_dir)?,
                _ => {
                    return Err(format!(
                        "no secret source for type {kind:?} for configuration {line:?}"
                    ));
                }
            };
            let values = Arc::new(values);
            let name = settings.name.unwrap_or(kind);
            if sources.insert(name.to_owned(), values.clone()).is_some() {
                return Err(format!(
                    "secret source for name {kind:?} already registered before configuration {line:?}"
                ));
            }
            if settings.is_default && sources.insert(DEFAULT.to_owned(), values).is_some() {
                return Err(format!(
                    "can't have two secret sources that are default ones, second one was {:?}",
                    settings.rest
                ));
            }
        }
        if let (1, Some(only)) = (sources.len(), sources.values().next().cloned()) {
            sources.insert(DEFAULT.to_owned(), only);
        }
        Ok(Self {
            sources,
            given: Mutex::default(),
        })
    }

    /// All secrets, read or not.
    #[must_use]
    pub fn values(&self) -> Vec<String> {
        let values = self.sources.values().flat_map(|source| source.values());
        values.cloned().collect()
    }

    /// A secret; from now on it is kept out of the log.
    ///
    /// # Errors
    /// k6's words.
    pub(crate) fn get(&self, source: Option<&str>, key: &str) -> Result<String, String> {
        if self.sources.is_empty() {
            return Err("no secret sources are configured".to_owned());
        }
        let name = source.unwrap_or(DEFAULT);
        let Some(values) = self.sources.get(name) else {
            return Err(format!("no secret source with name {name:?} is configured"));
        };
        let value = values.get(key).ok_or("no value")?;
        let mut given = lock(&self.given);
        if !value.trim().is_empty() && !given.contains(value) {
            given.push(value.clone());
        }
        Ok(value.clone())
    }

    /// A line of the log without the secrets that were given.
    pub(crate) fn redacted(&self, entry: Entry) -> Entry {
        if self.sources.is_empty() {
            return entry;
        }
        let given = lock(&self.given);
        if given.is_empty() {
            return entry;
        }
        entry.mapped(|text| {
            let mut text = text.to_owned();
            for secret in given.iter() {
                if text.contains(secret) {
                    text = text.replace(secret, REDACTED);
                }
            }
            text
        })
    }
}

/// The settings of a source, after its kind.
struct SourceSettings<'a> {
    name: Option<&'a str>,
    is_default: bool,
    /// Everything else, separated by commas.
    rest: String,
}

impl<'a> SourceSettings<'a> {
    fn read(config: &'a str) -> Self {
        let (mut name, mut is_default) = (None, false);
        let mut rest = Vec::new();
        for part in config.split(',') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key {
                _ if part == DEFAULT => is_default = true,
                "name" => name = Some(value).filter(|name| !name.is_empty()),
                _ => rest.push(part),
            }
        }
        Self {
            name,
            is_default,
            rest: rest.join(","),
        }
    }
}

/// Keys and values, `=` between them.
fn pairs<'a>(parts: impl Iterator<Item = &'a str>) -> Result<BTreeMap<String, String>, String> {
    let mut values = BTreeMap::new();
    for part in parts {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| format!("parsing {part:?}, needs ="))?;
        values.insert(key.to_owned(), value.to_owned());
    }
    Ok(values)
}

fn from_file(settings: &str, working_dir: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut name = "";
    for part in settings.split(',') {
        match part.split_once('=') {
            None => name = part,
            Some(("filename", value)) => name = value,
            Some((key, _)) => {
                return Err(format!(
                    "unknown configuration key for file secret source {key:?}"
                ));
            }
        }
    }
    let text = std::fs::read_to_string(working_dir.join(name)).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        format!("open {name}: {why}")
    })?;
    pairs(text.lines())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::LogLevel;

    fn read(lines: &[&str]) -> Result<Secrets, String> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        Secrets::read(&lines, Path::new("/"))
    }

    #[test]
    fn a_secret_once_given_is_kept_out_of_the_log() {
        let secrets = read(&["mock=one=first!,two=second"]).expect("well formed");
        let entry = || Entry::new(LogLevel::Info, "first! and second");
        assert_eq!(secrets.redacted(entry()), entry());
        assert_eq!(secrets.get(None, "one"), Ok("first!".to_owned()));
        let message = secrets.redacted(entry()).message;
        assert_eq!(message, "***SECRET_REDACTED*** and second");
    }

    #[test]
    fn sources_have_names_and_one_is_the_default() {
        let secrets = read(&["mock=name=a,x=1", "mock=name=b,default,x=2"]).expect("well formed");
        assert_eq!(secrets.get(Some("a"), "x"), Ok("1".to_owned()));
        assert_eq!(secrets.get(None, "x"), Ok("2".to_owned()));
        assert_eq!(secrets.get(None, "y"), Err("no value".to_owned()));
        assert!(read(&["mock=a=1", "mock=b=1"]).is_err());
        assert!(read(&["mock=default,a=1", "mock=name=b,default,b=1"]).is_err());
        assert!(read(&["vault=a"]).is_err());
        assert!(read(&["mock=default"]).is_err());
        let unnamed = read(&["mock=name=,x=3", "mock=name=b,x=4"]).expect("well formed");
        assert_eq!(unnamed.get(Some("mock"), "x"), Ok("3".to_owned()));
    }
}
