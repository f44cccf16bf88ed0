//! Fetches the modules a script imports from the web, with the HTTP client of runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use loadline_k6::{Fetch, FetchError, FetchResponse, MODULE_BYTES_MAX};
use loadline_net::{
    Agent, AgentContext, BodyMode, Cause, Client, Failure, Network, NetworkSettings, Request,
    Response, SendOptions, TlsError, Url,
};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::Time;

use crate::network::{self, NetworkError};

/// How long one module may take, as in k6.
const FETCH_TIMEOUT: Duration = Duration::from_secs(60);
/// Redirects to follow, as Go's client does.
const REDIRECTS_MAX: u32 = 10;

/// Settings whose trusted roots, which take milliseconds to read, are read when the settings are first used.
type Settings = LazyLock<
    Result<Arc<NetworkSettings>, TlsError>,
    Box<dyn FnOnce() -> Result<Arc<NetworkSettings>, TlsError> + Send>,
>;

/// Fetches modules over HTTPS with the name look-ups, proxies and trusted roots of runs.
pub struct Web {
    settings: Settings,
    wall_clock: fn() -> SystemTime,
}

impl Web {
    /// With the environment's proxies. Trusted roots are read with the first module: most scripts import none from the web.
    ///
    /// # Errors
    /// [`NetworkError`].
    pub fn new(
        environment: &BTreeMap<String, String>,
        wall_clock: fn() -> SystemTime,
    ) -> Result<Self, NetworkError> {
        let settings = network::without_tls(environment)?;
        let with_tls = move || network::with_tls(settings, false).map(Arc::new);
        Ok(Self {
            settings: LazyLock::new(Box::new(with_tls)),
            wall_clock,
        })
    }

    fn get(&self, url: &str, etag: Option<&str>) -> Result<FetchResponse, FetchError> {
        let invalid = |url: &str| FetchError::InvalidUrl {
            url: url.to_owned(),
        };
        let parsed = Url::parse(url).map_err(|_| invalid(url))?;
        let setup = |error: std::io::Error| FetchError::Setup {
            errno: error.raw_os_error().unwrap_or_default(),
        };
        let mut reactor = Reactor::new(MonotonicClock::start()).map_err(setup)?;
        let handle = reactor.handle();
        let settings = self
            .settings
            .as_ref()
            .map_err(|error| FetchError::Connection {
                detail: error.to_string(),
            })?;
        let network = Network::new(handle.clone(), settings.clone());
        let random = |bytes: &mut [u8]| {
            getrandom::fill(bytes).expect("the system's random numbers cannot be read");
        };
        let shared = AgentContext::new(&network, (self.wall_clock)(), random);
        let agent = Agent::new(Client::new(&network, None), shared);
        let ended = Rc::new(RefCell::new(None));
        let outcome = ended.clone();
        let deadline = handle.now() + FETCH_TIMEOUT;
        let etag = etag.map(str::to_owned);
        handle.spawn(async move {
            let got = follow(&agent, parsed, etag.as_deref(), deadline).await;
            *outcome.borrow_mut() = Some(got);
        });
        let mut ready = Vec::new();
        loop {
            reactor.turn(&mut ready, Time::MAX).map_err(setup)?;
            if let Some(got) = ended.borrow_mut().take() {
                return got;
            }
        }
    }
}

impl Fetch for Web {
    /// As k6: with `_k6=1` in the query, then without it, since some servers refuse queries.
    fn fetch(&self, url: &str, etag: Option<&str>) -> Result<FetchResponse, FetchError> {
        let separator = if url.contains('?') { '&' } else { '?' };
        match self.get(&format!("{url}{separator}_k6=1"), etag) {
            Err(FetchError::Status { status, .. }) if status < 500 => self.get(url, etag),
            other => other,
        }
    }
}

/// Gets `url` and follows its redirects. Nothing is sent to one that leads out of https.
async fn follow(
    agent: &Agent,
    mut url: Url,
    etag: Option<&str>,
    deadline: Time,
) -> Result<FetchResponse, FetchError> {
    let mut options = SendOptions::until(deadline);
    options.max_redirects = 0;
    options.body = BodyMode::Keep {
        limit: MODULE_BYTES_MAX,
    };
    for _ in 0..=REDIRECTS_MAX {
        let mut request = Request::new("GET", url.clone());
        request.add_field(
            "User-Agent",
            concat!("loadline/", env!("CARGO_PKG_VERSION")),
        );
        if let Some(etag) = etag {
            request.add_field("If-None-Match", etag);
        }
        let mut response = Response::new();
        let sent = agent
            .send(&request, &options, &mut response, &mut |_| ())
            .await;
        let status = response.head.status();
        let location = response.head.fields().get("Location");
        if matches!(status, 301 | 302 | 303 | 307 | 308)
            && let Some(location) = location
        {
            let location = String::from_utf8_lossy(location).into_owned();
            let invalid = FetchError::InvalidUrl {
                url: location.clone(),
            };
            let next = url.join(&location).map_err(|_| invalid)?;
            if !next.is_secure() {
                return Err(FetchError::LeavesHttps { to: next.masked() });
            }
            url = next;
            continue;
        }
        if let Err(failure) = &sent.outcome {
            return Err(of_failure(failure, &url));
        }
        return match status {
            200 => Ok(FetchResponse::Text {
                bytes: response.body.to_vec(),
                etag: response
                    .head
                    .fields()
                    .get("ETag")
                    .map(|tag| String::from_utf8_lossy(tag).into_owned()),
            }),
            304 if etag.is_some() => Ok(FetchResponse::Unchanged),
            status => Err(FetchError::Status {
                status,
                url: url.masked(),
            }),
        };
    }
    Err(FetchError::TooManyRedirects {
        most: REDIRECTS_MAX,
    })
}

fn of_failure(failure: &Failure, url: &Url) -> FetchError {
    match failure.cause() {
        Cause::NoSuchHost { host } => FetchError::NoSuchHost { host: host.clone() },
        Cause::Refused { remote } => FetchError::Refused {
            address: remote.to_string(),
        },
        Cause::Timeout => FetchError::TimedOut {
            seconds: FETCH_TIMEOUT.as_secs(),
        },
        Cause::UnknownAuthority(_) | Cause::WrongHost(_) | Cause::Certificate(_) => {
            FetchError::Certificate {
                host: url.host().to_string(),
            }
        }
        Cause::BodyTooLarge { limit } => FetchError::TooLarge { limit: *limit },
        _ => FetchError::Connection {
            detail: failure.detail(),
        },
    }
}
