//! `gate import`: sets a queue's rate and cap from a measured capacity.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use loadline_gate::capacity;
use loadline_text::{
    Catalog, Dialect, Exit, Lang, Message, gate as words, grouped, problem, significant,
};
use loadline_units::parse_duration;
use serde_json::{Value, json};

use crate::context::Context;
use crate::refusal::Refusal;
use crate::typed_shares::share;

/// How long the gate may take to answer.
const GATE_TIMEOUT: Duration = Duration::from_secs(10);
/// A rate below this share of the imported one is told.
const RATE_SHARE_MIN: f64 = 0.9;

/// Set a queue's rate and cap from what `capacity --export` wrote
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline gate import capacity.json --queue q_0123456789abcdef --key-file admin.key
  loadline gate import capacity.json --queue q_0123456789abcdef --safety 0.7 --session 3m --requests-per-session 12

The rate is the line x safety / requests of a visit, the cap as many people as are inside at
that rate: rate x length of a visit. A test whose iterations have think time tells both.
")]
pub(super) struct ImportArgs {
    /// The file
    #[arg(value_name = "FILE")]
    file: String,
    /// The queue's id
    #[arg(long, value_name = "Q")]
    queue: String,
    /// The gate's admin address
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8091")]
    admin: String,
    /// A key with the scope admin; other users of the machine see what is typed [default: $LOADLINE_GATE_KEY]
    #[arg(long, value_name = "KEY", conflicts_with = "key_file")]
    key: Option<String>,
    /// File with such a key
    #[arg(long, value_name = "FILE")]
    key_file: Option<String>,
    /// The share of the line that is used
    #[arg(long, value_name = "SHARE", default_value = "0.8", value_parser = share)]
    safety: f64,
    /// Requests that one visitor makes inside [default: those of the test's iteration, if it thinks]
    #[arg(long, value_name = "N")]
    requests_per_session: Option<f64>,
    /// How long one visitor stays inside [default: as long as the test's iteration, if it thinks]
    #[arg(long, value_name = "TIME", value_parser = session)]
    session: Option<Duration>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

fn session(text: &str) -> Result<Duration, String> {
    let time = parse_duration(text).map_err(|error| error.to_string())?;
    (!time.is_zero())
        .then_some(time)
        .ok_or_else(|| "zero".to_owned())
}

impl ImportArgs {
    pub(super) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.import(context, &catalog) {
            Ok(said) => {
                context.out(&format!("{said}\n"));
                Exit::Success
            }
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn import(&self, context: &Context, catalog: &Catalog) -> Result<String, Refusal> {
        let text = context
            .read_text(&self.file)
            .map_err(|error| Refusal::unread(&self.file, &error))?;
        // Read here too, so that a mistake is told with the file's name.
        let file = capacity::parse(&text).map_err(|error| self.refusal(&error))?;
        let how = capacity::ImportSettings {
            safety: self.safety,
            requests_per_session: self.requests_per_session,
            session_s: self.session.map(|session| session.as_secs_f64()),
        };
        let session_s = match capacity::import(&file, how) {
            Ok(import) => import.session_s,
            Err(error) => return Err(self.refusal(&error)),
        };
        let mut body: Value = serde_json::from_str(&text)
            .map_err(|error| self.refusal(&capacity::CapacityError::Form(error)))?;
        body["safety"] = json!(self.safety);
        if let Some(requests) = self.requests_per_session {
            body["visitor_requests"] = json!(requests);
        }
        body["session_s"] = json!(session_s);
        let rules = self.put(context, &body)?;
        let said = self.result_text(&rules, session_s, catalog);
        let doubt = doubt(&body).map(|message| catalog.text(&message));
        Ok(std::iter::once(said)
            .chain(doubt)
            .collect::<Vec<_>>()
            .join("\n"))
    }

    /// Why the file's figure is no rate of admission.
    fn refusal(&self, error: &capacity::CapacityError) -> Refusal {
        use capacity::CapacityError as E;
        let file = &self.file;
        Refusal::config(match error {
            E::Form(error) => problem::capacity_form(file, error),
            E::Number { name, value, .. } => problem::capacity_number(file, name, value),
            E::NoLine => problem::capacity_no_line(file),
            E::FailedChecks { failed, all } => {
                problem::capacity_failed_checks(file, grouped(*failed, 0), grouped(*all, 0))
            }
            E::BrokenIterations { broken, all } => {
                problem::capacity_broken(file, grouped(*broken, 0), grouped(*all, 0))
            }
            E::NoSession => problem::no_session(file),
            E::Version(version) => problem::capacity_version(file, version),
        })
    }

    /// What the queue's rules are since, and whether its time-outs let that many in.
    fn result_text(&self, rules: &Value, session_s: f64, catalog: &Catalog) -> String {
        let (rate, cap) = (
            rules["rate_per_s"].as_f64().unwrap_or_default(),
            rules["cap"].as_f64().unwrap_or_default(),
        );
        let mut said = catalog.text(&words::imported(
            &self.queue,
            significant(rate),
            grouped(cap, 0),
            significant(session_s),
            rules["capacity"]["run"].as_str().unwrap_or("-"),
            self.safety,
        ));
        let idle_s = rules["idle_s"].as_f64().unwrap_or_default();
        let without_leaving = cap / (session_s + idle_s);
        if without_leaving < RATE_SHARE_MIN * rate {
            let slower = significant(without_leaving);
            let note = words::import_idle(grouped(idle_s, 0), slower, significant(rate));
            said = format!("{said}\n{}", catalog.text(&note));
        }
        said
    }

    /// The key: typed, in the file, or in the variable.
    fn given_key(&self, context: &Context) -> Result<Option<String>, Refusal> {
        let Some(file) = &self.key_file else {
            let kept = || context.env.get("LOADLINE_GATE_KEY").cloned();
            return Ok(self.key.clone().or_else(kept));
        };
        let text = context
            .read_text(file)
            .map_err(|error| Refusal::unread(file, &error))?;
        Ok(Some(text.trim().to_owned()))
    }

    /// Sends the figure; gives the queue's rules since.
    fn put(&self, context: &Context, body: &Value) -> Result<Value, Refusal> {
        let failed = |why: String| Refusal::other(problem::start_failed("gate import", why));
        let key = self.given_key(context)?;
        let key =
            key.ok_or_else(|| Refusal::config(problem::option_without_value("--key-file")))?;
        let address: SocketAddr = loadline_listen::parse_address(&self.admin)
            .map_err(|error| Refusal::config(problem::start_failed("gate import", error)))?;
        let path = format!("/v1/queues/{}/capacity", self.queue);
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_graphic());
        if !plain(&key) || !plain(&path) {
            return Err(Refusal::config(problem::option_invalid(
                "--key, --key-file, --queue",
                "",
                "ASCII",
            )));
        }
        let answer = ask(address, &path, &key, &body.to_string())
            .map_err(|error| Refusal::other(problem::gate_unreachable(address, error)))?;
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .unwrap_or((answer.as_str(), ""));
        let json: Value = serde_json::from_str(body).unwrap_or(Value::Null);
        match head.split(' ').nth(1) {
            Some("200") => return Ok(json),
            Some("401" | "403") => return Err(Refusal::config(problem::gate_key_refused())),
            Some("404") => return Err(Refusal::config(problem::gate_no_queue(&self.queue))),
            _ => {}
        }
        let said = json["error"]["message"].as_str();
        let line = head.lines().next().unwrap_or("no answer");
        Err(failed(said.map_or_else(|| line.to_owned(), str::to_owned)))
    }
}

/// Why the file's figure is not the target's limit, where it is not.
fn doubt(file: &Value) -> Option<Message> {
    if file["test"]["kind"] == "table" {
        return Some(words::import_table());
    }
    match file["end"].as_str()? {
        "interrupted" | "out-of-time" => Some(words::import_stopped()),
        end if end.starts_with("at-least") => Some(words::import_bound()),
        _ => None,
    }
}

/// One PUT over a connection of its own; gives the whole answer.
fn ask(address: SocketAddr, path: &str, key: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, GATE_TIMEOUT)?;
    stream.set_read_timeout(Some(GATE_TIMEOUT))?;
    let head = format!(
        "PUT {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_tables_and_stopped_searches_are_told_and_a_line_that_was_found_is_not() {
        let key = |kind: &str, end: &str| doubt(&json!({ "test": { "kind": kind }, "end": end }));
        assert_eq!(key("url", "found"), None);
        assert_eq!(key("url", "at-least-goal"), Some(words::import_bound()));
        assert_eq!(key("k6", "interrupted"), Some(words::import_stopped()));
        assert_eq!(key("k6", "out-of-time"), Some(words::import_stopped()));
        assert_eq!(key("table", "found"), Some(words::import_table()));
        assert_eq!(doubt(&json!({})), None);
    }
}
