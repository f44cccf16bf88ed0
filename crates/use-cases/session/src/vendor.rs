//! Fetches the modules a script imports from the web, with the HTTP client of runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_k6::vendor::Fetch;
use loadline_net::{
    Agent, AgentContext, Client, Network, NetworkSettings, Request, Response, SendOptions, Url,
};
use loadline_reactor::{MonotonicClock, Reactor};
use loadline_units::Time;

use crate::network::{self, NetworkError};

/// How long one module may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Fetches modules over HTTPS with the name look-ups, proxies and trusted roots of runs.
pub struct Web {
    settings: Arc<NetworkSettings>,
    wall_clock: fn() -> SystemTime,
}

impl Web {
    /// With the environment's proxies and certificates.
    ///
    /// # Errors
    /// [`NetworkError`].
    pub fn new(
        environment: &BTreeMap<String, String>,
        wall_clock: fn() -> SystemTime,
    ) -> Result<Self, NetworkError> {
        Ok(Self {
            settings: Arc::new(network::plain(environment, false)?),
            wall_clock,
        })
    }
}

impl Fetch for Web {
    fn fetch(&self, url: &str) -> Result<Vec<u8>, String> {
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        let mut reactor = Reactor::new(MonotonicClock::start()).map_err(|e| e.to_string())?;
        let handle = reactor.handle();
        let network = Network::new(handle.clone(), self.settings.clone());
        let random = |bytes: &mut [u8]| {
            getrandom::fill(bytes).expect("the system's random numbers cannot be read");
        };
        let shared = AgentContext::new(&network, (self.wall_clock)(), random);
        let agent = Agent::new(Client::new(&network, None), shared);
        let ended = Rc::new(RefCell::new(None));
        let outcome = ended.clone();
        let deadline = handle.now() + PATIENCE;
        handle.spawn(async move {
            let got = get(&agent, url, deadline).await;
            *outcome.borrow_mut() = Some(got);
        });
        let mut ready = Vec::new();
        loop {
            reactor
                .turn(&mut ready, Time::MAX)
                .map_err(|error| error.to_string())?;
            if let Some(got) = ended.borrow_mut().take() {
                return got;
            }
        }
    }
}

async fn get(agent: &Agent, url: Url, deadline: Time) -> Result<Vec<u8>, String> {
    let mut request = Request::new("GET", url);
    request.add_field(
        "User-Agent",
        concat!("loadline/", env!("CARGO_PKG_VERSION")),
    );
    let mut response = Response::new();
    let sent = agent
        .send(
            &request,
            &SendOptions::until(deadline),
            &mut response,
            &mut |_| (),
        )
        .await;
    if let Err(failure) = &sent.outcome {
        return Err(failure.text());
    }
    let last = sent.url(&request);
    if !last.is_secure() {
        return Err(format!("it leads to {}, which is not https", last.masked()));
    }
    match response.head.status() {
        200 => Ok(response.body.to_vec()),
        status => Err(format!("HTTP status {status}")),
    }
}
