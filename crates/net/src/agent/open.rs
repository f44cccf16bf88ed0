//! Opening a response whose body is read as it comes: redirects and cookies, no decoding.

use std::cell::RefCell;

use loadline_units::Time;

use super::{Agent, SendOptions, dressed};
use crate::auth::Auth;
use crate::client::{BodyMode, BodyStream, ExchangeOptions};
use crate::cookie::CookieJar;
use crate::failure::{Cause, Failure};
use crate::redirect::{Trail, is_redirect};
use crate::request::Request;
use crate::response::Response;

/// How a stream is opened.
#[derive(Debug, Clone, Copy)]
pub struct OpenOptions<'a> {
    /// When it fails, wherever it stands, the body too.
    pub deadline: Time,
    /// Where cookies are kept, and taken from for each hop but the first.
    pub jar: Option<&'a RefCell<CookieJar>>,
}

/// Why a stream was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotOpened {
    /// What went wrong.
    pub failure: Failure,
    /// The same as Go tells it, with method and URL.
    pub text: String,
}

impl Agent {
    /// Sends `request`, follows where the answer leads, and reads the head of the last
    /// response; its body is the stream.
    ///
    /// # Errors
    /// [`NotOpened`], also when there are more redirects than Go follows.
    pub async fn open(
        &self,
        request: &Request,
        options: &OpenOptions<'_>,
        response: &mut Response,
    ) -> Result<BodyStream, NotOpened> {
        let as_sent = SendOptions {
            jar: options.jar,
            ..SendOptions::until(options.deadline)
        };
        let mut trail = Trail::default();
        let mut next: Option<Request> = None;
        let mut redirects = 0;
        loop {
            let asked = next.as_ref().unwrap_or(request);
            let dressed = dressed(asked, Auth::Basic);
            let sent = dressed.as_ref().unwrap_or(asked);
            let not_opened = |failure: Failure| NotOpened {
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
