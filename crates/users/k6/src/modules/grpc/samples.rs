//! The samples of calls.

use loadline_js::Ctx;
use loadline_metrics::{MetricId, TagSetId, builtin};
use loadline_net::Shortage;
use loadline_proto::Method;
use loadline_units::Time;

use super::client::Link;
use crate::host::{Host, with_cx};
use crate::modules::http::{count_troubles, millis};
use crate::modules::sockets;

/// What the samples of a call need.
pub(super) struct SampleContext {
    base: Option<TagSetId>,
    own: Vec<(String, String)>,
    system: Vec<(&'static str, String)>,
    /// Those of samples before its end.
    tags: Option<TagSetId>,
    started: Time,
}

impl SampleContext {
    /// Of a call of `method`.
    pub(super) fn new(ctx: &Ctx, link: &Link, method: &Method, own: Vec<(String, String)>) -> Self {
        let path = method.path();
        let service = path.rsplit_once('/').map_or("", |(service, _)| service);
        let mut system = vec![
            ("url", format!("{}{path}", link.address)),
            ("service", service.trim_start_matches('/').to_owned()),
            ("method", method.name().to_owned()),
        ];
        let host = Host::from_ctx(ctx);
        let named = own.iter().any(|(key, _)| key == "name")
            || host.tags.borrow().all().any(|(key, _)| key == "name");
        if !named {
            system.push(("name", path.to_owned()));
        }
        Self::with(ctx, link, own, system)
    }

    /// For calls that scripts do not make: health and reflection.
    pub(super) fn plain(ctx: &Ctx, link: &Link) -> Self {
        Self::with(ctx, link, Vec::new(), Vec::new())
    }

    fn with(
        ctx: &Ctx,
        link: &Link,
        own: Vec<(String, String)>,
        mut system: Vec<(&'static str, String)>,
    ) -> Self {
        let base = sockets::base_tags(ctx);
        if let Some(ip) = link.channel.remote() {
            system.push(("ip", ip.to_string()));
        }
        let mut sampled = Self {
            base,
            own,
            system,
            tags: None,
            started: ctx.now(),
        };
        sampled.tags = sampled.tag_set(ctx);
        sampled
    }

    fn tag_set(&self, ctx: &Ctx) -> Option<TagSetId> {
        let system: Vec<_> = self
            .system
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        sockets::tag_set(ctx, self.base, &self.own, &system)
    }

    pub(super) fn record(&self, ctx: &Ctx, metric: MetricId, value: f64) {
        if let Some(tags) = self.tags {
            with_cx(ctx, |cx| cx.shard.record(metric, tags, value));
        }
    }

    /// Accounts for the end of the call.
    pub(super) fn record_end(&mut self, ctx: &Ctx, code: u32) {
        let length = millis(ctx.now().since(self.started));
        self.system.push(("status", code.to_string()));
        self.tags = self.tag_set(ctx);
        self.record(ctx, builtin::GRPC_REQ_DURATION, length);
    }
}

/// Counts a failure that is the generator's own.
pub(super) fn note_shortage(ctx: &Ctx, shortage: Option<Shortage>) {
    if shortage.is_some() {
        with_cx(ctx, |cx| count_troubles(cx.run_state, shortage, false));
    }
}
