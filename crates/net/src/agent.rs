//! A user agent: what lies between a script's request and single exchanges.
//!
//! [`Agent::send`] follows redirects, keeps cookies, shows credentials and decodes bodies,
//! by k6's rules. What each exchange was and took is told through a callback, one [`Hop`]
//! each, because each counts as a request of its own. A request that needs none of this
//! costs what its exchange costs.

mod ntlm;
mod open;
mod shared;

pub use open::{NotOpened, OpenOptions};
pub use shared::AgentShared;

use std::cell::RefCell;
use std::rc::Rc;

use loadline_units::Time;

use crate::auth::{Auth, CNONCE_BYTES, Challenge, authorization, set_basic};
use crate::client::{BodyMode, Client, ExchangeOptions};
use crate::cookie::{CookieJar, RequestCookie, add_cookies, set_cookies};
use crate::failure::Failure;
use crate::redirect::{Trail, is_redirect};
use crate::request::Request;
use crate::response::Response;
use crate::url::{Url, UserInfo};

/// How a request is sent.
#[derive(Debug, Clone, Copy)]
pub struct SendOptions<'a> {
    /// When it fails, all hops together.
    pub deadline: Time,
    /// What happens to the body; one that is kept is decoded too, within the same limit.
    pub body: BodyMode,
    /// Redirects followed at most.
    pub max_redirects: u32,
    /// How credentials of the URL are shown.
    pub auth: Auth,
    /// Where cookies are kept, and taken from for each hop but the first: that one's
    /// cookies are the request's ([`crate::cookie::add_cookies`] puts them there).
    pub jar: Option<&'a RefCell<CookieJar>>,
    /// Cookies sent on each hop but the first, before those of the jar.
    pub cookies: &'a [RequestCookie],
}

impl SendOptions<'_> {
    /// k6's limit when a script sets none.
    pub const MAX_REDIRECTS: u32 = 10;

    /// The usual options: bodies kept, ten redirects, no cookies.
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
pub struct Hop<'h> {
    /// Exchanges before this one; the first of a Digest pair is one.
    pub index: u32,
    /// What was sent, credentials included.
    pub request: &'h Request,
    /// What came, timing included; of a redirect the body is as sent.
    pub response: &'h Response,
    /// Why it failed, if it did.
    pub failure: Option<&'h Failure>,
}

/// What sending came to; the response is in the [`Response`] handed in.
#[derive(Debug)]
pub struct Sent {
    /// Whether the last response is complete and decoded, or why not.
    pub outcome: Result<(), Failure>,
    /// The last request sent, when it is not the one handed in: after a redirect, or with
    /// credentials.
    pub last: Option<Request>,
    /// How many requests were sent (a Digest pair is one) when the last response is a
    /// redirect that was not followed because there were too many.
    pub stopped_after: Option<u32>,
}

impl Sent {
    /// Where the last exchange went; `first` is the request handed in.
    #[must_use]
    pub fn url<'r>(&'r self, first: &'r Request) -> &'r Url {
        self.last.as_ref().unwrap_or(first).url()
    }

    /// The text of k6's `Request Failed` warning, if it failed.
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
    shared: Rc<AgentShared>,
}

impl Agent {
    /// An agent on a user's client.
    #[must_use]
    pub fn new(client: Client, shared: Rc<AgentShared>) -> Self {
        Self { client, shared }
    }

    /// The client it sends with.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// What it shares with the others of its worker.
    #[must_use]
    pub fn shared(&self) -> &AgentShared {
        &self.shared
    }

    /// Sends `request` and follows where the answer leads; the last response is left in
    /// `response`, its body decoded. `on_hop` sees each exchange as it ends.
    ///
    /// A response whose body fails keeps its head and what could be decoded.
    pub async fn send(
        &self,
        request: &Request,
        options: &SendOptions<'_>,
        response: &mut Response,
        on_hop: &mut dyn FnMut(&Hop<'_>),
    ) -> Sent {
        let mut trail = Trail::default();
        let mut next: Option<Box<Request>> = None;
        let mut hops = 0;
        let mut requests = 0;
        loop {
            let asked = next.as_deref().unwrap_or(request);
            requests += 1;
            let mut dressed = dressed(asked, options.auth);
            let outcome = self
                .round_trip(asked, &mut dressed, options, response, (&mut hops, on_hop))
                .await;
            let last = dressed.as_ref().unwrap_or(asked);
            let step = self.step(
                (request, last, requests),
                &mut trail,
                options,
                response,
                outcome,
            );
            let failure = match &step {
                Step::Done { outcome, .. } => outcome.as_ref().err(),
                Step::Follow(_) => None,
            };
            on_hop(&Hop {
                index: hops,
                request: last,
                response,
                failure,
            });
            hops += 1;
            match step {
                Step::Follow(request) => next = Some(request),
                Step::Done { outcome, stopped } => {
                    return Sent {
                        outcome,
                        last: dressed.or(next.map(|request| *request)),
                        stopped_after: stopped.then_some(requests),
                    };
                }
            }
        }
    }

    /// One exchange, or two when a Digest challenge has to be answered; tells of the first
    /// of two.
    async fn round_trip(
        &self,
        asked: &Request,
        dressed: &mut Option<Request>,
        options: &SendOptions<'_>,
        response: &mut Response,
        (hops, on_hop): (&mut u32, &mut dyn FnMut(&Hop<'_>)),
    ) -> Result<(), Failure> {
        if options.auth == Auth::Ntlm {
            let told = (hops, on_hop);
            return Box::pin(self.ntlm(asked, dressed, options, response, told)).await;
        }
        let exchange = |started| ExchangeOptions {
            started,
            deadline: options.deadline,
            body: options.body,
        };
        let sent = dressed.as_ref().unwrap_or(asked);
        let now = self.shared.now();
        self.client.exchange(sent, &exchange(now), response).await?;
        if options.auth != Auth::Digest || response.head.status() != 401 {
            return Ok(());
        }
        let values = response.head.fields().get_all("WWW-Authenticate");
        let Some(challenge) = Challenge::find(values) else {
            return Ok(());
        };
        on_hop(&Hop {
            index: *hops,
            request: sent,
            response,
            failure: None,
        });
        *hops += 1;
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
        let answer = dressed.insert(answer);
        let now = self.shared.now();
        self.client.exchange(answer, &exchange(now), response).await
    }

    /// What follows from an exchange: another request, or the end.
    fn step(
        &self,
        (first, last, requests): (&Request, &Request, u32),
        trail: &mut Trail,
        options: &SendOptions<'_>,
        response: &mut Response,
        outcome: Result<(), Failure>,
    ) -> Step {
        let mut stopped = false;
        // A redirect is followed whatever becomes of its body.
        if is_redirect(response.head.status()) {
            match trail.next(first, last, &response.head) {
                Ok(Some(next)) if requests <= options.max_redirects => {
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
        let outcome = self.decoded(last, options.body, response, outcome);
        if outcome.is_ok() && !stopped {
            self.keep_cookies(last.url(), options, response);
        }
        Step::Done { outcome, stopped }
    }

    /// The response decoded, where it has a body that is kept.
    fn decoded(
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
        if bodiless {
            return outcome;
        }
        let decoded = self.shared.decode(response, limit);
        // What ended too soon is decoded as far as it came; why it ended is what is told.
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

    /// `next` with its cookies, after those of the redirect were kept.
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

/// `asked` as it goes out, when that differs: with Basic credentials, and with Digest
/// without those in the URL.
fn dressed(asked: &Request, auth: Auth) -> Option<Request> {
    asked.url().user()?;
    let mut dressed = asked.clone();
    let changed = set_basic(&mut dressed);
    if auth == Auth::Digest {
        dressed.set_url(asked.url().without_user());
        return Some(dressed);
    }
    changed.then_some(dressed)
}
