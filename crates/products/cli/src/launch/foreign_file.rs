//! Files of other tools that people name as a test: what they are, and what is to be done.

use std::path::Path;

use loadline_text::{Catalog, Message, messages, ngrinder, problem, shell_word};

use crate::refusal::Refusal;

/// What a file of another tool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForeignFile {
    /// What a browser recorded.
    Har,
    /// A test plan of JMeter.
    JMeter,
    /// A program of Locust, or of nGrinder.
    Python,
    /// A script of nGrinder.
    Groovy,
    /// A simulation of Gatling.
    Gatling,
    /// Statements of a database.
    Sql,
    /// Rows.
    Table,
    /// A text, a page or a picture for people.
    Document,
}

impl ForeignFile {
    /// What a file of this name is, if it is no test.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let ending = Path::new(name).extension()?.to_str()?.to_lowercase();
        Some(match ending.as_str() {
            "har" => Self::Har,
            "jmx" => Self::JMeter,
            "py" => Self::Python,
            "groovy" => Self::Groovy,
            "scala" | "java" | "kt" => Self::Gatling,
            "sql" => Self::Sql,
            "csv" | "tsv" => Self::Table,
            "txt" | "md" | "log" | "pdf" | "doc" | "docx" | "rtf" | "html" | "htm" | "png"
            | "jpg" | "jpeg" | "gif" | "svg" => Self::Document,
            _ => return None,
        })
    }

    /// Why it cannot stand where a test belongs.
    pub(crate) fn refusal(self, name: &str, is_there: bool, catalog: &Catalog) -> Refusal {
        let (what, way) = (catalog.text(&self.what()), catalog.text(&self.way(name)));
        Refusal::config(if is_there {
            problem::foreign_file(name, what, way)
        } else {
            problem::foreign_file_missing(name, what, way)
        })
    }

    fn what(self) -> Message {
        match self {
            Self::Har => messages::foreign_har(),
            Self::JMeter => messages::foreign_jmeter(),
            Self::Python => messages::foreign_python(),
            Self::Groovy => ngrinder::foreign_groovy(),
            Self::Gatling => messages::foreign_gatling(),
            Self::Sql => messages::foreign_sql(),
            Self::Table => messages::foreign_table(),
            Self::Document => messages::foreign_document(),
        }
    }

    fn way(self, name: &str) -> Message {
        match self {
            Self::Har => messages::foreign_har_way(),
            Self::JMeter => messages::foreign_jmeter_way(),
            Self::Groovy | Self::Python => ngrinder::foreign_way(shell_word(name)),
            Self::Gatling | Self::Sql => messages::foreign_way(),
            Self::Document => messages::foreign_document_way(),
            Self::Table => messages::foreign_table_way(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_tools_are_known_by_their_ending_and_tests_are_none() {
        for (name, file) in [
            ("a/b.har", ForeignFile::Har),
            ("Plan.JMX", ForeignFile::JMeter),
            ("locustfile.py", ForeignFile::Python),
            ("login.groovy", ForeignFile::Groovy),
            ("Basic.scala", ForeignFile::Gatling),
            ("q.sql", ForeignFile::Sql),
            ("ids.csv", ForeignFile::Table),
            ("note.txt", ForeignFile::Document),
            ("README.md", ForeignFile::Document),
            ("shot.PNG", ForeignFile::Document),
        ] {
            assert_eq!(ForeignFile::from_name(name), Some(file), "{name}");
        }
        for name in ["a.js", "a.ts", "a.tar", "a", "-", "a.har.js", ".har"] {
            assert_eq!(ForeignFile::from_name(name), None, "{name}");
        }
    }
}
