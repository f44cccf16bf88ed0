//! Requests that the end of a run or of an iteration's grace cuts.
//!
//! k6 forgets them. Here each is counted with its age under the tags it would have had,
//! without those that only an answer has.

use loadline_js::Ctx;
use loadline_metrics::{TagSetId, builtin};
use loadline_net::{Agent, Client, CountedAs};
use loadline_vu::Cx;

use super::cut_job::CutJob;
use super::job::Job;
use super::samples;
use super::user::HttpUser;

/// Notes what is cut of a job: dropped with the exchange, whichever way that ends.
pub(super) struct CutWatch<'j> {
    pub(super) job: &'j Job,
    pub(super) agent: &'j Agent,
    pub(super) user: &'j HttpUser,
}

impl Drop for CutWatch<'_> {
    fn drop(&mut self) {
        for cut in self.agent.client().take_cut() {
            self.user.cut.borrow_mut().push(CutJob {
                base: self.job.base,
                target: self.job.target.clone(),
                method: self.job.request.method().to_owned(),
                own: self.job.params.tags.to_vec(),
                started: cut.started,
            });
        }
    }
}

/// Gives requests that were cut the user's tags of now, group included.
pub(super) fn label(ctx: &Ctx, user: &HttpUser) {
    for job in user.cut.borrow_mut().iter_mut() {
        if job.base.is_none() {
            job.base = samples::base_tags(ctx);
        }
    }
}

/// Accounts for a user's requests of an iteration that is over.
pub(super) fn settle(user: &HttpUser, client: &Client, base: TagSetId, cx: &mut Cx<'_>) {
    cx.local.count_requests(client.take_requests());
    for other in client.take_cut_others() {
        let age = cx.now().millis_since(other.started);
        let metric = match other.kind {
            CountedAs::WebSocketHandshake => builtin::WS_CONNECTING_CUT,
            CountedAs::GrpcCall | CountedAs::Http => builtin::GRPC_REQS_CUT,
        };
        cx.shard.record(metric, base, age);
    }
    let jobs = user.cut.take();
    let streams = client.take_cut();
    if jobs.is_empty() && streams.is_empty() {
        return;
    }
    let now = cx.now();
    for job in jobs {
        let tags = samples::unanswered_tags(cx, job.base.unwrap_or(base), &job, user);
        let age = now.millis_since(job.started);
        cx.shard.record(builtin::HTTP_REQS_CUT, tags, age);
    }
    // Event streams: whose they are is not known here.
    for stream in streams {
        let age = now.millis_since(stream.started);
        cx.shard.record(builtin::HTTP_REQS_CUT, base, age);
    }
}
