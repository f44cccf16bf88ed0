//! How the answers of a run compare with those that another one kept.

use serde::{Deserialize, Serialize};

/// How the answers of a run compare with those that another one kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerComparison {
    /// The runs that it is held to, as they were named.
    pub reference: String,
    /// Requests that both sent and whose answers were compared.
    pub compared: u64,
    /// Of these, requests whose answers differ.
    pub differing: u64,
    /// Of these, requests that were answered once only before: what of them varies by itself is not known.
    pub seen_once: u64,
    /// Of these, requests of whose answers only the beginning was compared.
    pub cut: u64,
    /// Requests before that this run did not send.
    pub not_seen: u64,
    /// Requests of this run that were not sent before.
    pub new: u64,
    /// The first difference of each endpoint.
    pub differences: Vec<AnswerDifference>,
    /// What was not compared, since it varies by itself.
    pub uncompared: Vec<UncomparedPart>,
}

/// The first difference in the answers of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerDifference {
    /// The method.
    pub method: String,
    /// The endpoint.
    pub endpoint: String,
    /// The address of the request.
    pub url: String,
    /// What differs.
    pub kind: DifferenceKind,
    /// The place in JSON, such as `$.items[3].rating`; the number of a line of a text; empty for the whole answer.
    pub path: String,
    /// What it was; empty where nothing was.
    pub was: String,
    /// What it is; empty where nothing is.
    pub is: String,
    /// Requests of the endpoint whose answers differ, ...
    pub differing: u64,
    /// ... of so many that were compared.
    pub compared: u64,
    /// The request was answered once only before.
    pub seen_once: bool,
}

/// What differs in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// The status.
    Status,
    /// The media type.
    MediaType,
    /// Where it points.
    Location,
    /// A value.
    Value,
    /// What varies has another form: a null, another type, another zone.
    Form,
    /// A member is missing.
    Missing,
    /// A member was added.
    Added,
    /// How many elements a list has.
    Length,
    /// The order of a list.
    Order,
    /// A line of a text.
    Line,
    /// A body that is no text.
    Binary,
}

/// What was not compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UncomparedPart {
    /// The method.
    pub method: String,
    /// The endpoint.
    pub endpoint: String,
    /// What of it.
    pub part: UncomparedKind,
    /// Where; empty for the whole answer.
    pub path: String,
}

/// What of an answer was not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UncomparedKind {
    /// A value.
    Value,
    /// The order of a list.
    Order,
    /// Which elements a list has.
    Elements,
    /// Whether a member is there.
    Presence,
    /// A word in a line of a text.
    Line,
    /// A text from a line on.
    Rest,
    /// A body that is no text.
    Binary,
    /// Where answers point.
    Location,
    /// The media type.
    MediaType,
}

impl AnswerComparison {
    /// Whether the answers are the same as far as that was looked at: where nothing was compared, nobody knows.
    #[must_use]
    pub const fn are_same(&self) -> bool {
        self.compared > 0 && self.differing == 0
    }
}
