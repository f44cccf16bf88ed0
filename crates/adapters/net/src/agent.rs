//! A user agent: turns a script's request into single exchanges.
//!
//! [`Agent::send`] follows redirects, keeps cookies, sends credentials and decodes bodies by k6's
//! rules. Each exchange counts as a request of its own, so each is reported to a callback as a
//! [`Exchange`]. A request that needs none of this costs no more than its exchange.

mod ntlm;
mod open;
mod shared;

pub use open::{OpenError, OpenOptions};
pub use shared::AgentContext;

use std::cell::RefCell;
use std::rc::Rc;

use loadline_units::Time;

use crate::auth::{Auth, CNONCE_BYTES, Challenge, authorization, set_basic};
use crate::body::BodyMode;
use crate::client::{Client, ExchangeOptions};
use crate::cookie::{CookieJar, RequestCookie, add_cookies, set_cookies};
use crate::failure::Failure;
use crate::redirect::{RedirectState, is_redirect};
use crate::request::Request;
use crate::response::Response;
use crate::url::{Url, UserInfo};

/// How a request is sent.
#[derive(Debug, Clone, Copy)]
pub struct SendOptions<'a> {
    /// When it fails; the limit includes all hops.
    pub deadline: Time,
    /// What happens to the body. One that is kept is decoded, within the same limit.
    pub body: BodyMode,
    /// The highest number of redirects to follow.
    pub max_redirects: u32,
    /// How credentials of the URL are sent.
    pub auth: Auth,
    /// Stores cookies, and provides those of each hop except the first. The first hop sends the
    /// request's own cookies ([`crate::cookie::add_cookies`] adds them).
    pub jar: Option<&'a RefCell<CookieJar>>,
    /// Cookies to send on each hop except the first, before those of the jar.
    pub cookies: &'a [RequestCookie],
}

impl SendOptions<'_> {
    /// k6's limit when a script sets none.
    pub const MAX_REDIRECTS: u32 = 10;

    /// The default options: bodies kept, ten redirects, no cookies.
    #[must_use]
    pub fn until(deadline: Time) -> Self {
        Self {
            deadline,
            body: BodyMode::default(),
            max_redirects: Self::MAX_REDIRECTS,
            auth: Auth::default(),
            jar: None,
            cookies: &[],
        }
    }
}

/// One exchange on the way to the final response.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'h> {
    /// How many exchanges came before it; both exchanges of a Digest pair count.
    pub index: u32,
    /// The request as sent, with credentials.
    pub request: &'h Request,
    /// The response with its timing; a redirect's body is not decoded.
    pub response: &'h Response,
    /// Why it failed, if it did.
    pub failure: Option<&'h Failure>,
}

/// The result of sending; the response is in the [`Response`] that the caller passed in.
#[derive(Debug)]
pub struct SendResult {
    /// Whether the last response is complete and decoded, or the reason why not.
    pub outcome: Result<(), Failure>,
    /// The last request, if it differs from the caller's: after a redirect, or with credentials.
    pub last: Option<Request>,
    /// How many requests were sent (a Digest pair counts as one), if the last response is a
    /// redirect that was not followed because there were too many.
    pub stopped_after: Option<u32>,
}

impl SendResult {
    /// The URL of the last exchange; `first` is the caller's request.
    #[must_use]
    pub fn url<'r>(&'r self, first: &'r Request) -> &'r Url {
        self.last.as_ref().unwrap_or(first).url()
    }

    /// The text of k6's `Request Failed` warning, if the request failed.
    #[must_use]
    pub fn log(&self, first: &Request) -> Option<String> {
        let failure = self.outcome.as_ref().err()?;
        Some(failure.log(first.method(), &self.url(first).without_password()))
    }
}

enum Step {
    Follow(Box<Request>),
    Done {
        outcome: Result<(), Failure>,
        stopped: bool,
    },
}

/// One virtual user's agent. Clones are the same agent.
#[derive(Debug, Clone)]
pub struct Agent {
    client: Client,
    shared: Rc<AgentContext>,
}

/// What of a request was sent when an exchange is over.
#[derive(Clone, Copy)]
struct SentRequests<'r> {
    /// The request asked for.
    first: &'r Request,
    /// The last one sent for it.
    last: &'r Request,
    count: u32,
}

/// Reports the exchanges of a request, all but the last of which it numbers.
struct HopReports<'h> {
    count: &'h mut u32,
    on_hop: &'h mut dyn FnMut(&Exchange<'_>),
}

impl HopReports<'_> {
    /// Reports an exchange that another follows.
    fn report(&mut self, request: &Request, response: &Response) {
        (self.on_hop)(&Exchange {
            index: *self.count,
            request,
            response,
            failure: None,
        });
        *self.count += 1;
    }
}

impl Agent {
    /// An agent on a user's client.
    #[must_use]
    pub fn new(client: Client, shared: Rc<AgentContext>) -> Self {
        Self { client, shared }
    }

    /// The client it sends with.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// What it shares with the other agents of its worker.
    #[must_use]
    pub fn shared(&self) -> &AgentContext {
        &self.shared
    }

    /// Sends `request` and follows redirects. The last response is left in `response`, with its
    /// body decoded. `on_hop` is called after each exchange.
    ///
    /// If the body fails, the response keeps its head and the part that was decoded.
    pub async fn send(
        &self,
        request: &Request,
        options: &SendOptions<'_>,
        response: &mut Response,
        on_hop: &mut dyn FnMut(&Exchange<'_>),
    ) -> SendResult {
        let mut trail = RedirectState::default();
        let mut next: Option<Box<Request>> = None;
        let mut hops = 0;
        let mut requests = 0;
        loop {
            let asked = next.as_deref().unwrap_or(request);
            requests += 1;
            let mut altered = with_credentials(asked, options.auth);
            let outcome = self
                .round_trip(
                    asked,
                    &mut altered,
                    options,
                    response,
                    HopReports {
                        count: &mut hops,
                        on_hop,
                    },
                )
                .await;
            let last = altered.as_ref().unwrap_or(asked);
            let sent = SentRequests {
                first: request,
                last,
                count: requests,
            };
            let step = self
                .step(&sent, &mut trail, options, response, outcome)
                .await;
            let failure = match &step {
                Step::Done { outcome, .. } => outcome.as_ref().err(),
                Step::Follow(_) => None,
            };
            on_hop(&Exchange {
                index: hops,
                request: last,
                response,
                failure,
            });
            hops += 1;
            match step {
                Step::Follow(request) => next = Some(request),
                Step::Done { outcome, stopped } => {
                    return SendResult {
                        outcome,
                        last: altered.or(next.map(|request| *request)),
                        stopped_after: stopped.then_some(requests),
                    };
                }
            }
        }
    }

    /// One exchange, or two if a Digest challenge has to be answered. Reports the first of two.
    async fn round_trip(
        &self,
        asked: &Request,
        altered: &mut Option<Request>,
        options: &SendOptions<'_>,
        response: &mut Response,
        mut hops: HopReports<'_>,
    ) -> Result<(), Failure> {
        if options.auth == Auth::Ntlm {
            return Box::pin(self.ntlm(asked, altered, options, response, hops)).await;
        }
        let exchange = |started| ExchangeOptions {
            started,
            deadline: options.deadline,
            body: options.body,
        };
        let sent = altered.as_ref().unwrap_or(asked);
        let now = self.shared.now();
        self.client.exchange(sent, &exchange(now), response).await?;
        if options.auth != Auth::Digest || response.head.status() != 401 {
            return Ok(());
        }
        let values = response.head.fields().get_all("WWW-Authenticate");
        let Some(challenge) = Challenge::find(values) else {
            return Ok(());
        };
        hops.report(sent, response);
        let nobody = UserInfo {
            name: String::new(),
            password: None,
        };
        let user = asked.url().user().unwrap_or(&nobody);
        // Each challenge is answered once, so its nonce is always used for the first time.
        let random = self.shared.random::<CNONCE_BYTES>();
        let value = authorization(&challenge, sent, user, 1, random);
        let mut answer = sent.clone();
        answer.set_field("Authorization", value);
        let answer = altered.insert(answer);
        let now = self.shared.now();
        self.client.exchange(answer, &exchange(now), response).await
    }

    /// The next request after an exchange, or the end.
    async fn step(
        &self,
        sent: &SentRequests<'_>,
        trail: &mut RedirectState,
        options: &SendOptions<'_>,
        response: &mut Response,
        outcome: Result<(), Failure>,
    ) -> Step {
        let SentRequests { first, last, count } = *sent;
        let mut stopped = false;
        // A redirect is followed even if its body failed.
        if is_redirect(response.head.status()) {
            match trail.next(first, last, &response.head) {
                Ok(Some(next)) if count <= options.max_redirects => {
                    let next = self.with_cookies(next, last, options, response);
                    return Step::Follow(Box::new(next));
                }
                Ok(Some(_)) => {
                    self.keep_cookies(last.url(), options, response);
                    stopped = true;
                }
                Ok(None) => {}
                Err(failure) => {
                    return Step::Done {
                        outcome: Err(failure),
                        stopped,
                    };
                }
            }
        }
        let decoding = self.decoded(last, options.body, response, outcome);
        let outcome = decoding.await;
        if outcome.is_ok() && !stopped {
            self.keep_cookies(last.url(), options, response);
        }
        Step::Done { outcome, stopped }
    }

    /// Decodes the response if it has a body that is kept.
    async fn decoded(
        &self,
        request: &Request,
        mode: BodyMode,
        response: &mut Response,
        outcome: Result<(), Failure>,
    ) -> Result<(), Failure> {
        let BodyMode::Keep { limit } = mode else {
            return outcome;
        };
        let bodiless =
            matches!(response.head.status(), 0..=199 | 204 | 304) || request.method() == "HEAD";
        if bodiless || response.head.fields().get("Content-Encoding").is_none() {
            return outcome;
        }
        let answered = outcome.is_ok();
        let under_way = self.client.resume(response, answered);
        let decoded = self.shared.decode(response, limit).await;
        under_way.end(answered);
        // A body that ended too soon is decoded up to there; the failure reported is why it
        // ended.
        outcome.and(decoded)
    }

    fn keep_cookies(&self, url: &Url, options: &SendOptions<'_>, response: &Response) {
        if let Some(jar) = options.jar
            && response.head.fields().get("Set-Cookie").is_some()
        {
            let now = self.shared.wall_now();
            jar.borrow_mut().set(url, set_cookies(&response.head), now);
        }
    }

    /// `next` with its cookies, after storing those of the redirect.
    fn with_cookies(
        &self,
        mut next: Request,
        last: &Request,
        options: &SendOptions<'_>,
        response: &Response,
    ) -> Request {
        self.keep_cookies(last.url(), options, response);
        if let Some(jar) = options.jar {
            next.remove_field("Cookie");
            let mut jar = jar.borrow_mut();
            add_cookies(&mut next, options.cookies, &mut jar, self.shared.wall_now());
        }
        next
    }
}

/// The request as sent, if it differs from `asked`: with Basic credentials, or for Digest without
/// those in the URL.
fn with_credentials(asked: &Request, auth: Auth) -> Option<Request> {
    asked.url().user()?;
    let mut altered = asked.clone();
    let changed = set_basic(&mut altered);
    if auth == Auth::Digest {
        altered.set_url(asked.url().without_user());
        return Some(altered);
    }
    changed.then_some(altered)
}
