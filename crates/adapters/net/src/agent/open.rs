//! Opens a response whose body is read while it arrives: with redirects and cookies, without
//! decoding.

use std::cell::RefCell;

use loadline_units::Time;

use super::{Agent, SendOptions, with_credentials};
use crate::auth::Auth;
use crate::body::BodyMode;
use crate::client::{BodyStream, ExchangeOptions};
use crate::cookie::CookieJar;
use crate::failure::{Cause, Failure};
use crate::redirect::{RedirectState, is_redirect};
use crate::request::Request;
use crate::response::Response;

/// How a stream is opened.
#[derive(Debug, Clone, Copy)]
pub struct OpenOptions<'a> {
    /// When it fails, the body included.
    pub deadline: Time,
    /// Stores cookies, and provides those of each hop except the first.
    pub jar: Option<&'a RefCell<CookieJar>>,
}

/// Why a stream was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenError {
    /// The failure.
    pub failure: Failure,
    /// The failure as Go describes it, with method and URL.
    pub text: String,
}

impl Agent {
    /// Sends `request`, follows redirects, and reads the head of the last response. Its body is
    /// the stream.
    ///
    /// # Errors
    /// [`OpenError`]; also when there are more redirects than Go follows.
    pub async fn open(
        &self,
        request: &Request,
        options: &OpenOptions<'_>,
        response: &mut Response,
    ) -> Result<BodyStream, OpenError> {
        let as_sent = SendOptions {
            jar: options.jar,
            ..SendOptions::until(options.deadline)
        };
        let mut trail = RedirectState::default();
        let mut next: Option<Request> = None;
        let mut redirects = 0;
        loop {
            let asked = next.as_ref().unwrap_or(request);
            let altered = with_credentials(asked, Auth::Basic);
            let sent = altered.as_ref().unwrap_or(asked);
            let not_opened = |failure: Failure| OpenError {
                text: failure.log(sent.method(), &sent.url().without_password()),
                failure,
            };
            let exchange = ExchangeOptions {
                started: self.shared.now(),
                deadline: options.deadline,
                body: BodyMode::Discard,
            };
            let opened = self.client.open(sent, &exchange, response).await;
            let stream = opened.map_err(not_opened)?;
            if is_redirect(response.head.status()) {
                let led = trail.next(request, sent, &response.head);
                if let Some(led) = led.map_err(not_opened)? {
                    redirects += 1;
                    if redirects >= SendOptions::MAX_REDIRECTS {
                        let text =
                            format!("stopped after {} redirects", SendOptions::MAX_REDIRECTS);
                        return Err(not_opened(Cause::Other(text).into()));
                    }
                    let led = self.with_cookies(led, sent, &as_sent, response);
                    stream.follow();
                    next = Some(led);
                    continue;
                }
            }
            self.keep_cookies(sent.url(), &as_sent, response);
            return Ok(stream);
        }
    }
}
