//! Calls a processor's functions, around requests and in flows.

use std::rc::Rc;

use loadline_net::Response;
use serde_json::{Map, Value, json};

use crate::model::{HttpRequest, ScenarioSpec};
use crate::processor::Job;
use crate::read::{self, ReadOptions};
use crate::template::TemplateValue;
use crate::vu::{FlowFailure, StepsResult, Vu};

/// Calls functions. Keeps the variables they changed, and counts the events they emitted.
async fn call(
    vu: &Rc<Vu>,
    kind: &'static str,
    names: Vec<String>,
    more: Value,
) -> Result<Value, FlowFailure> {
    let Some(processor) = &vu.processor else {
        return Ok(Value::Null);
    };
    let mut vars = vu.vars.borrow().clone();
    for (name, value) in &vu.shared.test.base {
        if name != "$env" && name != "$processEnvironment" {
            vars.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    vu.used_processor.set(true);
    let weak = Rc::downgrade(vu);
    processor.listen(&vu.id, || {
        Rc::new(move |told: &Value| {
            if let Some(vu) = weak.upgrade() {
                heard(&vu, told);
            }
        })
    });
    let mut more = more;
    if let (Some(line), Value::Object(more)) = (&*vu.line.borrow(), &mut more) {
        more.insert("ws".to_owned(), line.state().into());
    }
    let job = Job {
        kind,
        names,
        vu: &vu.id,
        vars: Value::Object(vars),
        more,
    };
    let mut reply = match processor.call(job).await {
        Ok(reply) => reply,
        Err(message) => {
            vu.run_state
                .request_stop(loadline_vu::StopCause::Failed(loadline_vu::Fault::script(
                    message.clone(),
                )));
            return Err(FlowFailure::new(message));
        }
    };
    if let Some(Value::Object(vars)) = reply.get_mut("vars").map(Value::take) {
        *vu.vars.borrow_mut() = vars;
    }
    let dates = reply.get_mut("dates").map(Value::take).unwrap_or_default();
    *vu.dates.borrow_mut() = serde_json::from_value(dates).unwrap_or_default();
    if let Some(Value::Array(events)) = reply.get_mut("events").map(Value::take) {
        events.iter().for_each(|event| emitted(vu, event));
    }
    let missing = reply.get("missing").and_then(Value::as_array);
    for name in missing.into_iter().flatten().filter_map(Value::as_str) {
        vu.shared.console.print(format!(
            "WARNING: custom function {name} could not be found\n"
        ));
    }
    if let Some(code) = reply.get("exit").and_then(Value::as_i64) {
        vu.shared
            .suggested_exit
            .store(code, std::sync::atomic::Ordering::Relaxed);
    }
    match reply.get("error").and_then(Value::as_str) {
        Some(error) => Err(FlowFailure::new(error)),
        None => Ok(reply),
    }
}

/// Records an event: a counter, a value, a rate.
fn emitted(vu: &Vu, event: &Value) {
    let part = |at: usize| event.get(at);
    let name = || crate::text::to_text(part(1));
    let number = || part(2).and_then(Value::as_f64).unwrap_or(0.0);
    match part(0).and_then(Value::as_str) {
        Some("counter") => vu.outbox.count(name(), number()),
        Some("histogram" | "summary") => vu.outbox.summary(name(), number()),
        Some("rate") => vu.outbox.rate(name()),
        Some("error") => vu.outbox.error(&name()),
        Some("customStat") => {
            let field = |key: &str| part(1).and_then(|stat| stat.get(key));
            let value = field("value").and_then(Value::as_f64).unwrap_or(0.0);
            vu.outbox
                .summary(crate::text::to_text(field("stat")), value);
        }
        _ => {}
    }
}

/// Something told outside of a call: an event, or what to do with the WebSocket.
fn heard(vu: &Vu, told: &Value) {
    if told.get(0).and_then(Value::as_str) != Some("ws") {
        return emitted(vu, told);
    }
    let line = vu.line.borrow().clone();
    if let (Some(line), Some(action)) = (line, told.get(1).and_then(Value::as_str)) {
        line.act(action, told.get(2).unwrap_or(&Value::Null));
    }
}

/// Tells functions that listen on a user's WebSocket what happened there.
pub(crate) fn socket_event(vu: &Vu, event: &str, data: &str, is_binary: bool) {
    let (Some(processor), Some(line)) = (&vu.processor, &*vu.line.borrow()) else {
        return;
    };
    if vu.used_processor.get() {
        let state = line.state();
        processor.notify(&json!({"kind": "socket", "vu": vu.id, "event": event, "data": data, "binary": is_binary, "ws": state}));
    }
}

/// A `function` step of a WebSocket flow: what it hands to its callback does not fail the user.
pub(crate) async fn socket_function(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    name: &str,
) -> StepsResult {
    if !vu.has_function(name) {
        vu.outbox.error(&format!("Undefined function \"{name}\""));
        return Ok(());
    }
    let more = json!({"scenario": {"name": scenario.name}});
    let names = vec![name.to_owned()];
    call(vu, "socketStep", names, more).await.map(drop)
}

/// A `function` step, or one of the functions around a scenario.
pub(crate) async fn function(vu: &Rc<Vu>, scenario: &ScenarioSpec, name: &str) -> StepsResult {
    if !vu.has_function(name) {
        vu.outbox.error(&format!("Undefined function \"{name}\""));
        return Ok(());
    }
    let more = json!({"scenario": {"name": scenario.name}});
    call(vu, "step", vec![name.to_owned()], more)
        .await
        .map(drop)
}

/// Whether a loop with `whileTrue` continues.
pub(crate) async fn goes_on(vu: &Rc<Vu>, name: &str) -> Result<bool, FlowFailure> {
    let reply = call(vu, "whileTrue", vec![name.to_owned()], json!({})).await?;
    Ok(crate::text::is_true(reply.get("value")))
}

/// Whether a condition given by a function holds. A function that throws counts as holding.
pub(crate) async fn holds(vu: &Rc<Vu>, name: &str) -> bool {
    match call(vu, "ifTrue", vec![name.to_owned()], json!({})).await {
        Ok(reply) => reply
            .get("value")
            .is_none_or(|value| crate::text::is_true(Some(value))),
        Err(_) => true,
    }
}

fn rendered(vu: &Vu, names: &[&[TemplateValue]]) -> Vec<String> {
    let vars = vu.vars.borrow();
    let scope = vu.scope(&vars);
    names
        .iter()
        .flat_map(|names| names.iter())
        .map(|name| name.render_text(&scope))
        .collect()
}

/// Calls the functions before a request. Returns the request as they changed it; `None` if there
/// are none.
///
/// # Errors
/// The failure of one of them.
pub(crate) async fn before_request(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    request: &HttpRequest,
) -> Result<Option<HttpRequest>, FlowFailure> {
    let names = rendered(vu, &[&scenario.before_request, &request.before_request]);
    if names.is_empty() {
        return Ok(None);
    }
    if vu.processor.is_none() {
        for name in &names {
            vu.shared.console.print(format!(
                "WARNING: custom function {name} could not be found\n"
            ));
        }
        return Ok(None);
    }
    let mut spec = request.spec.clone();
    if let Value::Object(map) = &mut spec {
        map.insert("url".to_owned(), Value::String(request.url_written.clone()));
        map.insert("method".to_owned(), Value::String(request.method.clone()));
        map.insert("timeout".to_owned(), timeout_of(vu));
        map.insert("uuid".to_owned(), vu.local.random.uuid().into());
        map.entry("https").or_insert_with(|| json!({}));
        // What the plugin for metrics by endpoint leaves there.
        if let Some(endpoint) = &request.endpoint {
            map.insert("defaultName".to_owned(), endpoint.clone().into());
        }
    }
    let mut reply = call(vu, "beforeRequest", names, json!({"req": spec})).await?;
    let Some(Value::Object(mut changed)) = reply.get_mut("req").map(Value::take) else {
        return Ok(None);
    };
    // Artillery reads `uri` first, and a function may set it.
    if let Some(uri) = changed.remove("uri").filter(|uri| uri.is_string()) {
        changed.insert("url".to_owned(), uri);
    }
    // It takes the query that the file has, whatever a function makes of it.
    match request.spec.get("qs") {
        Some(query) => changed.insert("qs".to_owned(), query.clone()),
        None => changed.remove("qs"),
    };
    if let Some(Value::Object(headers)) = changed.get_mut("headers") {
        // A name in another case replaces the earlier one.
        let mut lower = Map::new();
        for (name, value) in std::mem::take(headers) {
            lower.insert(name.to_lowercase(), value);
        }
        *headers = lower;
    }
    let method = match changed.remove("method") {
        Some(Value::String(method)) => method,
        _ => request.method.clone(),
    };
    let test = &vu.shared.test;
    let options = ReadOptions {
        functions: test.functions.clone(),
        strict_compat: test.strict_compat,
    };
    let changed = Value::Object(changed);
    let read = read::request_of(&method, &changed, request, &test.script.config, &options);
    read.map(Some)
        .ok_or_else(|| FlowFailure::new("an URL must be specified"))
}

/// What follows the status: `OK`.
fn reason_of(response: &Response) -> String {
    let line = String::from_utf8_lossy(response.head.status_text());
    let reason = line.split_once(' ').map(|(_, reason)| reason.to_owned());
    reason.unwrap_or_default()
}

/// The time-out in seconds, as functions see it.
pub(crate) fn timeout_of(vu: &Vu) -> Value {
    let timeout = vu.shared.test.script.config.timeout;
    crate::text::json_number(timeout.as_secs_f64())
}

/// Calls the functions after a response.
///
/// # Errors
/// The failure of one of them.
pub(crate) async fn after_response(
    vu: &Rc<Vu>,
    functions: &[TemplateValue],
    asked: &Value,
    url: &str,
    response: &Response,
    body: &str,
) -> StepsResult {
    let names = rendered(vu, &[functions]);
    if names.is_empty() {
        return Ok(());
    }
    if vu.processor.is_none() {
        for name in &names {
            vu.shared.console.print(format!(
                "WARNING: custom function {name} could not be found\n"
            ));
        }
        return Ok(());
    }
    let mut headers = Map::new();
    for (name, value) in response.head.fields().iter() {
        let name = name.to_lowercase();
        let value = String::from_utf8_lossy(value).into_owned();
        match headers.get_mut(&name) {
            _ if name == "set-cookie" => {
                let list = headers.entry(name).or_insert_with(|| json!([]));
                if let Value::Array(items) = list {
                    items.push(Value::String(value));
                }
            }
            Some(Value::String(before)) => before.push_str(&format!(", {value}")),
            _ => {
                headers.insert(name, Value::String(value));
            }
        }
    }
    let phases = response.timing.phase_millis();
    let total = response
        .timing
        .finish()
        .millis_since(response.timing.start());
    let res = json!({
        "statusCode": response.head.status(),
        "statusMessage": reason_of(response),
        "httpVersion": "1.1",
        "url": url,
        "headers": headers,
        "body": body,
        "timings": {"phases": {
            "wait": 0, "dns": 0, "tcp": phases.connecting, "tls": phases.tls_handshaking,
            "request": phases.sending, "firstByte": phases.waiting, "download": phases.receiving, "total": total,
        }},
    });
    call(
        vu,
        "afterResponse",
        names,
        json!({"req": asked, "res": res}),
    )
    .await
    .map(drop)
}

/// The URL, headers and protocols of a WebSocket.
pub(crate) type WsArgs = (String, Vec<(String, String)>, Vec<String>);

/// Calls the function that gives the WebSocket's URL.
///
/// # Errors
/// Its failure.
pub(crate) async fn connect(
    vu: &Rc<Vu>,
    name: &str,
    target: &str,
    headers: &[(String, String)],
    protocols: &[String],
) -> Result<WsArgs, FlowFailure> {
    let map: Map<String, Value> = headers
        .iter()
        .map(|(name, value)| (name.clone(), Value::String(value.clone())))
        .collect();
    let args = json!({"target": target, "subprotocols": protocols, "options": {"headers": map}});
    let reply = call(vu, "connect", vec![name.to_owned()], json!({"req": args})).await?;
    let req = reply.get("req").cloned().unwrap_or_default();
    let texts = |value: &Value| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items.map(|item| crate::text::to_text(Some(item))).collect()
    };
    let headers = req["options"]["headers"].as_object().into_iter().flatten();
    let headers = headers.map(|(name, value)| (name.clone(), crate::text::to_text(Some(value))));
    let target = req["target"].as_str().unwrap_or(target).to_owned();
    Ok((target, headers.collect(), texts(&req["subprotocols"])))
}

/// Calls the functions after an error of a request.
pub(crate) async fn on_error(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    request: &HttpRequest,
    code: &str,
) {
    if scenario.on_error.is_empty() || vu.processor.is_none() {
        return;
    }
    let mut spec = request.spec.clone();
    if let Value::Object(map) = &mut spec {
        map.insert("url".to_owned(), Value::String(request.url_written.clone()));
        map.insert("method".to_owned(), Value::String(request.method.clone()));
    }
    let more = json!({"req": spec, "error": code, "code": code});
    // The user fails with the first error, even if these functions fail, too.
    let _ = call(vu, "onError", scenario.on_error.clone(), more).await;
}
