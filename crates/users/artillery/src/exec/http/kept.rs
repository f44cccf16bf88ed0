//! Answers that a later run is held to.

use loadline_net::{Response, Url};
use loadline_vu::{AnswerHead, AskedRequest, RequestId, SampledAnswer};

use super::build::PreparedRequest;
use super::endpoint_of;
use crate::model::HttpRequest;
use crate::vu::Vu;

/// Keeps an answer that a later run is held to, under the request that was asked for, wherever it led.
pub(super) fn keep_answer(
    vu: &Vu,
    request: &HttpRequest,
    built: &PreparedRequest,
    url: &Url,
    response: &Response,
) {
    let (samples, worker) = (&vu.run_state.answer_samples, vu.local.worker);
    if !samples.is_on() {
        return;
    }
    let asked_url = built.request.url().masked();
    let asked = AskedRequest {
        method: built.request.method(),
        url: &asked_url,
        body: built.request.body().map_or(&[], |body| body),
    };
    if !samples.wants(worker, RequestId::new(asked), vu.handle.now()) {
        return;
    }
    let fields = response.head.fields();
    let moved = (built.request.url() != url).then(|| url.masked());
    let head = AnswerHead {
        status: response.head.status(),
        media_type: fields.get("content-type"),
        coding: None,
        location: moved
            .as_ref()
            .map(String::as_bytes)
            .or_else(|| fields.get("location")),
    };
    let name = endpoint_of(vu, request, built).unwrap_or_else(|| built.url_text.clone());
    let (body, length) = (&response.body, response.body_bytes);
    let answer = SampledAnswer::new(asked, &name, head, body, length);
    samples.keep(worker, answer);
}
