//! Bodies of good answers, for the sample that a run keeps of them.

use loadline_js::Ctx;
use loadline_vu::SampledBody;

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

/// Keeps the body of a good answer that was wanted.
pub(super) fn keep(ctx: &Ctx, job: &Job, done: &mut Done, last: Option<&HopRecord>) {
    if !job.is_sampled {
        return;
    }
    let response = &mut done.response;
    // Only bodies that the script gets are decoded.
    let is_kept = job.params.response_type != ResponseType::Nothing;
    let is_plain = is_kept || response.head.fields().get("content-encoding").is_none();
    let expected = job.params.callback.expects(response.head.status());
    let is_good = expected.unwrap_or((200..400).contains(&response.head.status()));
    if let Some(last) = last
        && done.sent.outcome.is_ok()
        && is_plain
        && is_good
    {
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
    if !is_kept {
        response.body = Vec::new();
    }
}
