//! Makes the response object of a request that was sent, or could not be.

use std::cell::OnceCell;
use std::rc::Rc;

use loadline_js::{Ctx, Exception, Value};
use loadline_net::{Failure, Response};

use super::answer::{Answer, RequestInfo, ResponseUrl};
use super::hop::HopRecord;
use super::job::{Done, Job};
use super::params::ResponseType;
use super::spares::Lent;
use super::user::HttpUser;

/// The object of a job that was sent.
pub(super) fn answered(
    ctx: &Ctx,
    user: &HttpUser,
    job: Job,
    done: Done,
    last: Option<&HopRecord>,
) -> Result<Value, Exception> {
    let failed = done.sent.outcome.is_err();
    let url = match &done.sent.last {
        Some(last) if last.url() != job.request.url() => ResponseUrl::Other(last.url().to_string()),
        _ => ResponseUrl::RequestInfo,
    };
    let status = if failed {
        0
    } else {
        done.response.head.status()
    };
    let bodiless = match &done.sent.outcome {
        Ok(()) => matches!(status, 0..=199 | 204 | 304),
        Err(failure) => !came_in_part(&done.response, failure),
    };
    let error = match &done.sent.outcome {
        Ok(()) => String::new(),
        Err(failure) => failure.text(),
    };
    let answer = Answer {
        response: Lent::new(done.response, user.spares.clone()),
        url,
        kind: job.params.response_type,
        has_body: !bodiless && job.params.response_type != ResponseType::Nothing,
        asked: Some(RequestInfo {
            request: job.request,
            plain_body: job.plain_body,
        }),
        failed,
        error,
        error_code: last.map_or(0, HopRecord::error_code),
        is_json: OnceCell::new(),
    };
    object(ctx, user, answer, status)
}

/// Whether a response failed in its body, of which what came is shown.
fn came_in_part(response: &Response, failure: &Failure) -> bool {
    let undecodable = failure.code() == 1701 && response.body.is_empty();
    response.has_head() && !matches!(response.head.status(), 300..=399) && !undecodable
}

/// The object of a request that was not made.
pub(super) fn never_sent(
    ctx: &Ctx,
    user: &HttpUser,
    error: String,
    code: u16,
) -> Result<Value, Exception> {
    let answer = Answer {
        response: Lent::empty(),
        url: ResponseUrl::RequestInfo,
        asked: None,
        kind: ResponseType::Binary,
        // As in k6 it has a body, an empty one.
        has_body: true,
        failed: true,
        error,
        error_code: code,
        is_json: OnceCell::new(),
    };
    object(ctx, user, answer, 0)
}

fn object(ctx: &Ctx, user: &HttpUser, answer: Answer, status: u16) -> Result<Value, Exception> {
    let status = ctx.number(f64::from(status));
    user.shapes.response.object(Rc::new(answer), vec![status])
}
