//! What the plugins `publish-metrics` and `slack` of a file send.

use loadline_artillery::ensure::judge;
use loadline_artillery::random;
use loadline_report::artillery::slack::{SlackCheck, message};
use loadline_session::artillery::Periods;
use loadline_session::{Notifier, NotifyUrl, published};
use loadline_text::{Catalog, messages};

use super::after_test::AfterTest;
use super::conclude::FinishedRun;
use super::progress::Progress;
use crate::context::Context;

/// Starts publishing, if the file asks for it.
pub(super) fn begin(
    context: &mut Context,
    progress: &mut Progress,
    after: &AfterTest,
    periods: &Periods,
    catalog: &Catalog,
) {
    let id = random::from_system().uuid();
    match published::publisher(&after.publish, &context.env, &id, periods.now()) {
        Ok(publisher) => progress.publish(publisher),
        Err(reason) => warn(context, &reason, catalog),
    }
}

/// Shows the end, waits for the last period to be published, and says what was not.
pub(super) fn end(
    context: &mut Context,
    progress: &mut Progress,
    periods: &Periods,
    catalog: &Catalog,
) {
    progress.end(periods);
    for reason in progress.published() {
        warn(context, &reason, catalog);
    }
}

/// Notifies Slack of the end.
pub(super) fn notify_slack(
    context: &mut Context,
    run: &FinishedRun<'_>,
    code: u8,
    name: &str,
    catalog: &Catalog,
) {
    let Some(slack) = &run.after.slack else {
        return;
    };
    if slack.on_failure_only && code == 0 {
        return;
    }
    let is_disabled = context.env.contains_key("ARTILLERY_DISABLE_ENSURE");
    let ensure = run.after.ensure.as_ref().filter(|_| !is_disabled);
    let judged = ensure.map(|ensure| judge(ensure, &run.report.aggregate, &random::from_system()));
    let checks: Option<Vec<SlackCheck<'_>>> = judged.as_ref().map(|judged| {
        let check = judged.iter().map(|judged| SlackCheck {
            text: &judged.check.shown,
            holds: judged.holds,
            optional: !judged.check.strict,
        });
        check.collect()
    });
    let text = message(&run.report.aggregate, checks.as_deref(), code, name);
    let started = NotifyUrl::parse(&slack.webhook)
        .ok_or_else(|| "the URL is malformed".to_owned())
        .and_then(|url| Notifier::start(url, &context.env));
    let failed = match started {
        Ok(notifier) => {
            notifier.post_json(text);
            notifier.finish()
        }
        Err(reason) => Some(reason),
    };
    if let Some(reason) = failed {
        let text = catalog.text(&messages::slack_failed(reason));
        context.err(&format!("loadline: {text}\n"));
    }
}

fn warn(context: &mut Context, reason: &str, catalog: &Catalog) {
    let text = catalog.text(&messages::publish_failed(reason));
    context.err(&format!("loadline: {text}\n"));
}
