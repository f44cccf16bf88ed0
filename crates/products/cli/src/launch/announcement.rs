//! Care for others before and after load: confirming it where they share the target, and
//! telling them.

use std::io::BufRead;
use std::time::Duration;

use jiff::Zoned;
use loadline_session::Notifier;
use loadline_testplan::Plan;
use loadline_text::{Catalog, Message, grouped, problem, testbed};
use loadline_units::duration::go_string;

use super::problems::Refusal;
use crate::context::Context;
use crate::project::{Project, SharedTarget};

/// What is typed about others.
#[derive(Debug, Clone, Default)]
pub(crate) struct CareFlags {
    /// Where notices go.
    pub(crate) notify: Option<String>,
    /// Load on shared targets is confirmed.
    pub(crate) yes: bool,
    /// Also outside their hours.
    pub(crate) force: bool,
}

/// Notices of one run.
pub(crate) struct Notices {
    notifier: Notifier,
    test: String,
}

/// Asks where it must be asked, and says that load begins. `texts` are those in which a
/// shared target may be named.
///
/// # Errors
/// The load is not to be.
pub(crate) fn begin(
    context: &mut Context,
    flags: &CareFlags,
    test: &str,
    (plan, texts): (&Plan, &[&str]),
    catalog: &Catalog,
) -> Result<Option<Notices>, Refusal> {
    let project = Project::of(&context.working_dir)
        .map_err(|reason| Refusal::config(problem::project_invalid(reason)))?;
    for target in project.named_in(texts) {
        confirm(context, flags, target, plan, catalog)?;
    }
    let Some(url) = flags.notify.as_deref().or(project.notify.as_deref()) else {
        return Ok(None);
    };
    let notifier = match Notifier::start(url, &context.env) {
        Ok(notifier) => notifier,
        Err(reason) => {
            warn(context, catalog, &reason);
            return Ok(None);
        }
    };
    let host = loadline_session::environment().host;
    let text = testbed::notice_start(
        test,
        host,
        catalog.text(&load(plan)),
        go_string(plan.regular_end()),
        grouped(plan.possible_vus() as f64, 0),
    );
    notifier.post(&catalog.text(&text));
    Ok(Some(Notices {
        notifier,
        test: test.to_owned(),
    }))
}

impl Notices {
    /// Sends the result of the run, and waits until it is sent.
    pub(crate) fn end(self, context: &mut Context, verdict: &str, catalog: &Catalog) {
        let text = testbed::notice_end(&self.test, verdict);
        self.notifier.post(&catalog.text(&text));
        if let Some(reason) = self.notifier.finish() {
            warn(context, catalog, &reason);
        }
    }
}

fn warn(context: &mut Context, catalog: &Catalog, reason: &str) {
    let text = catalog.text(&testbed::notice_failed(reason));
    context.err(&format!("loadline: {text}\n"));
}

/// What a plan is expected to send.
fn load(plan: &Plan) -> Message {
    let arrivals = plan.scenarios.iter().filter_map(|s| s.executor.arrivals());
    let starts: Vec<u64> = arrivals.map(loadline_testplan::Arrivals::total).collect();
    if starts.is_empty() {
        return testbed::notice_load_loop();
    }
    testbed::notice_load_rate(grouped(starts.iter().sum::<u64>() as f64, 0))
}

fn confirm(
    context: &mut Context,
    flags: &CareFlags,
    target: &SharedTarget,
    plan: &Plan,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    let begins = now(context);
    let length = plan.latest_end().min(Duration::from_secs(86_400 * 7));
    let ends = begins
        .checked_add(length)
        .unwrap_or_else(|_| begins.clone());
    let in_hours = target.allows(&begins) && target.allows(&ends);
    if !in_hours && !flags.force {
        let problem = problem::shared_hours(&target.host, target.when());
        return Err(Refusal::config(problem));
    }
    let note = if target.note.is_empty() {
        String::new()
    } else {
        format!("({})", target.note)
    };
    if flags.yes
        || (context.is_interactive() && is_confirmed(context, target, &note, plan, catalog))
    {
        return Ok(());
    }
    Err(Refusal::config(problem::shared_target(&target.host, note)))
}

fn is_confirmed(
    context: &mut Context,
    target: &SharedTarget,
    note: &str,
    plan: &Plan,
    catalog: &Catalog,
) -> bool {
    let length = go_string(plan.regular_end());
    let ask = testbed::shared_ask(&target.host, note, catalog.text(&load(plan)), length);
    context.err(&format!("{} ", catalog.text(&ask)));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    let answer = answer.trim().to_lowercase();
    read.is_ok() && ["y", "yes", "예", "네"].contains(&answer.as_str())
}

/// The time of day here.
fn now(context: &Context) -> Zoned {
    let now = crate::stored::now_ms(context);
    let now = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    now.to_zoned(jiff::tz::TimeZone::system())
}
