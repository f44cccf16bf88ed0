//! Whether a run is answered as runs before it were, request by request, and where its answers differ first.
//!
//! What varies by itself is learned from the runs before: where two answers to the same request differ, though nothing was
//! changed, nothing is compared but that a value of a known kind and form is there. [`Learned`](learned::Learned) holds that
//! by endpoint and by places whose indexes are folded, so that one request that was answered twice tells of all of its kind.

mod difference;
mod folded;
mod forms;
mod learned;
mod lines;
mod lists;

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::saved_answers::{JsonNode, RequestKey, SavedAnswer, SavedAnswers, SavedBody};
use loadline_record::{AnswerComparison, AnswerDifference, DifferenceKind, UncomparedPart};

use difference::{Found, document_differences};
use learned::Learned;
use lines::LearnedLines;

/// Endpoints whose first difference is told.
const DIFFERENCES_MAX: usize = 50;
/// Places that vary and are named.
const UNCOMPARED_MAX: usize = 200;
/// Answers of a request before that one is compared with.
const COMPARED_WITH_MAX: usize = 6;

/// The answers that a run is held to.
#[derive(Debug, Clone)]
pub struct AnswerBaseline {
    reference: String,
    requests: BTreeMap<RequestKey, KnownRequest>,
    endpoints: BTreeMap<EndpointKey, Learned>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct EndpointKey {
    method: String,
    name: String,
}

/// A request and what is known of its answers.
#[derive(Debug, Clone)]
struct KnownRequest {
    endpoint: EndpointKey,
    answers: Vec<KnownAnswer>,
    /// How many answers were looked at.
    count: u64,
    lines: BTreeMap<u16, LearnedLines>,
}

/// An answer that is read.
#[derive(Debug, Clone)]
struct KnownAnswer {
    saved: SavedAnswer,
    /// Its document, if its body is one.
    document: Option<JsonNode>,
}

impl KnownAnswer {
    fn new(saved: &SavedAnswer) -> Self {
        let document = match &saved.body {
            SavedBody::Json { text, is_cut } => JsonNode::read(text, *is_cut),
            _ => None,
        };
        Self {
            saved: saved.clone(),
            document,
        }
    }

    const fn is_cut(&self) -> bool {
        match self.saved.body {
            SavedBody::Json { is_cut, .. } | SavedBody::Text { is_cut, .. } => is_cut,
            SavedBody::Empty | SavedBody::Binary { .. } => false,
        }
    }
}

impl AnswerBaseline {
    /// What is known from the answers of runs that are the same.
    #[must_use]
    pub fn new(reference: &str, runs: &[SavedAnswers]) -> Self {
        let mut requests: BTreeMap<RequestKey, KnownRequest> = BTreeMap::new();
        for request in runs.iter().flat_map(|run| &run.requests) {
            let known = requests
                .entry(request.key.clone())
                .or_insert_with(|| KnownRequest {
                    endpoint: EndpointKey {
                        method: request.key.method.clone(),
                        name: request.endpoint.clone(),
                    },
                    answers: Vec::new(),
                    count: 0,
                    lines: BTreeMap::new(),
                });
            for answer in &request.answers {
                known.count += u64::from(answer.count);
                let is_same = |one: &KnownAnswer| {
                    SavedAnswer {
                        count: 0,
                        ..one.saved.clone()
                    } == SavedAnswer {
                        count: 0,
                        ..answer.clone()
                    }
                };
                if !known.answers.iter().any(is_same) {
                    known.answers.push(KnownAnswer::new(answer));
                }
            }
        }
        let mut endpoints: BTreeMap<EndpointKey, Learned> = BTreeMap::new();
        for request in requests.values_mut() {
            let learned = endpoints.entry(request.endpoint.clone()).or_default();
            learn(request, learned);
        }
        Self {
            reference: reference.to_owned(),
            requests,
            endpoints,
        }
    }

    /// How the answers of a run compare.
    #[must_use]
    pub fn compare(&self, run: &SavedAnswers) -> AnswerComparison {
        let mut compared = AnswerComparison {
            reference: self.reference.clone(),
            ..AnswerComparison::default()
        };
        let mut by_endpoint: BTreeMap<&EndpointKey, EndpointTally> = BTreeMap::new();
        let mut sent: BTreeSet<&RequestKey> = BTreeSet::new();
        for request in &run.requests {
            let Some(known) = self.requests.get(&request.key) else {
                compared.new += 1;
                continue;
            };
            if !sent.insert(&request.key) {
                continue;
            }
            compared.compared += 1;
            let answers: Vec<KnownAnswer> = request.answers.iter().map(KnownAnswer::new).collect();
            let is_cut = answers
                .iter()
                .chain(&known.answers)
                .any(KnownAnswer::is_cut);
            compared.cut += u64::from(is_cut);
            compared.seen_once += u64::from(known.count < 2);
            let tally = by_endpoint.entry(&known.endpoint).or_default();
            tally.compared += 1;
            let found = answers
                .iter()
                .find_map(|answer| self.difference(known, answer));
            if let Some(found) = found {
                compared.differing += 1;
                tally.differing += 1;
                // A difference that is sure is told before one that may be none.
                let is_better = tally
                    .first
                    .as_ref()
                    .is_none_or(|first| first.seen_once && known.count >= 2);
                if is_better {
                    tally.first = Some(AnswerDifference {
                        method: known.endpoint.method.clone(),
                        endpoint: known.endpoint.name.clone(),
                        url: request.key.url.clone(),
                        kind: found.kind,
                        path: found.path,
                        was: found.was,
                        is: found.is,
                        differing: 0,
                        compared: 0,
                        seen_once: known.count < 2,
                    });
                }
            }
        }
        compared.not_seen = (self.requests.len() - sent.len()) as u64;
        let compared_endpoints: BTreeSet<&EndpointKey> = by_endpoint.keys().copied().collect();
        compared.uncompared = self.uncompared(&compared_endpoints);
        let firsts = by_endpoint.into_values().filter_map(|tally| {
            tally.first.map(|first| AnswerDifference {
                differing: tally.differing,
                compared: tally.compared,
                ..first
            })
        });
        compared.differences = firsts.take(DIFFERENCES_MAX).collect();
        compared
    }

    /// The first difference of an answer from all those before that it might be the same as.
    fn difference(&self, known: &KnownRequest, answer: &KnownAnswer) -> Option<Found> {
        let of_status: Vec<&KnownAnswer> = known
            .answers
            .iter()
            .filter(|one| one.saved.status == answer.saved.status)
            .collect();
        if of_status.is_empty() {
            let statuses: BTreeSet<u16> =
                known.answers.iter().map(|one| one.saved.status).collect();
            let was = statuses.iter().map(u16::to_string).collect::<Vec<_>>();
            return Some(Found {
                kind: DifferenceKind::Status,
                path: String::new(),
                was: was.join(", "),
                is: answer.saved.status.to_string(),
            });
        }
        let learned = self.endpoints.get(&known.endpoint)?;
        let mut closest: Option<Vec<Found>> = None;
        for one in of_status.iter().take(COMPARED_WITH_MAX) {
            let found = differences(one, answer, learned, known);
            if found.is_empty() {
                return None;
            }
            if closest
                .as_ref()
                .is_none_or(|known| found.len() < known.len())
            {
                closest = Some(found);
            }
        }
        closest?.into_iter().next()
    }

    /// What varies by itself in the answers of these endpoints.
    fn uncompared(&self, of: &BTreeSet<&EndpointKey>) -> Vec<UncomparedPart> {
        let mut parts = BTreeSet::new();
        let mut add = |endpoint: &EndpointKey, part, path: &str| {
            parts.insert(UncomparedPart {
                method: endpoint.method.clone(),
                endpoint: endpoint.name.clone(),
                part,
                path: path.to_owned(),
            });
        };
        for (endpoint, learned) in self.endpoints.iter().filter(|(key, _)| of.contains(key)) {
            learned.each_varying(|part, path| add(endpoint, part, path));
        }
        for request in self
            .requests
            .values()
            .filter(|one| of.contains(&one.endpoint))
        {
            for lines in request.lines.values() {
                lines.each_varying(|part, path| add(&request.endpoint, part, path));
            }
        }
        parts.into_iter().take(UNCOMPARED_MAX).collect()
    }
}

/// What became of the requests of an endpoint.
#[derive(Debug, Default)]
struct EndpointTally {
    compared: u64,
    differing: u64,
    first: Option<AnswerDifference>,
}

/// Learns from the answers of one request what varies by itself.
fn learn(request: &mut KnownRequest, learned: &mut Learned) {
    for answer in &request.answers {
        if let Some(document) = &answer.document {
            learned.see(document);
        }
    }
    let KnownRequest { answers, lines, .. } = request;
    for (place, one) in answers.iter().enumerate() {
        for other in &answers[place + 1..] {
            if one.saved.status != other.saved.status {
                continue;
            }
            learned.media_type_varies |= one.saved.media_type != other.saved.media_type;
            learned.location_varies |= one.saved.location != other.saved.location;
            match (&one.saved.body, &other.saved.body) {
                (SavedBody::Binary { .. }, SavedBody::Binary { .. }) => {
                    learned.binary_varies |= one.saved.body != other.saved.body;
                }
                (SavedBody::Text { text: one, .. }, SavedBody::Text { text: other, .. }) => {
                    let status = answers[place].saved.status;
                    lines.entry(status).or_default().learn(one, other);
                }
                _ => {
                    if let (Some(one), Some(other)) = (&one.document, &other.document) {
                        learned.learn(one, other);
                    }
                }
            }
        }
    }
}

/// All differences between two answers of one status, as far as they are looked for.
fn differences(
    before: &KnownAnswer,
    after: &KnownAnswer,
    learned: &Learned,
    request: &KnownRequest,
) -> Vec<Found> {
    let mut found = Vec::new();
    let head = |kind, was: &str, is: &str| Found {
        kind,
        path: String::new(),
        was: was.to_owned(),
        is: is.to_owned(),
    };
    let (was, is) = (&before.saved, &after.saved);
    if was.media_type != is.media_type && !learned.media_type_varies {
        found.push(head(
            DifferenceKind::MediaType,
            &was.media_type,
            &is.media_type,
        ));
    }
    if was.location != is.location && !learned.location_varies {
        found.push(head(DifferenceKind::Location, &was.location, &is.location));
    }
    match (&was.body, &is.body) {
        (SavedBody::Json { .. }, SavedBody::Json { .. }) => {
            if let (Some(was), Some(is)) = (&before.document, &after.document) {
                found.extend(document_differences(was, is, learned));
            }
        }
        (
            SavedBody::Text {
                text: was,
                is_cut: was_cut,
            },
            SavedBody::Text { text: is, is_cut },
        ) => {
            let lines = request.lines.get(&before.saved.status);
            let is_cut = *was_cut || *is_cut;
            found.extend(lines::difference(was, is, is_cut, lines));
        }
        (was, is) if was == is => {}
        (SavedBody::Binary { .. }, SavedBody::Binary { .. }) if learned.binary_varies => {}
        (SavedBody::Binary { length: was, .. }, SavedBody::Binary { length: is, .. }) => {
            found.push(head(
                DifferenceKind::Binary,
                &was.to_string(),
                &is.to_string(),
            ));
        }
        (was, is) => found.push(Found {
            kind: DifferenceKind::Value,
            path: folded::ROOT.to_owned(),
            was: excerpt_of(was),
            is: excerpt_of(is),
        }),
    }
    found
}

/// The beginning of a body.
fn excerpt_of(body: &SavedBody) -> String {
    match body {
        SavedBody::Empty => String::new(),
        SavedBody::Json { text, .. } | SavedBody::Text { text, .. } => difference::cut(text),
        SavedBody::Binary { length, .. } => format!("{length} B"),
    }
}

#[cfg(test)]
mod tests;
