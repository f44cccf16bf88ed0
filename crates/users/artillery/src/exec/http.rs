//! Runs a request step: condition, rendering, exchange with redirects, answer.
//!
//! Headers, bodies and redirects follow got, Artillery's HTTP client, so a step sends what it
//! sends under Artillery. Elsewhere: bytes and connections in `net`.

mod build;
mod codes;
mod cookies;
mod kept;

pub(crate) use codes::code_of;

use std::rc::Rc;
use std::sync::atomic::Ordering;

use loadline_net::{BodyMode, Request, Response, SendOptions, Shortage, Url};
use loadline_vu::{SampledBody, failed_answers};

use crate::exec::answer::{self, Answer};
use crate::exec::expect::{self, ExpectedText};
use crate::exec::hooks;
use crate::model::{EngineKind, HttpRequest, ScenarioSpec};
use crate::record::{CommonMetrics, Cut, Exchange, Sample};
use crate::vu::{FlowFailure, StepsResult, Vu};
use build::PreparedRequest;
use codes::code_in_body;
use kept::keep_answer;

/// got follows this many redirects.
const REDIRECTS_MAX: u32 = 10;

/// Runs a request step.
pub(crate) async fn request(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    request: &HttpRequest,
) -> StepsResult {
    if request.url.is_none() {
        return Err(FlowFailure::new("an URL must be specified"));
    }
    if !is_probable(vu, request) || !condition_holds(vu, request).await {
        return Ok(());
    }
    let changed = hooks::before_request(vu, scenario, request).await?;
    let request = changed.as_ref().unwrap_or(request);
    let built = match build::build(vu, request) {
        Ok(built) => built,
        // Functions and endpoints are told about got's errors, not about Artillery's own.
        Err(failed) if failed.code.starts_with("ERR_") => {
            error(
                vu,
                scenario,
                request,
                request.endpoint.as_deref(),
                &failed.code,
            )
            .await;
            return Err(failed);
        }
        Err(failed) => return Err(failed),
    };
    let permit = vu.permits.take().await;
    let mut response = Box::<Response>::default();
    let sent = send(vu, request, &built, &mut response).await;
    drop(permit);
    let (url, outcome) = sent;
    if let Err(code) = outcome {
        let endpoint = endpoint_of(vu, request, &built);
        error(vu, scenario, request, endpoint.as_deref(), &code).await;
        return Err(FlowFailure::new(code));
    }
    keep_answer(vu, request, &built, &url, &response);
    after(vu, scenario, request, &built, &url, &response).await
}

/// Reports an error that ends the user.
async fn error(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    request: &HttpRequest,
    endpoint: Option<&str>,
    code: &str,
) {
    let config = &vu.shared.test.script.config;
    if let Some(endpoint) = endpoint {
        let namespace = &config.by_endpoint.namespace;
        vu.outbox
            .count(format!("{namespace}.{endpoint}.errors.{code}"), 1.0);
    }
    if config.expect.is_some() && scenario.engine != EngineKind::SocketIo {
        vu.shared.console.print(format!("Error: {code}\n"));
    }
    hooks::on_error(vu, scenario, request, code).await;
}

fn is_probable(vu: &Vu, request: &HttpRequest) -> bool {
    let Some(probability) = request.probability else {
        return true;
    };
    crate::random::between(&vu.local.random, 0.0, 100.0) < percent(probability)
}

/// The limit for a draw from 0 to 100, both included. So with a probability of 100 or more, one
/// request in 101 is left out, as in Artillery.
fn percent(probability: f64) -> f64 {
    if probability.is_nan() {
        0.0
    } else {
        probability.min(100.0)
    }
}

async fn condition_holds(vu: &Rc<Vu>, request: &HttpRequest) -> bool {
    if let Some(condition) = &request.if_true
        && vu.has_function(&condition.written)
    {
        return hooks::holds(vu, &condition.written).await;
    }
    let Some(expression) = request
        .if_true
        .as_ref()
        .and_then(|cond| cond.expression.as_ref())
    else {
        return true;
    };
    let vars = vu.vars.borrow();
    let scope = vu.scope(&vars);
    let lookup = |name: &str| crate::template::TemplateScope::variable(&scope, name).cloned();
    expression.holds(&lookup, &vu.local.random)
}

/// Sends a request and follows redirects. Returns the last URL, and the code of an error.
async fn send(
    vu: &Rc<Vu>,
    request: &HttpRequest,
    built: &PreparedRequest,
    response: &mut Response,
) -> (Url, Result<(), String>) {
    let config = &vu.shared.test.script.config;
    let cookies = vu.jar_enabled.get() || built.sets_cookies;
    let mut current = built.request.clone();
    let mut redirects = 0;
    loop {
        if cookies {
            // The jar's cookies take the place of a `cookie` header.
            current.remove_field("Cookie");
            let field = cookies::field(vu, &current).or_else(|| built.cookie_header.clone());
            if let Some(field) = field {
                current.add_field("cookie", field);
            }
        }
        if let Some(code) = build::refused_field(&current) {
            return (current.url().clone(), Err(code.to_owned()));
        }
        vu.outbox.known(CommonMetrics::Requests, 1.0);
        vu.outbox.rate("http.request_rate");
        let started = vu.handle.now();
        let options = SendOptions {
            deadline: started + config.timeout,
            body: BodyMode::default(),
            max_redirects: 0,
            auth: loadline_net::Auth::default(),
            jar: None,
            cookies: &[],
        };
        let name = endpoint_of(vu, request, built).unwrap_or_else(|| built.url_text.clone());
        let watch = CutWatch {
            vu,
            name: &name,
            method: current.method(),
        };
        let sent = vu
            .agent
            .send(&current, &options, response, &mut |hop| {
                if let Some(watch) = &vu.shared.watch {
                    watch(&name, hop);
                }
            })
            .await;
        drop(watch);
        let failure = sent.outcome.as_ref().err();
        record(vu, &name, &current, request.gzip, response, failure);
        if let Some(failure) = failure
            && !response.has_head()
        {
            return (current.url().clone(), Err(code_of(failure)));
        }
        let had_cookies = response.head.fields().get("Set-Cookie").is_some();
        if had_cookies {
            keep_cookies(vu, &name, cookies, current.url(), response);
        }
        if let Some(failure) = failure {
            return (current.url().clone(), Err(code_in_body(failure)));
        }
        let next = if request.follow {
            build::redirected(&current, response)
        } else {
            None
        };
        let Some(next) = next else {
            return (current.url().clone(), Ok(()));
        };
        redirects += 1;
        if redirects > REDIRECTS_MAX {
            return (
                current.url().clone(),
                Err("ERR_TOO_MANY_REDIRECTS".to_owned()),
            );
        }
        current = match next {
            Ok(next) => next,
            Err(code) => return (current.url().clone(), Err(code)),
        };
    }
}

/// Keeps an answer's cookies. The first ones switch the jar on; from then on got reports what is broken.
fn keep_cookies(vu: &Vu, endpoint: &str, was_on: bool, url: &Url, response: &Response) {
    let namespace = &vu.shared.test.script.config.by_endpoint.namespace;
    let broken = cookies::keep(vu, url, response);
    vu.jar_enabled.set(true);
    if !was_on {
        let each = broken.iter();
        each.for_each(|_| vu.outbox.error("cookie_parse_error_invalid_cookie"));
    } else if !broken.is_empty() {
        let name = format!("{namespace}.{endpoint}.errors.ERR_GOT_REQUEST_ERROR");
        vu.outbox.count(name, 1.0);
    }
}

/// Notes a request that is cut: dropped with the exchange, whichever way that ends.
struct CutWatch<'r> {
    vu: &'r Vu,
    name: &'r str,
    method: &'r str,
}

impl Drop for CutWatch<'_> {
    fn drop(&mut self) {
        for cut in self.vu.agent.client().take_cut() {
            let age = self.vu.handle.now().millis_since(cut.started);
            self.vu.outbox.push(Sample::Cut(Box::new(Cut {
                method: self.method.to_owned(),
                name: self.name.to_owned(),
                age,
            })));
        }
    }
}

/// Records an exchange.
fn record(
    vu: &Vu,
    name: &str,
    sent: &Request,
    decodes: bool,
    response: &Response,
    failure: Option<&loadline_net::Failure>,
) {
    let timing = &response.timing;
    let phases = timing.phase_millis();
    let status = response.head.status();
    let out = &vu.outbox;
    out.push(Sample::Exchange(Box::new(Exchange {
        method: sent.method().to_owned(),
        name: name.to_owned(),
        status,
        protocol: response.protocol.as_str(),
        error: failure.map(|failure| (failure.code(), failure.text())),
        phases,
        bytes: response.body_bytes,
    })));
    if let Some(shortage) = failure.and_then(loadline_net::Failure::shortage) {
        count_shortage(vu, shortage);
    }
    if !response.has_head() {
        return;
    }
    if failure.is_none() && status >= 400 {
        let words = failed_answers::words(&response.body);
        vu.run_state
            .failed_answers
            .count(vu.local.worker, status, &words);
    }
    if failure.is_none() && (200..400).contains(&status) {
        let (samples, worker) = (&vu.run_state.body_samples, vu.local.worker);
        if samples.wants(worker, name, vu.handle.now()) {
            samples.keep(
                worker,
                SampledBody::new(sent.method(), name, &response.body),
            );
        }
    }
    if response.asks_to_wait() {
        vu.run_state.asked_to_wait.fetch_add(1, Ordering::Relaxed);
    }
    let first_byte = first_byte(vu, response);
    out.count(format!("http.codes.{status}"), 1.0);
    out.known(CommonMetrics::Responses, 1.0);
    out.summary("http.response_time", first_byte);
    if (200..600).contains(&status) {
        out.summary(format!("http.response_time.{}xx", status / 100), first_byte);
    }
    if vu.shared.test.script.config.extended_metrics {
        out.summary("http.dns", 0.0);
        out.summary("http.tcp", phases.connecting);
        out.summary("http.tls", phases.tls_handshaking);
        out.summary("http.total", timing.finish().millis_since(timing.start()));
    }
    out.known(
        CommonMetrics::DownloadedBytes,
        downloaded(response, decodes),
    );
}

/// The bytes that Artillery counts of a body: none where its client decodes it.
#[expect(clippy::cast_precision_loss, reason = "bytes of one answer")]
fn downloaded(response: &Response, decodes: bool) -> f64 {
    if decodes && response.head.fields().get("Content-Encoding").is_some() {
        return 0.0;
    }
    response.body_bytes as f64
}

/// Milliseconds from the end of sending to the first byte of the answer: got's `firstByte`.
/// Node's clock counts whole milliseconds.
fn first_byte(vu: &Vu, response: &Response) -> f64 {
    let waiting = response.timing.phase_millis().waiting;
    if vu.shared.test.strict_compat {
        waiting.round()
    } else {
        waiting
    }
}

fn endpoint_of(vu: &Vu, request: &HttpRequest, built: &PreparedRequest) -> Option<String> {
    let config = &vu.shared.test.script.config;
    if request.endpoint.is_none() || config.by_endpoint.group_dynamic {
        return request.endpoint.clone();
    }
    crate::endpoint::key(config, &built.url_text, built.name.as_deref())
}

/// Captures, matches, expectations and metrics for the last answer.
async fn after(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    request: &HttpRequest,
    built: &PreparedRequest,
    url: &Url,
    response: &Response,
) -> StepsResult {
    let url = url.to_string();
    let config = &vu.shared.test.script.config;
    let body = String::from_utf8_lossy(&response.body);
    let answer = Answer::new(Some(&response.head), &body);
    let failed = answer::apply(vu, &request.captures, &request.matches, &answer);
    // The scenario's functions come first, then plugins, then the request's own functions.
    if !scenario.after_response.is_empty() {
        let asked = build::asked_of(vu, request, built);
        hooks::after_response(vu, &scenario.after_response, &asked, &url, response, &body).await?;
    }
    let has_plugins = scenario.engine != EngineKind::SocketIo;
    if let Some(plugin) = config.expect.filter(|_| has_plugins) {
        let asked = ExpectedText {
            method: built.request.method(),
            url: &built.url_text,
            name: built.name.as_deref(),
            json: built.json.as_ref(),
        };
        expect::check(vu, plugin, request, &asked, response.head.status(), &answer)?;
    }
    by_endpoint(vu, request, built, response, &answer);
    if let Some(threshold) = config.apdex.filter(|_| has_plugins) {
        apdex(vu, threshold, response);
    }
    if !request.after_response.is_empty() {
        let asked = build::asked_of(vu, request, built);
        hooks::after_response(vu, &request.after_response, &asked, &url, response, &body).await?;
    }
    if failed {
        return Err(FlowFailure::new("Failed capture or match"));
    }
    Ok(())
}

fn by_endpoint(
    vu: &Vu,
    request: &HttpRequest,
    built: &PreparedRequest,
    response: &Response,
    answer: &Answer<'_>,
) {
    let namespace = &vu.shared.test.script.config.by_endpoint.namespace;
    let Some(endpoint) = endpoint_of(vu, request, built) else {
        return;
    };
    if let Some(timing) = answer.header("server-timing") {
        let total = server_timing(&timing);
        vu.outbox
            .summary(format!("{namespace}.server-timing.{endpoint}"), total);
    }
    let status = response.head.status();
    vu.outbox
        .count(format!("{namespace}.{endpoint}.codes.{status}"), 1.0);
    vu.outbox.summary(
        format!("{namespace}.response_time.{endpoint}"),
        first_byte(vu, response),
    );
}

/// The first `total;dur=` in a header; -1 if there is none.
fn server_timing(header: &str) -> f64 {
    let lower = header.to_ascii_lowercase();
    let Some(at) = lower.find("total;dur=") else {
        return -1.0;
    };
    let number: String = lower[at + "total;dur=".len()..]
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    number.parse().unwrap_or(-1.0)
}

fn apdex(vu: &Vu, threshold: f64, response: &Response) {
    let total = response
        .timing
        .finish()
        .millis_since(response.timing.start());
    for name in ["apdex.satisfied", "apdex.tolerated", "apdex.frustrated"] {
        vu.outbox.count(name, 0.0);
    }
    let name = if total <= threshold {
        "apdex.satisfied"
    } else if total <= 4.0 * threshold {
        "apdex.tolerated"
    } else {
        "apdex.frustrated"
    };
    vu.outbox.count(name, 1.0);
}

/// Counts a failure caused by the generator's own limits.
fn count_shortage(vu: &Vu, shortage: Shortage) {
    let counter = match shortage {
        Shortage::OpenFiles => &vu.run_state.files_lacked,
        Shortage::Ports => &vu.run_state.ports_lacked,
    };
    counter.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_over_a_hundred_counts_as_a_hundred_and_none_as_never() {
        let counted = [250.0, 40.0, f64::NAN].map(|written| percent(written).to_string());
        assert_eq!(counted, ["100", "40", "0"]);
    }

    #[test]
    fn bodies_that_are_decoded_count_no_bytes() {
        let mut response = Response::new();
        response.body_bytes = 12;
        assert_eq!(downloaded(&response, true).to_string(), "12");
        let coded = [("Content-Encoding", &b"gzip"[..])];
        response.head.assemble(200, "200 OK", coded.into_iter());
        let counted = [true, false].map(|decodes| downloaded(&response, decodes).to_string());
        assert_eq!(counted, ["0", "12"]);
    }
}
