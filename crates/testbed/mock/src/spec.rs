//! The mock file, and its validated form.

use std::collections::BTreeMap;

use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use loadline_units::Rate;
use serde::Deserialize;
use tokio::time::Instant;

use crate::body::Template;
use crate::latency::LatencySpec;
use crate::limits::RouteGate;
use crate::route::Pattern;
use crate::schedule::Schedule;
use crate::shares::Share;

/// A mock file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MockSpec {
    /// The routes; the first that matches applies.
    pub routes: Vec<RouteSpec>,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// A route in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RouteSpec {
    /// The method; any by default.
    pub method: Option<String>,
    /// A path with `{names}`; `*` matches all.
    pub path: String,
    /// The status of a successful answer.
    pub status: u16,
    /// Its header fields.
    pub headers: BTreeMap<String, String>,
    /// Its body, with placeholders.
    pub body: String,
    pub(crate) latency: Option<LatencySpec>,
    /// Failing answers.
    pub errors: Option<ErrorsSpec>,
    pub(crate) timeouts: Option<Share>,
    /// The limits of the route.
    pub limit: Option<LimitSpec>,
    /// How many bytes of the body are sent per second; all at once by default.
    pub bytes_per_second: Option<u64>,
}

/// Failing answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorsSpec {
    pub(crate) share: Share,
    /// Their status.
    #[serde(default = "unavailable")]
    pub status: u16,
}

/// The limits of a route.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitSpec {
    /// How many requests are processed at once.
    pub concurrency: Option<usize>,
    /// How many requests are started per second: `2/s`.
    pub rate: Option<String>,
    /// How many requests may wait; more are rejected.
    pub queue: Option<usize>,
    /// The status of rejected requests.
    pub status: Option<u16>,
}

const fn unavailable() -> u16 {
    503
}

impl Default for RouteSpec {
    fn default() -> Self {
        Self {
            method: None,
            path: "*".to_owned(),
            status: 200,
            headers: BTreeMap::new(),
            body: "{\"ok\":true}\n".to_owned(),
            latency: None,
            errors: None,
            timeouts: None,
            limit: None,
            bytes_per_second: None,
        }
    }
}

impl RouteSpec {
    /// The same route with this latency: `2s, after 60s 0.5s`.
    #[must_use]
    pub fn with_latency(mut self, text: &str) -> Self {
        self.latency = Some(LatencySpec::Text(text.to_owned()));
        self
    }

    /// The same route with this share of failing answers (`1%`).
    ///
    /// # Errors
    /// If it is not a share.
    pub fn with_errors(mut self, share: &str) -> Result<Self, SpecError> {
        let share = Share::parse(share).map_err(|error| SpecError::Malformed(error.to_string()))?;
        let status = unavailable();
        self.errors = Some(ErrorsSpec { share, status });
        Ok(self)
    }

    /// The same route with this share of requests that get no answer.
    ///
    /// # Errors
    /// If it is not a share.
    pub fn with_timeouts(mut self, share: &str) -> Result<Self, SpecError> {
        let share = Share::parse(share).map_err(|error| SpecError::Malformed(error.to_string()))?;
        self.timeouts = Some(share);
        Ok(self)
    }
}

/// Why a mock file is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// It is malformed.
    #[error("{0}")]
    Malformed(String),
    /// A route has invalid values.
    #[error("route {route} ({path}): {reason}")]
    Route {
        /// Its position, from 1.
        route: usize,
        /// Its path as written.
        path: String,
        /// The reason.
        reason: String,
    },
    /// There is no route.
    #[error("there is no route")]
    NoRoute,
}

/// A validated route.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) method: Option<Method>,
    pub(crate) pattern: Pattern,
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Template,
    pub(crate) latency: Schedule,
    pub(crate) errors: Option<(f64, StatusCode)>,
    pub(crate) timeouts: f64,
    pub(crate) gate: Option<(RouteGate, StatusCode)>,
    pub(crate) bytes_per_second: Option<u64>,
}

impl MockSpec {
    /// Reads YAML or JSON.
    ///
    /// # Errors
    /// [`SpecError`].
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Self = serde_saphyr::from_str(text).map_err(|error| {
            let text = error.to_string();
            SpecError::Malformed(text.lines().next().unwrap_or_default().to_owned())
        })?;
        spec.compile(Instant::now())?;
        Ok(spec)
    }

    /// A mock with a single route.
    #[must_use]
    pub fn of_route(route: RouteSpec) -> Self {
        Self {
            routes: vec![route],
            seed: 0,
        }
    }

    pub(crate) fn compile(&self, now: Instant) -> Result<Vec<Route>, SpecError> {
        if self.routes.is_empty() {
            return Err(SpecError::NoRoute);
        }
        let each = self.routes.iter().enumerate().map(|(index, route)| {
            route.compile(now).map_err(|reason| SpecError::Route {
                route: index + 1,
                path: route.path.clone(),
                reason,
            })
        });
        each.collect()
    }
}

impl RouteSpec {
    fn compile(&self, now: Instant) -> Result<Route, String> {
        let status = |code: u16| {
            StatusCode::from_u16(code)
                .ok()
                .filter(|_| (200..600).contains(&code))
                .ok_or_else(|| format!("status {code} is not from 200 to 599"))
        };
        let method = self.method.as_deref().map(|text| {
            let text = text.to_ascii_uppercase();
            Method::from_bytes(text.as_bytes()).map_err(|_| format!("`{text}` is not a method"))
        });
        let headers = self.headers.iter().map(|(name, value)| {
            let field = HeaderName::try_from(name.as_str());
            let value = HeaderValue::try_from(value.as_str());
            field
                .ok()
                .zip(value.ok())
                .ok_or_else(|| format!("`{name}` is no header field"))
        });
        let mut headers: Vec<_> = headers.collect::<Result<_, _>>()?;
        if !headers
            .iter()
            .any(|(name, _)| name == hyper::header::CONTENT_TYPE)
        {
            let json = HeaderValue::from_static("application/json");
            headers.push((hyper::header::CONTENT_TYPE, json));
        }
        let latency = match &self.latency {
            Some(written) => Schedule::of_written(written)?,
            None => Schedule::parse("0s")?,
        };
        let errors = match &self.errors {
            Some(errors) => Some((errors.share.0, status(errors.status)?)),
            None => None,
        };
        let gate = match &self.limit {
            Some(limit) => Some(limit.compile(now, status)?),
            None => None,
        };
        if self.bytes_per_second == Some(0) {
            return Err("bytes_per_second must be above zero".to_owned());
        }
        Ok(Route {
            method: method.transpose()?,
            pattern: Pattern::parse(&self.path)?,
            status: status(self.status)?,
            headers,
            body: Template::parse(&self.body)?,
            latency,
            errors,
            timeouts: self.timeouts.map_or(0.0, |share| share.0),
            gate,
            bytes_per_second: self.bytes_per_second,
        })
    }
}

/// The default length of a queue.
const DEFAULT_QUEUE_LENGTH: usize = 1000;

impl LimitSpec {
    fn compile(
        &self,
        now: Instant,
        status: impl Fn(u16) -> Result<StatusCode, String>,
    ) -> Result<(RouteGate, StatusCode), String> {
        if self.concurrency == Some(0) {
            return Err("limit: concurrency must be above zero".to_owned());
        }
        let rate = self.rate.as_deref().map(|text| {
            let rate: Result<Rate, _> = text.parse();
            let rate = rate.map_err(|error| error.to_string())?.as_per_second();
            if rate > 0.0 {
                Ok(rate)
            } else {
                Err("limit: rate must be above zero".to_owned())
            }
        });
        let queue = self.queue.unwrap_or(DEFAULT_QUEUE_LENGTH);
        let gate = RouteGate::new(self.concurrency, rate.transpose()?, queue, now);
        Ok((gate, status(self.status.unwrap_or(429))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_everything_is_read() {
        let text = "\
seed: 7
routes:
  - method: post
    path: /deers/{id}
    status: 201
    headers: {X-From: mock}
    body: '{\"id\":\"{{path.id}}\"}'
    latency: 2s, after 60s 0.5s
    errors: {share: 1%, status: 500}
    timeouts: 0.001
    limit: {concurrency: 10, rate: 2/s, queue: 5, status: 503}
    bytes_per_second: 1000
  - path: '*'
    latency: {recorded: [[0, 10], [1, 20.5]]}
";
        let spec = MockSpec::parse(text).unwrap();
        let routes = spec.compile(Instant::now()).unwrap();
        assert_eq!(routes.len(), 2);
        assert_eq!(routes[0].method, Some(Method::POST));
        assert_eq!(routes[0].errors.unwrap().1, 500);
        assert!(routes[0].gate.is_some());
    }

    #[test]
    fn a_mistake_names_its_route() {
        let refused = |text: &str| MockSpec::parse(text).unwrap_err().to_string();
        insta::assert_snapshot!(
            [
                "routes: []",
                "routes: [{path: x}]",
                "routes: [{status: 99}]",
                "routes: [{latency: soon}]",
                "routes: [{limit: {concurrency: 0}}]",
                "routes: [{body: '{{colour}}'}]",
                "routes: [{headers: {'a b': c}}]",
            ]
            .map(refused)
            .join("\n")
        );
        assert!(MockSpec::parse("routes: [{colour: red}]").is_err());
    }
}
