//! The samples of each exchange, and their tags.

use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_js::Ctx;
use loadline_metrics::{TagSetId, builtin};
use loadline_net::{Auth, Shortage};
use loadline_vu::RunState;

use super::answer_tags::AnswerTags;
use super::callback::Callback;
use super::cut_job::CutJob;
use super::hop::HopRecord;
use super::target::Target;
use super::user::HttpUser;
use crate::host::Host;
use crate::host::with_cx;

/// What the samples of a request have in common.
pub(super) struct Labels<'a> {
    /// The user's tags when the request was made; those of now without.
    pub(super) base: Option<TagSetId>,
    pub(super) target: &'a Target,
    pub(super) method: &'a str,
    /// Tags of the request's own.
    pub(super) own: &'a [(String, String)],
    pub(super) callback: &'a Callback,
    /// How credentials are shown: first answers may be challenges.
    pub(super) auth: Auth,
}

/// The user's tags as they are now.
pub(super) fn base_tags(ctx: &Ctx) -> Option<TagSetId> {
    let host = Host::from_ctx(ctx);
    with_cx(ctx, |cx| host.tags.borrow_mut().set_id(cx.shard))
}

/// Records all exchanges of a request.
pub(super) fn record(ctx: &Ctx, labels: &Labels<'_>, hops: &[HopRecord]) {
    if hops.is_empty() {
        return;
    }
    let host = Host::from_ctx(ctx);
    let system = SystemTags::from_host(&host);
    with_cx(ctx, |cx| {
        let base = match labels.base {
            Some(base) => base,
            None => host.tags.borrow_mut().set_id(cx.shard),
        };
        for (index, hop) in hops.iter().enumerate() {
            let expected = if labels.auth == Auth::Digest && index == 0 && hops.len() > 1 {
                labels.callback.expects(0).map(|_| hop.status == 401)
            } else if labels.auth == Auth::Ntlm && index == 0 && hop.status == 401 {
                labels.callback.expects(0).map(|_| true)
            } else if hop.failure.is_some() {
                // A status whose body did not come counts for nothing.
                labels.callback.expects(0)
            } else {
                labels.callback.expects(hop.status)
            };
            let tags = remembered_tags(cx, base, labels, hop, expected, &system);
            record_one(cx.shard, tags, hop, expected);
            count_troubles(cx.run_state, hop.shortage, hop.asks_to_wait);
            if let (Some(words), Some(false)) = (&hop.words, expected) {
                let worker = cx.shard.worker();
                cx.run_state.failed_answers.count(worker, hop.status, words);
            }
        }
    });
}

/// Counts a failure that is the generator's own, and an answer that asks to come later.
pub(in crate::modules) fn count_troubles(
    run_state: &RunState,
    shortage: Option<Shortage>,
    asks_to_wait: bool,
) {
    let lacked = shortage.map(|shortage| match shortage {
        Shortage::OpenFiles => &run_state.files_lacked,
        Shortage::Ports => &run_state.ports_lacked,
    });
    if let Some(lacked) = lacked {
        lacked.fetch_add(1, Ordering::Relaxed);
    }
    if asks_to_wait {
        run_state.asked_to_wait.fetch_add(1, Ordering::Relaxed);
    }
}

fn record_one(
    shard: &mut loadline_metrics::Shard,
    tags: TagSetId,
    hop: &HopRecord,
    expected: Option<bool>,
) {
    let failed = expected.map(|expected| !expected);
    shard.record_request(tags, &hop.timing.phase_millis(), failed);
    if hop.failure.is_none() {
        shard.record(builtin::HTTP_RESPONSE_BYTES, tags, hop.bytes as f64);
        if failed != Some(true) {
            shard.record(builtin::HTTP_RESPONSE_SIZE, tags, hop.bytes as f64);
        }
    }
}

/// Which of the tags of requests are on.
#[derive(Debug, Clone, Copy)]
struct SystemTags(u16);

impl SystemTags {
    const NAMES: [&'static str; 10] = [
        "url",
        "name",
        "method",
        "status",
        "proto",
        "expected_response",
        "error",
        "error_code",
        "tls_version",
        "ip",
    ];

    /// Looked up once a user; see [`Host::request_tags`].
    fn from_host(host: &Host) -> Self {
        Self(host.request_tags(|| {
            let mut bits = 0;
            for (place, name) in Self::NAMES.iter().enumerate() {
                if host.has_system_tag(name) {
                    bits |= 1 << place;
                }
            }
            bits
        }))
    }

    fn has(self, name: &str) -> bool {
        Self::NAMES
            .iter()
            .position(|known| *known == name)
            .is_some_and(|place| self.0 & (1 << place) != 0)
    }
}

/// A few tags without a heap.
struct Pairs<'t> {
    pairs: [(&'t str, &'t str); 24],
    len: usize,
    more: Vec<(&'t str, &'t str)>,
}

impl<'t> Pairs<'t> {
    fn push(&mut self, key: &'t str, value: &'t str) {
        if self.more.is_empty() && self.len < self.pairs.len() {
            self.pairs[self.len] = (key, value);
            self.len += 1;
            return;
        }
        if self.more.is_empty() {
            self.more.extend_from_slice(&self.pairs);
        }
        self.more.push((key, value));
    }

    fn all(&self) -> &[(&'t str, &'t str)] {
        if self.more.is_empty() {
            &self.pairs[..self.len]
        } else {
            &self.more
        }
    }
}

impl AnswerTags {
    fn is_of(
        &self,
        base: TagSetId,
        labels: &Labels<'_>,
        hop: &HopRecord,
        expected: Option<bool>,
    ) -> bool {
        self.base == base
            && self.status == hop.status
            && self.expected == expected
            && self.protocol == hop.protocol
            && self.tls == hop.tls
            && self.ip == hop.ip
            && *self.method == *labels.method
            && *self.own == *labels.own
    }
}

/// [`tags_of`], remembered for plain answers.
fn remembered_tags(
    cx: &mut loadline_vu::Cx<'_>,
    base: TagSetId,
    labels: &Labels<'_>,
    hop: &HopRecord,
    expected: Option<bool>,
    system: &SystemTags,
) -> TagSetId {
    if hop.failure.is_some() || hop.moved.is_some() {
        return tags_of(cx, base, labels, hop, expected, system);
    }
    let mut last = labels.target.last_tags.borrow_mut();
    if let Some(last) = &*last
        && last.is_of(base, labels, hop, expected)
    {
        return last.tags;
    }
    let tags = tags_of(cx, base, labels, hop, expected, system);
    *last = Some(AnswerTags {
        base,
        method: labels.method.into(),
        own: labels.own.into(),
        status: hop.status,
        protocol: hop.protocol,
        tls: hop.tls,
        ip: hop.ip,
        expected,
        tags,
    });
    tags
}

fn tags_of(
    cx: &mut loadline_vu::Cx<'_>,
    base: TagSetId,
    labels: &Labels<'_>,
    hop: &HopRecord,
    expected: Option<bool>,
    system: &SystemTags,
) -> TagSetId {
    let mut pairs = Pairs {
        pairs: [("", ""); 24],
        len: 0,
        more: Vec::new(),
    };
    for (key, value) in labels.own {
        pairs.push(key, value);
    }
    let (method, url) = match &hop.moved {
        Some((method, url)) => (method.as_str(), url.as_str()),
        None => (labels.method, &*labels.target.clean),
    };
    let own_name = labels.own.iter().rev().find(|(key, _)| key == "name");
    let given = own_name
        .map(|(_, name)| name.as_str())
        .or_else(|| base_name(cx, base))
        .map(str::to_owned);
    let named = match (&given, &labels.target.name) {
        (Some(name), _) => Some(name.as_str()),
        (None, Some(name)) if system.has("name") => Some(&**name),
        _ => None,
    };
    // k6 shows the name in place of the URL wherever there is one.
    let shown = named.unwrap_or(url);
    if system.has("name") || named.is_some() {
        pairs.push("name", shown);
    }
    let ip = hop.ip.filter(|_| system.has("ip")).map(|ip| ip.to_string());
    let (mut status, mut code) = ([0; 5], [0; 5]);
    let mut push = |name: &'static str, value| {
        if system.has(name) {
            pairs.push(name, value);
        }
    };
    push("url", shown);
    push("method", method);
    if let Some((_, text)) = &hop.failure {
        push("error", text);
        push("status", "0");
    } else {
        push("status", digits(hop.status, &mut status));
        push("proto", hop.protocol.as_str());
        if let Some(tls) = hop.tls {
            push("tls_version", tls.as_str());
        }
    }
    if hop.error_code() != 0 {
        push("error_code", digits(hop.error_code(), &mut code));
    }
    if let Some(expected) = expected {
        push("expected_response", if expected { "true" } else { "false" });
    }
    if let Some(ip) = &ip {
        push("ip", ip);
    }
    cx.shard.tags.extend(base, pairs.all())
}

/// What the samples of a request are named by: a name of its own, that of its user's samples, its target's, or its address.
pub(super) fn name_of(
    cx: &loadline_vu::Cx<'_>,
    base: Option<TagSetId>,
    target: &Target,
    own: &[(String, String)],
) -> String {
    let own_name = own.iter().rev().find(|(key, _)| key == "name");
    let given = own_name
        .map(|(_, name)| name.as_str())
        .or_else(|| base_name(cx, base?));
    let named = given.or(target.name.as_deref());
    named.unwrap_or(&target.clean).to_owned()
}

/// The tags of a request that got no answer and did not fail: target, method and tags of its
/// own.
pub(super) fn unanswered_tags(
    cx: &mut loadline_vu::Cx<'_>,
    base: TagSetId,
    job: &CutJob,
    user: &HttpUser,
) -> TagSetId {
    let (target, own) = (&*job.target, &*job.own);
    let shown = name_of(cx, Some(base), target, own);
    let mut pairs: Vec<(&str, &str)> = own.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    for (name, value) in [("name", &*shown), ("url", &shown), ("method", &job.method)] {
        if user.has_system_tag(name) {
            pairs.push((name, value));
        }
    }
    cx.shard.tags.extend(base, &pairs)
}

/// A name the script gave all its samples.
fn base_name<'c>(cx: &'c loadline_vu::Cx<'_>, base: TagSetId) -> Option<&'c str> {
    cx.shard.tags.get(base, "name")
}

fn digits(number: u16, buffer: &mut [u8; 5]) -> &str {
    let mut rest = number;
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    std::str::from_utf8(&buffer[at..]).unwrap_or_default()
}

/// As k6 counts time.
pub(in crate::modules) fn millis(length: Duration) -> f64 {
    length.as_nanos() as f64 / 1e6
}
