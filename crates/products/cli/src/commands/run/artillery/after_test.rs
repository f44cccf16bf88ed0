//! What is needed of an Artillery test after it is gone.

use std::path::PathBuf;

use loadline_artillery::load;
use loadline_artillery::model::{Ensure, PublishTarget, SlackTarget};

/// What is needed of a test after it is gone.
pub(super) struct AfterTest {
    pub(super) ensure: Option<Ensure>,
    /// Where its results are published, and who is notified of its end.
    pub(super) publish: Vec<PublishTarget>,
    pub(super) slack: Option<SlackTarget>,
    pub(super) apdex: bool,
    pub(super) output: Option<PathBuf>,
    /// Where its files of rows are.
    pub(super) folder: PathBuf,
}

impl AfterTest {
    pub(super) fn new(test: &load::LoadedTest, output: Option<PathBuf>) -> Self {
        let config = &test.script.config;
        Self {
            ensure: config.ensure.clone(),
            publish: config.publish.clone(),
            slack: config.slack.clone(),
            apdex: config.apdex.is_some(),
            output,
            folder: test.folder.clone(),
        }
    }
}
