//! Sends one request: from the script's arguments to the response.

use std::cell::RefCell;
use std::rc::Rc;

use bytes::Bytes;
use loadline_js::{Ctx, Exception, Value};
use loadline_net::cookie::add_cookies;
use loadline_net::{Agent, BodyMode, EncodingHeader, Request, SendOptions, compress_body};
use loadline_vu::{BodySamples, SampledAnswer};

use super::body::{self, NoBody};
use super::body_sample;
use super::cut::{self, CutWatch};
use super::hop::HopRecord;
use super::jar::wall_now;
use super::job::{Done, Hops, Job};
use super::params::{BadParams, Params, ResponseType};
use super::read_target::{self, NoTarget};
use super::response;
use super::samples::{self, Labels};
use super::target::Target;
use super::user::HttpUser;
use crate::host::Host;
use crate::host::WorkerNetwork;
use crate::log::{Entry, LogLevel};
use crate::modules::go_error::go_error;
use crate::modules::running::require_running;

/// A request that cannot be made.
pub(super) enum Refusal {
    /// Its `error` and `error_code`.
    Failed(String, u16),
    Thrown(Exception),
}

impl From<Exception> for Refusal {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

/// Sends and waits.
pub(super) fn request(
    ctx: &Ctx,
    method: &str,
    url: &Value,
    body: &Value,
    params: &Value,
) -> Result<Value, Exception> {
    require_running(ctx, "Making http requests")?;
    let user = HttpUser::from_ctx(ctx);
    let job = match prepare(ctx, &user, method, url, body, params) {
        Ok(job) => job,
        Err(refusal) => return refused(ctx, &user, refusal, "Request Failed"),
    };
    let agent = user.agent(ctx)?.clone();
    let hops = RefCell::new(Hops::default());
    let outcome = ctx.block_on(job.run(&agent, &user, &hops));
    if outcome.is_err() {
        cut::label(ctx, &user);
    }
    job.record(ctx, &hops.borrow());
    conclude(ctx, &user, job, outcome?, &hops.borrow())
}

/// Sends in the background; gives a promise.
pub(super) fn request_async(
    ctx: &Ctx,
    method: &str,
    url: &Value,
    body: &Value,
    params: &Value,
) -> Result<Value, Exception> {
    require_running(ctx, "Making http requests")?;
    let user = HttpUser::from_ctx(ctx);
    let mut job = match prepare(ctx, &user, method, url, body, params) {
        Ok(job) => job,
        Err(refusal) => {
            let (promise, resolver) = ctx.promise()?;
            resolver.settle(ctx, refused(ctx, &user, refusal, "Request Failed"))?;
            return Ok(promise);
        }
    };
    job.base = samples::base_tags(ctx);
    let agent = user.agent(ctx)?.clone();
    let sender = user.clone();
    let sending = async move {
        let hops = RefCell::new(Hops::default());
        let done = job.run(&agent, &sender, &hops).await;
        (job, done, hops)
    };
    ctx.spawn_promise(sending, move |ctx, (job, done, hops)| {
        job.record(ctx, &hops.borrow());
        conclude(ctx, &user, job, done, &hops.borrow())
    })
}

impl Job {
    /// Sends it; `hops` hears of every exchange.
    pub(super) async fn run(&self, agent: &Agent, user: &HttpUser, hops: &RefCell<Hops>) -> Done {
        user.wait_for_turn().await;
        let params = &self.params;
        let options = SendOptions {
            deadline: user.now() + params.timeout,
            body: match params.response_type {
                // One byte more tells that there is more.
                ResponseType::Nothing if self.is_saved => BodyMode::Beginning {
                    most: SampledAnswer::BYTES_MAX + 1,
                },
                ResponseType::Nothing if self.is_sampled => BodyMode::Beginning {
                    most: BodySamples::BYTES_MAX + 1,
                },
                ResponseType::Nothing => BodyMode::Discard,
                ResponseType::Text | ResponseType::Binary => BodyMode::default(),
            },
            max_redirects: params.max_redirects,
            auth: params.auth,
            jar: Some(&params.jar),
            cookies: &params.cookies,
        };
        let mut response = user.spares.take();
        let _watch = CutWatch {
            job: self,
            agent,
            user,
        };
        let mut on_hop = |hop: &loadline_net::Exchange<'_>| {
            hops.borrow_mut().push(HopRecord::new(hop, &self.request));
            if let Some((watch, place)) = &self.watch {
                watch.exchange(place, hop);
            }
        };
        let sent = agent
            .send(&self.request, &options, &mut response, &mut on_hop)
            .await;
        Done { sent, response }
    }

    pub(super) fn record(&self, ctx: &Ctx, hops: &Hops) {
        let labels = Labels {
            base: self.base,
            target: &self.target,
            method: self.request.method(),
            own: &self.params.tags,
            callback: &self.params.callback,
            auth: self.params.auth,
        };
        samples::record(ctx, &labels, hops.all());
    }
}

/// Reads a request's arguments.
pub(super) fn prepare(
    ctx: &Ctx,
    user: &HttpUser,
    method: &str,
    url: &Value,
    body: &Value,
    params: &Value,
) -> Result<Job, Refusal> {
    let target = read_target::read(ctx, url).map_err(|no_target| match no_target {
        NoTarget::Invalid(error) => Refusal::Failed(error, 1020),
        NoTarget::Thrown(exception) => Refusal::Thrown(exception),
    })?;
    let params = Params::read(ctx, user, params).map_err(|bad| match bad {
        BadParams::Refused(error) => Refusal::Failed(error, 0),
        BadParams::Thrown(exception) => Refusal::Thrown(exception),
    })?;
    let has_cookies = !params.cookies.is_empty() || !params.jar.borrow().is_empty();
    let is_sampled = body_sample::is_wanted(ctx, user, &target);
    let plain = method == "GET" && body.is_nullish() && params.headers.is_empty() && !has_cookies;
    if plain {
        let request = target
            .plain
            .get_or_init(|| Rc::new(bare(ctx, method, &target)))
            .clone();
        let is_saved = body_sample::is_saved(ctx, user, &target, &request);
        return Ok(Job {
            target,
            request,
            params,
            plain_body: None,
            base: None,
            is_sampled,
            is_saved,
            watch: Host::from_ctx(ctx).watched(),
        });
    }
    let mut request = bare(ctx, method, &target);
    for (name, value) in &params.headers {
        request.set_field(name.as_str(), value.as_str());
    }
    let body = body::read(body, || random(ctx)).map_err(|no_body| match no_body {
        NoBody::Unknown(error) => Refusal::Failed(error, 0),
        NoBody::Thrown(exception) => Refusal::Thrown(exception),
    })?;
    let mut plain_body = None;
    if let Some(body) = body {
        if let Some(media_type) = body.media_type
            && request.field("Content-Type").is_none()
        {
            request.set_field("Content-Type", media_type);
        }
        if body.bytes.is_empty() {
            request.set_empty_stream();
        } else {
            request.set_body(Some(body.bytes.clone()));
        }
        plain_body = compress(ctx, &mut request, &params, body.bytes)?;
    }
    if has_cookies {
        let mut jar = params.jar.borrow_mut();
        add_cookies(&mut request, &params.cookies, &mut jar, wall_now(ctx));
    }
    let is_saved = body_sample::is_saved(ctx, user, &target, &request);
    Ok(Job {
        target,
        request: Rc::new(request),
        params,
        plain_body,
        base: None,
        is_sampled,
        is_saved,
        watch: Host::from_ctx(ctx).watched(),
    })
}

/// Codes the body as asked for; gives the body as it was.
fn compress(
    ctx: &Ctx,
    request: &mut Request,
    params: &Params,
    plain: Bytes,
) -> Result<Option<Bytes>, Refusal> {
    if params.compression.is_empty() {
        return Ok(None);
    }
    match compress_body(request, &params.compression) {
        Ok(EncodingHeader::Rightly) => {}
        Ok(EncodingHeader::Otherwise) => {
            let names: Vec<_> = params.compression.iter().map(|c| c.name()).collect();
            Host::from_ctx(ctx).log(
                LogLevel::Warning,
                format!(
                    "There's a mismatch between the desired `compression` the manually set `Content-Encoding` header in the {} request for '{}', the custom header has precedence and won't be overwritten. This may result in invalid data being sent to the server. ({})",
                    request.method(),
                    request.url(),
                    names.join(", ")
                ),
            );
        }
        Err(error) => return Err(Refusal::Failed(error.to_string(), 0)),
    }
    Ok(Some(plain))
}

fn bare(ctx: &Ctx, method: &str, target: &Target) -> Request {
    let host = Host::from_ctx(ctx);
    let agent = &host.shared.settings().http.user_agent;
    let method = if method.is_empty() { "GET" } else { method };
    let mut request = Request::new(method, target.url.clone());
    if !agent.is_empty() {
        request.add_field("User-Agent", agent.as_str());
    }
    request
}

fn random(ctx: &Ctx) -> [u8; 30] {
    let mut bytes = [0; 30];
    if let Some(worker) = ctx.try_host::<WorkerNetwork>() {
        worker.fill_random(&mut bytes);
    }
    bytes
}

/// What becomes of a request that was not made.
pub(super) fn refused(
    ctx: &Ctx,
    user: &HttpUser,
    refusal: Refusal,
    message: &str,
) -> Result<Value, Exception> {
    let (error, code) = match refusal {
        Refusal::Failed(error, code) => (error, code),
        Refusal::Thrown(exception) => return Err(exception),
    };
    let host = Host::from_ctx(ctx);
    let settings = host.shared.settings();
    if settings.throw || settings.http.throw {
        return Err(go_error(ctx, error));
    }
    let entry = Entry::new(LogLevel::Warning, message).with("error", error.as_str());
    host.shared.log(entry);
    response::never_sent(ctx, user, error, code)
}

/// The response of a job that was sent, or the exception asked for.
pub(super) fn conclude(
    ctx: &Ctx,
    user: &HttpUser,
    job: Job,
    mut done: Done,
    hops: &Hops,
) -> Result<Value, Exception> {
    let last = hops.all().last();
    body_sample::keep(ctx, &job, &mut done, last);
    if let Some(error) = done.sent.log(&job.request) {
        if job.params.throw {
            return Err(go_error(ctx, error));
        }
        let entry = Entry::new(LogLevel::Warning, "Request Failed").with("error", error);
        Host::from_ctx(ctx).shared.log(entry);
    } else if let Some(count) = done.sent.stopped_after
        && !job.params.redirects_set
    {
        let message = format!(
            "Stopped after {count} redirects and returned the redirection; pass {{ redirects: n }} in request params or set global maxRedirects to silence this"
        );
        let entry = Entry::new(LogLevel::Warning, message);
        let entry = entry.with("url", job.request.url().to_string());
        Host::from_ctx(ctx).shared.log(entry);
    }
    response::answered(ctx, user, job, done, last)
}
