//! Before load: shared targets are confirmed and others are told that it begins. After it they
//! are told how it ended.

use loadline_session::{Notifier, NotifyUrl};
use loadline_testplan::Plan;
use loadline_text::{Catalog, grouped, problem, testbed};
use loadline_units::duration::go_string;

use super::expected_load::{expected_load, has_user_per_start};
use super::shared_targets::{self, SharedTargetFlags};
use crate::context::Context;
use crate::found_project;
use crate::refusal::Refusal;

/// Where the URL of notices stands in a project's file.
const NOTIFY_IN_FILE: &str = "loadline.yaml: notify";

/// What is typed about others.
#[derive(Debug, Clone, Default)]
pub(crate) struct AnnounceFlags {
    /// Where notices go.
    pub(crate) notify: Option<String>,
    /// Load on targets that others use.
    pub(crate) shared: SharedTargetFlags,
}

/// A test as others see it before load.
pub(crate) struct AnnouncedTest<'a> {
    pub(crate) name: &'a str,
    pub(crate) plan: &'a Plan,
    /// Those in which a shared target may be named.
    pub(crate) texts: &'a [&'a str],
}

/// Notices of one run.
pub(crate) struct Notices {
    notifier: Notifier,
    test: String,
}

/// Asks where it must be asked, and notifies others that load begins.
///
/// # Errors
/// The load is not to be.
pub(crate) fn begin(
    context: &mut Context,
    flags: &AnnounceFlags,
    test: &AnnouncedTest<'_>,
    catalog: &Catalog,
) -> Result<Option<Notices>, Refusal> {
    let project = found_project::load(context, catalog)?;
    for target in project.named_in(test.texts) {
        shared_targets::confirm(context, flags.shared, target, test.plan, catalog)?;
    }
    let typed = flags.notify.as_deref().map(|url| (url, "--notify"));
    let found = project.notify.as_deref().map(|url| (url, NOTIFY_IN_FILE));
    let Some((url, place)) = typed.or(found) else {
        return Ok(None);
    };
    let url =
        NotifyUrl::parse(url).ok_or_else(|| Refusal::config(problem::notify_url_invalid(place)))?;
    let notifier = match Notifier::start(url, &context.env) {
        Ok(notifier) => notifier,
        Err(reason) => {
            warn(context, catalog, &reason);
            return Ok(None);
        }
    };
    let host = loadline_session::environment().host;
    let load = catalog.text(&expected_load(test.plan));
    let length = catalog.length(&go_string(test.plan.regular_end()));
    let text = if has_user_per_start(test.plan) {
        testbed::notice_start_each(test.name, host, load, length)
    } else {
        let users = grouped(test.plan.possible_vus() as f64, 0);
        testbed::notice_start(test.name, host, load, length, users)
    };
    notifier.post(&catalog.text(&text));
    Ok(Some(Notices {
        notifier,
        test: test.name.to_owned(),
    }))
}

impl Notices {
    /// Sends the result of the run, and waits until it is sent.
    pub(crate) fn end(self, context: &mut Context, verdict: &str, catalog: &Catalog) {
        self.end_limited(context, verdict, None, catalog);
    }

    /// The same with what limited the run, where that is known.
    pub(crate) fn end_limited(
        self,
        context: &mut Context,
        verdict: &str,
        limit: Option<&str>,
        catalog: &Catalog,
    ) {
        let text = match limit {
            Some(limit) => testbed::notice_end_limited(&self.test, verdict, limit),
            None => testbed::notice_end(&self.test, verdict),
        };
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
