//! Bodies of good answers, for the sample that a run keeps of them, and answers that a later run is held to.

use loadline_js::Ctx;
use loadline_net::{Request, Response};
use loadline_vu::{AnswerHead, AskedRequest, RequestId, SampledAnswer, SampledBody};

use super::hop::HopRecord;
use super::job::{Done, Job};
use super::params::ResponseType;
use super::samples;
use super::target::Target;
use super::user::HttpUser;
use crate::host::with_cx;

/// Whether the body of a request that is made now is to be kept.
pub(super) fn is_wanted(ctx: &Ctx, user: &HttpUser, target: &Target) -> bool {
    let wanted = with_cx(ctx, |cx| {
        let samples = &cx.run_state.body_samples;
        samples.wants(cx.shard.worker(), &target.clean, user.now())
    });
    wanted.unwrap_or(false)
}

/// Whether the answer to a request that is made now is to be kept.
pub(super) fn is_saved(ctx: &Ctx, user: &HttpUser, target: &Target, request: &Request) -> bool {
    let wanted = with_cx(ctx, |cx| {
        let samples = &cx.run_state.answer_samples;
        samples.is_on() && {
            let print = RequestId::new(asked(target, request));
            samples.wants(cx.shard.worker(), print, user.now())
        }
    });
    wanted.unwrap_or(false)
}

fn asked<'a>(target: &'a Target, request: &'a Request) -> AskedRequest<'a> {
    AskedRequest {
        method: request.method(),
        url: &target.clean,
        body: request.body().map_or(&[], |body| body),
    }
}

/// Keeps what was wanted of an answer.
pub(super) fn keep(ctx: &Ctx, job: &Job, done: &mut Done, last: Option<&HopRecord>) {
    if !job.is_sampled && !job.is_saved {
        return;
    }
    // Only bodies that the script gets are decoded.
    let is_kept = job.params.response_type != ResponseType::Nothing;
    if let Some(last) = last
        && done.sent.outcome.is_ok()
    {
        if job.is_sampled {
            keep_body(ctx, job, &done.response, last, is_kept);
        }
        if job.is_saved {
            keep_answer(ctx, job, &done.response, last, is_kept);
        }
    }
    if !is_kept {
        done.response.body = Vec::new();
    }
}

fn keep_body(ctx: &Ctx, job: &Job, response: &Response, last: &HopRecord, is_kept: bool) {
    let is_plain = is_kept || response.head.fields().get("content-encoding").is_none();
    let expected = job.params.callback.expects(response.head.status());
    let is_good = expected.unwrap_or((200..400).contains(&response.head.status()));
    if !is_plain || !is_good {
        return;
    }
    let base = job.base.or_else(|| samples::base_tags(ctx));
    with_cx(ctx, |cx| {
        let (method, name) = match &last.moved {
            Some((method, url)) => (method.as_str(), url.clone()),
            None => {
                let name = samples::name_of(cx, base, &job.target, &job.params.tags);
                (job.request.method(), name)
            }
        };
        let body = SampledBody::new(method, &name, &response.body);
        cx.run_state.body_samples.keep(cx.shard.worker(), body);
    });
}

/// Keeps an answer under the request that was asked for, wherever it led.
fn keep_answer(ctx: &Ctx, job: &Job, response: &Response, last: &HopRecord, is_kept: bool) {
    let base = job.base.or_else(|| samples::base_tags(ctx));
    let fields = response.head.fields();
    let moved = last.moved.as_ref().map(|(_, url)| url.as_bytes());
    let head = AnswerHead {
        status: response.head.status(),
        media_type: fields.get("content-type"),
        coding: fields.get("content-encoding").filter(|_| !is_kept),
        location: moved.or_else(|| fields.get("location")),
    };
    with_cx(ctx, |cx| {
        let name = samples::name_of(cx, base, &job.target, &job.params.tags);
        let asked = asked(&job.target, &job.request);
        let (body, length) = (&response.body, response.body_bytes);
        let answer = SampledAnswer::new(asked, &name, head, body, length);
        cx.run_state.answer_samples.keep(cx.shard.worker(), answer);
    });
}
