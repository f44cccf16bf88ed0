//! Answers that a run keeps for later ones, and those that it is held to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use loadline_analysis::same_answers::AnswerBaseline;
use loadline_net::decoded;
use loadline_record::Redactor;
use loadline_record::saved_answers::{
    RawBody, RequestKey, SavedAnswer, SavedAnswers, SavedBody, SavedRequest, masked_location,
};
use loadline_store::{Store, StoreError};
use loadline_vu::{RequestId, RunState, SampledAnswer};

use crate::bodies::without_ids;
use crate::comparison::rows;

/// Requests of a run whose answers are kept, ...
const REQUESTS_MAX: usize = 1000;
/// ... of them, requests of one endpoint, ...
const REQUESTS_OF_ENDPOINT_MAX: usize = 100;
/// ... and the bytes of all answers, before they are packed.
const BYTES_MAX: usize = 8 << 20;
/// Different answers to one request that are kept: the first ones, ...
const FIRST_ANSWERS_MAX: usize = 3;
/// ... and as many of the last.
const ANSWERS_MAX: usize = 2 * FIRST_ANSWERS_MAX;
/// Bytes of a body that was kept coded, once it is decoded.
const DECODED_BYTES_MAX: u64 = 1 << 20;

/// What a run does with answers beside measuring them.
#[derive(Debug, Clone, Default)]
pub struct AnswerOptions {
    /// They are kept for later runs.
    pub are_saved: bool,
    /// Those that they are held to.
    pub baseline: Option<Arc<AnswerBaseline>>,
}

impl AnswerOptions {
    pub(crate) const fn are_wanted(&self) -> bool {
        self.are_saved || self.baseline.is_some()
    }
}

/// Why a run cannot be held to the answers of others.
#[derive(Debug)]
pub enum NoBaseline {
    /// A run kept none.
    NotSaved {
        /// What it is called.
        run: String,
    },
    /// They cannot be read, or there is no such run.
    Store(StoreError),
}

/// The answers of the runs that a person means: runs parted by commas, those of a series or of a tag, or a single one.
/// `now_ms` is in milliseconds since 1970.
///
/// # Errors
/// There are none.
pub fn baseline(store: &Store, reference: &str, now_ms: i64) -> Result<AnswerBaseline, NoBaseline> {
    let mut runs = Vec::new();
    for row in rows(store, reference, now_ms).map_err(NoBaseline::Store)? {
        match store.saved_answers(&row).map_err(NoBaseline::Store)? {
            Some(saved) => runs.push(saved),
            None => return Err(NoBaseline::NotSaved { run: row.name }),
        }
    }
    Ok(AnswerBaseline::new(reference, &runs))
}

/// The answers that runs of these names kept, as far as they kept any.
///
/// # Errors
/// One is not there, or cannot be read.
pub fn of_runs(
    store: &Store,
    names: &[&str],
    now_ms: i64,
) -> Result<Vec<SavedAnswers>, StoreError> {
    let found = names
        .iter()
        .map(|name| store.saved_answers(&store.find(name, now_ms)?));
    let found: Vec<Option<SavedAnswers>> = found.collect::<Result<_, StoreError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The answers of a run so far.
#[derive(Debug, Default)]
pub(crate) struct GatheredAnswers {
    requests: BTreeMap<RequestId, GatheredRequest>,
    endpoints: BTreeMap<EndpointKey, BTreeSet<RequestId>>,
    bytes: usize,
    is_full: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct EndpointKey {
    method: String,
    name: String,
}

#[derive(Debug)]
struct GatheredRequest {
    endpoint: EndpointKey,
    answers: Vec<GatheredAnswer>,
}

#[derive(Debug)]
struct GatheredAnswer {
    answer: SampledAnswer,
    count: u32,
}

impl GatheredRequest {
    fn bytes(&self) -> usize {
        let answers = self.answers.iter();
        answers.map(|one| one.answer.body.len()).sum()
    }
}

impl GatheredAnswers {
    /// Reads the answers that workers kept since the last call.
    pub(crate) fn take(&mut self, run_state: &RunState) {
        for answer in run_state.answer_samples.take() {
            self.add(answer);
        }
        self.is_full |= run_state.answer_samples.is_full();
    }

    fn add(&mut self, answer: SampledAnswer) {
        let print = answer.print;
        let endpoint = EndpointKey {
            method: answer.method.clone(),
            name: without_ids(&answer.name),
        };
        let request = self
            .requests
            .entry(print)
            .or_insert_with(|| GatheredRequest {
                endpoint: endpoint.clone(),
                answers: Vec::new(),
            });
        let is_same = |one: &&mut GatheredAnswer| one.answer == answer;
        if let Some(known) = request.answers.iter_mut().find(is_same) {
            known.count += 1;
            return;
        }
        self.bytes += answer.body.len();
        if request.answers.len() >= ANSWERS_MAX {
            let dropped = request.answers.remove(FIRST_ANSWERS_MAX);
            self.bytes -= dropped.answer.body.len();
        }
        request.answers.push(GatheredAnswer { answer, count: 1 });
        let of_endpoint = self.endpoints.entry(endpoint).or_default();
        of_endpoint.insert(print);
        // Those with the greatest fingerprints go: another run of the same requests lets the same ones go.
        if of_endpoint.len() > REQUESTS_OF_ENDPOINT_MAX
            && let Some(last) = of_endpoint.last().copied()
        {
            self.remove(last);
        }
        while self.requests.len() > REQUESTS_MAX || self.bytes > BYTES_MAX {
            let Some(last) = self.requests.last_key_value().map(|(print, _)| *print) else {
                return;
            };
            self.remove(last);
        }
    }

    fn remove(&mut self, print: RequestId) {
        self.is_full = true;
        if let Some(request) = self.requests.remove(&print) {
            self.bytes -= request.bytes();
            if let Some(of_endpoint) = self.endpoints.get_mut(&request.endpoint) {
                of_endpoint.remove(&print);
            }
        }
    }

    /// What is kept of them, without secrets.
    pub(crate) fn finish(self, redactor: &Redactor) -> SavedAnswers {
        let mut requests: BTreeMap<RequestKey, SavedRequest> = BTreeMap::new();
        for request in self.requests.into_values() {
            for GatheredAnswer { answer, count } in request.answers {
                let asked = &answer.request_body;
                let key = RequestKey::new(&answer.method, &answer.url, asked, redactor);
                let known = requests.entry(key.clone()).or_insert_with(|| SavedRequest {
                    key,
                    endpoint: redactor.text(&request.endpoint.name),
                    answers: Vec::new(),
                });
                known.answers.push(saved(answer, count, redactor));
            }
        }
        SavedAnswers {
            requests: requests.into_values().collect(),
            is_full: self.is_full,
        }
    }
}

/// What is kept of an answer.
fn saved(answer: SampledAnswer, count: u32, redactor: &Redactor) -> SavedAnswer {
    let media_type = answer.media_type.to_lowercase();
    let body = if answer.coding.is_empty() {
        answer.body
    } else {
        decoded(&answer.coding, answer.body, DECODED_BYTES_MAX)
    };
    let raw = RawBody {
        bytes: &body,
        is_cut: answer.is_cut,
        length: answer.length,
        media_type: &media_type,
    };
    SavedAnswer {
        status: answer.status,
        location: masked_location(&answer.location, redactor),
        count,
        body: SavedBody::new(raw, redactor),
        media_type,
    }
}

#[cfg(test)]
mod tests {
    use loadline_vu::{AnswerHead, AskedRequest};

    use super::*;

    fn answer(url: &str, body: &str) -> SampledAnswer {
        let asked = AskedRequest {
            method: "GET",
            url,
            body: b"",
        };
        let head = AnswerHead {
            status: 200,
            media_type: Some(b"application/json"),
            coding: None,
            location: None,
        };
        SampledAnswer::new(asked, url, head, body.as_bytes(), body.len() as u64)
    }

    #[test]
    fn equal_answers_are_one_and_of_many_the_first_and_the_last_are_kept() {
        let mut gathered = GatheredAnswers::default();
        for n in 0..20 {
            gathered.add(answer("http://a/x", &format!("[{}]", n / 2)));
        }
        let saved = gathered.finish(&Redactor::default());
        let [request] = saved.requests.as_slice() else {
            panic!("{saved:?}")
        };
        let kept: Vec<String> = request
            .answers
            .iter()
            .map(|one| format!("{:?} {}", one.body, one.count))
            .collect();
        let text = |n: u8| format!("Json {{ text: \"[{n}]\", is_cut: false }} 2");
        assert_eq!(kept, [0, 1, 2, 7, 8, 9].map(text));
        assert!(!saved.is_full);
    }

    #[test]
    fn requests_of_an_endpoint_and_bytes_are_bounded_and_two_runs_keep_the_same() {
        let kept = |first: usize| {
            let mut gathered = GatheredAnswers::default();
            gathered.add(answer("http://a/list", "[]"));
            for n in 0..400 {
                gathered.add(answer(&format!("http://a/x/{}", (n + first) % 400), "[1]"));
            }
            let saved = gathered.finish(&Redactor::default());
            assert!(saved.is_full);
            let keys = saved.requests.into_iter().map(|request| request.key.url);
            keys.collect::<Vec<_>>()
        };
        assert_eq!(kept(0).len(), REQUESTS_OF_ENDPOINT_MAX + 1);
        assert_eq!(kept(0), kept(250));
        let mut gathered = GatheredAnswers::default();
        let large = "x".repeat(100 << 10);
        for n in 0..200 {
            gathered.add(answer(&format!("http://a/y/{n}"), &large));
        }
        assert!(gathered.bytes <= BYTES_MAX);
    }
}
