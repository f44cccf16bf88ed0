//! `batch`: several requests at once, within k6's limits.

use std::cell::RefCell;
use std::collections::VecDeque;

use futures_util::stream::{FuturesUnordered, StreamExt};
use loadline_js::{Args, Ctx, Exception, Value};
use loadline_net::Agent;

use super::job::{Done, Hops, Job};
use super::samples;
use super::send::{Refusal, conclude, prepare, refused};
use super::user::HttpUser;
use crate::host::Host;
use crate::modules::go_error::go_error;
use crate::modules::go_text;
use crate::modules::running::require_running;

/// One request of a batch: its position.
struct BatchEntry {
    job: Job,
    hops: RefCell<Hops>,
    done: RefCell<Option<Done>>,
}

/// `batch([...])`, `batch({name: ...})`: responses in the same shape.
pub(super) fn batch(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    require_running(ctx, "Using batch")?;
    if args.is_empty() {
        return Err(go_error(ctx, "no argument was provided to http.batch()"));
    }
    let requests = args.get(0);
    if !requests.is_object() || requests.is_function() {
        let name = go_text::type_name(&requests);
        return Err(go_error(
            ctx,
            format!("invalid http.batch() argument type {name}"),
        ));
    }
    let user = HttpUser::from_ctx(ctx);
    let keys = requests.keys()?;
    // Each a place among those to send, or the response of what cannot be sent.
    let mut slots: Vec<Result<usize, Value>> = Vec::with_capacity(keys.len());
    let mut places = Vec::with_capacity(keys.len());
    for key in &keys {
        let request = requests.get(key)?;
        match read(ctx, &user, &key.to_text(), &request) {
            Ok(mut job) => {
                job.base = samples::base_tags(ctx);
                slots.push(Ok(places.len()));
                places.push(BatchEntry {
                    job,
                    hops: RefCell::default(),
                    done: RefCell::default(),
                });
            }
            Err(refusal) => {
                let response = refused(ctx, &user, refusal, "A batch request failed")?;
                slots.push(Err(response));
            }
        }
    }
    let (most, per_host) = {
        let host = Host::from_ctx(ctx);
        let http = &host.shared.settings().http;
        (limit(http.batch), limit(http.batch_per_host))
    };
    if !places.is_empty() {
        let agent = user.agent(ctx)?.clone();
        let outcome = ctx.block_on(run(&places, &agent, &user, most, per_host));
        // What was exchanged before an interruption counts too.
        for place in &places {
            place.job.record(ctx, &place.hops.borrow());
        }
        outcome?;
    }
    let mut responses = Vec::with_capacity(places.len());
    let mut thrown = None;
    for place in places {
        let done = place.done.take().ok_or(loadline_js::Interrupted)?;
        match conclude(ctx, &user, place.job, done, &place.hops.borrow()) {
            Ok(response) => responses.push(response),
            Err(exception) => {
                responses.push(ctx.null());
                thrown.get_or_insert(exception);
            }
        }
    }
    if let Some(exception) = thrown {
        return Err(exception);
    }
    let of = |slot: Result<usize, Value>| match slot {
        Ok(place) => responses[place].clone(),
        Err(response) => response,
    };
    if requests.is_array() {
        return ctx.array(slots.into_iter().map(of));
    }
    let object = ctx.object()?;
    for (key, slot) in keys.iter().zip(slots) {
        object.set(key, of(slot))?;
    }
    Ok(object)
}

/// Zero is no limit.
fn limit(option: u64) -> usize {
    match usize::try_from(option) {
        Ok(0) | Err(_) => usize::MAX,
        Ok(limit) => limit,
    }
}

/// Sends all requests, with a limit for all and one for each host.
async fn run(places: &[BatchEntry], agent: &Agent, user: &HttpUser, most: usize, per_host: usize) {
    let host = |place: &BatchEntry| place.job.request.url().host().to_owned();
    let mut waiting: VecDeque<&BatchEntry> = places.iter().collect();
    let mut busy: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    let mut running = FuturesUnordered::new();
    loop {
        let mut held = VecDeque::new();
        while running.len() < most
            && let Some(place) = waiting.pop_front()
        {
            let count = busy.entry(host(place)).or_default();
            if *count >= per_host {
                held.push_back(place);
                continue;
            }
            *count += 1;
            running.push(async move {
                let done = place.job.run(agent, user, &place.hops).await;
                *place.done.borrow_mut() = Some(done);
                place
            });
        }
        held.append(&mut waiting);
        waiting = held;
        match running.next().await {
            Some(place) => {
                if let Some(count) = busy.get_mut(&host(place)) {
                    *count -= 1;
                }
            }
            None => return,
        }
    }
}

/// Reads one request: a URL, `[method, url, body?, params?]` or an object of these.
fn read(ctx: &Ctx, user: &HttpUser, key: &str, request: &Value) -> Result<Job, Refusal> {
    let nothing = ctx.undefined();
    if request.is_array() {
        if request.length()? < 2 {
            let shown = go_text::shown_as_code(request)?;
            return Err(Refusal::Failed(
                format!("invalid batch request '{shown}'"),
                0,
            ));
        }
        let method = request.at(0)?.to_text()?;
        let (url, body, params) = (request.at(1)?, request.at(2)?, request.at(3)?);
        return prepare(ctx, user, &method, &url, &body, &params);
    }
    if !request.is_object() || request.host::<super::url::UrlObject>().is_some() {
        return prepare(ctx, user, "GET", request, &nothing, &nothing);
    }
    let url = request.get(ctx.intern("url"))?;
    if url.is_undefined() {
        return Err(Refusal::Failed(
            format!("batch request {key} doesn't have a url key"),
            0,
        ));
    }
    let method = request.get(ctx.intern("method"))?;
    let method = if method.is_nullish() {
        "GET".to_owned()
    } else {
        method.to_text()?
    };
    let body = request.get(ctx.intern("body"))?;
    let params = request.get(ctx.intern("params"))?;
    let no_body = matches!(&*method, "GET" | "HEAD");
    let body = if no_body { &nothing } else { &body };
    prepare(ctx, user, &method, &url, body, &params)
}
