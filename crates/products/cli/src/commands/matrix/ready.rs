//! The rows of a matrix made ready once: what they are tested with, and what names the command.

use std::path::PathBuf;

use loadline_testplan::Plan;
use loadline_text::problem;
use sha2::{Digest as _, Sha256};

use super::args::MatrixLine;
use super::rows::RowSources;
use crate::commands::capacity::hosts;
use crate::context::Context;
use crate::launch::announcement::AnnounceFlags;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::refusal::Refusal;
use crate::stored::store_path;

/// How many bytes of a command's digest name its journal.
const HASH_BYTES: usize = 8;
/// Flags that change nothing of what is tested.
const NOT_OF_TEST: [&str; 4] = ["--lang", "--live", "--store", "--notify"];

/// What is known of all rows before the first request.
pub(super) struct ReadyRows {
    pub(super) announce: AnnounceFlags,
    /// Texts in which hosts are named, and variables.
    pub(super) texts: Vec<String>,
    pub(super) hosts: Vec<String>,
    /// Where runs are kept, where they are.
    pub(super) store: Option<PathBuf>,
    /// The digests of the rows' tests.
    pub(super) hashes: Vec<String>,
    pub(super) is_quiet: bool,
    pub(super) plan: Plan,
}

/// Makes each row ready once, so that mistakes are told before the first request.
pub(super) fn ready(
    context: &mut Context,
    sources: &RowSources,
    known: &KnownFlags,
) -> Result<ReadyRows, Refusal> {
    let mut all: Option<ReadyRows> = None;
    for source in &sources.rows {
        let test = source.prepare(context, known)?;
        let found = hosts::named(&test.text, &test.variables);
        let keeps = test.options.keep.is_some();
        let store = store_path(context, test.recording.store.as_deref()).filter(|_| keeps);
        let rows = all.get_or_insert_with(|| ReadyRows {
            announce: test.announce.clone(),
            texts: Vec::new(),
            hosts: Vec::new(),
            store,
            hashes: Vec::new(),
            is_quiet: test.quiet,
            plan: test.test.plan.clone(),
        });
        rows.hashes.push(test.facts.hash);
        rows.texts.push(test.text);
        let values = test.variables.into_iter().map(|(_, value)| value);
        rows.texts.extend(values);
        for host in found {
            if !rows.hosts.contains(&host) {
                rows.hosts.push(host);
            }
        }
    }
    all.ok_or_else(|| Refusal::config(problem::argument_missing("TEST")))
}

/// What names a command's journal: all that its results depend on.
pub(super) fn digest(
    line: &MatrixLine,
    sources: &RowSources,
    hashes: &[String],
    objective: &[String],
) -> String {
    let own = &line.own;
    let mut digest = Sha256::new();
    let mut add = |text: &str| {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    };
    let mut is_left_out = false;
    for flag in &line.rest.flags {
        let is_value = std::mem::take(&mut is_left_out);
        if is_value
            || NOT_OF_TEST
                .iter()
                .any(|name| flag.starts_with(&format!("{name}=")))
        {
            continue;
        }
        if NOT_OF_TEST.contains(&flag.as_str()) {
            is_left_out = true;
            continue;
        }
        add(flag);
    }
    for word in &line.rest.words {
        add(word);
    }
    for (row, hash) in sources.rows.iter().zip(hashes) {
        add(&format!(
            "{} {:?} {hash} {:?}",
            row.name, row.kind, row.planned
        ));
    }
    for term in objective {
        add(term);
    }
    let (budget, rate, users) = (own.budget.or(own.row_budget), own.max_rate, own.max_vus);
    let typed = format!("{} {budget:?} {rate:?} {users:?}", own.quick);
    add(&typed);
    add(&format!("{:?} {:?}", own.arrivals, own.arrivals_seed));
    add(&format!("{:?}", own.warmup));
    let digest = digest.finalize();
    let shown = digest.iter().take(HASH_BYTES);
    shown.map(|byte| format!("{byte:02x}")).collect()
}
