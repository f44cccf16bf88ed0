//! The samples of one request of a URL run.

use std::sync::atomic::Ordering;

use loadline_metrics::{Shard, TagSetId, builtin};
use loadline_net::{Failure, Protocol, Request, Response, Shortage};
use loadline_vu::{
    AnswerHead, AskedRequest, Cx, RunState, SampledAnswer, SampledBody, failed_answers,
};

/// The tag sets of one user's requests.
#[derive(Debug)]
pub(crate) struct Tags {
    /// Run and scenario.
    scenario: TagSetId,
    /// With method, url and name.
    request: TagSetId,
    /// The name of its requests.
    name: String,
    /// Tag sets used before, by status and protocol; only a few.
    answered: Vec<((u16, Protocol), TagSetId)>,
}

impl Tags {
    pub(crate) fn new(shard: &mut Shard, scenario: TagSetId, method: &str, url: &str) -> Self {
        let tags = [("method", method), ("url", url), ("name", url)];
        Self {
            scenario,
            request: shard.tags.extend(scenario, &tags),
            name: url.to_owned(),
            answered: Vec::new(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn answered(&mut self, shard: &mut Shard, response: &Response) -> TagSetId {
        let key = (response.head.status(), response.protocol);
        if let Some((_, tags)) = self.answered.iter().find(|(kept, _)| *kept == key) {
            return *tags;
        }
        let status = key.0.to_string();
        let mut tags = vec![
            ("status", status.as_str()),
            ("proto", key.1.as_str()),
            ("expected_response", flag(is_expected(key.0))),
        ];
        let code = (1000 + u32::from(key.0)).to_string();
        if key.0 >= 400 {
            tags.push(("error_code", &code));
        }
        let tags = shard.tags.extend(self.request, &tags);
        self.answered.push((key, tags));
        tags
    }

    fn failed(&self, shard: &mut Shard, failure: &Failure) -> TagSetId {
        let code = failure.code().to_string();
        let text = failure.text();
        let tags = [
            ("status", "0"),
            ("expected_response", "false"),
            ("error", text.as_str()),
            ("error_code", code.as_str()),
        ];
        shard.tags.extend(self.request, &tags)
    }
}

/// Records one request, which ends with its iteration, and gives whether it failed.
pub(crate) fn record(
    shard: &mut Shard,
    tags: &mut Tags,
    outcome: &Result<(), Failure>,
    response: &Response,
) -> bool {
    let (set, failed) = match outcome {
        Ok(()) => (
            tags.answered(shard, response),
            !is_expected(response.head.status()),
        ),
        Err(failure) => (tags.failed(shard, failure), true),
    };
    shard.record_request(set, &response.timing.phase_millis(), Some(failed));
    if outcome.is_ok() {
        let bytes = response.body_bytes as f64;
        shard.record(builtin::HTTP_RESPONSE_BYTES, set, bytes);
        if !failed {
            shard.record(builtin::HTTP_RESPONSE_SIZE, set, bytes);
        }
    }
    failed
}

/// Records the age of a request when it was interrupted.
pub(crate) fn record_cut(shard: &mut Shard, tags: &Tags, age: f64) {
    shard.record(builtin::HTTP_REQS_CUT, tags.request, age);
}

/// Counts a failure caused by the generator.
pub(crate) fn count_shortage(run_state: &RunState, failure: &Failure) {
    let lacked = match failure.shortage() {
        Some(Shortage::OpenFiles) => &run_state.files_lacked,
        Some(Shortage::Ports) => &run_state.ports_lacked,
        None => return,
    };
    lacked.fetch_add(1, Ordering::Relaxed);
}

/// Counts the answer to a failed request.
pub(crate) fn count_failed_answer(cx: &mut Cx<'_>, response: &Response) {
    let status = response.head.status();
    if !is_expected(status) {
        let words = failed_answers::words(&response.body);
        cx.run_state
            .failed_answers
            .count(cx.shard.worker(), status, &words);
    }
}

/// Keeps the body of a good answer that was wanted for the sample; what is coded is not read.
pub(crate) fn keep_body(cx: &Cx<'_>, tags: &Tags, request: &Request, response: &Response) {
    let is_plain = response.head.fields().get("content-encoding").is_none();
    if is_plain && is_expected(response.head.status()) {
        let body = SampledBody::new(request.method(), tags.name(), &response.body);
        cx.run_state.body_samples.keep(cx.shard.worker(), body);
    }
}

/// Keeps an answer that a later run is held to.
pub(crate) fn keep_answer(cx: &Cx<'_>, tags: &Tags, request: &Request, response: &Response) {
    let fields = response.head.fields();
    let asked = AskedRequest {
        method: request.method(),
        url: tags.name(),
        body: request.body().map_or(&[], |body| body),
    };
    let head = AnswerHead {
        status: response.head.status(),
        media_type: fields.get("content-type"),
        coding: fields.get("content-encoding"),
        location: fields.get("location"),
    };
    let (body, length) = (&response.body, response.body_bytes);
    let answer = SampledAnswer::new(asked, tags.name(), head, body, length);
    cx.run_state.answer_samples.keep(cx.shard.worker(), answer);
}

/// Counts an answer that asks the client to retry later.
pub(crate) fn count_asked_to_wait(run_state: &RunState, response: &Response) {
    if response.asks_to_wait() {
        run_state.asked_to_wait.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts an answer that points elsewhere. To what is posted it is the usual answer.
pub(crate) fn count_redirect(run_state: &RunState, request: &Request, response: &Response) {
    let is_read = matches!(request.method(), "GET" | "HEAD");
    if is_read && matches!(response.head.status(), 301 | 302 | 303 | 307 | 308) {
        run_state.redirects.fetch_add(1, Ordering::Relaxed);
        if let Some(location) = response.head.fields().get("location") {
            // A query may hold a session, and says nothing of where this is.
            run_state.redirected_to.get_or_init(|| {
                let location = String::from_utf8_lossy(location);
                let address = location.split(['?', '#']).next();
                address.unwrap_or_default().to_owned()
            });
        }
    }
}

/// Records a complete iteration.
pub(crate) fn record_iteration(shard: &mut Shard, tags: &Tags, millis: f64) {
    shard.record_all(
        tags.scenario,
        &[
            (builtin::ITERATIONS, 1.0),
            (builtin::ITERATION_DURATION, millis),
        ],
    );
}

/// Records the bytes a user sent and received.
pub(crate) fn record_traffic(shard: &mut Shard, tags: &Tags, sent: u64, received: u64) {
    shard.record_all(
        tags.scenario,
        &[
            (builtin::DATA_SENT, sent as f64),
            (builtin::DATA_RECEIVED, received as f64),
        ],
    );
}

/// Statuses that count as success, as in k6.
fn is_expected(status: u16) -> bool {
    (200..400).contains(&status)
}

fn flag(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
