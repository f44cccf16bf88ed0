//! `tune`: settings of a target, tried until the goal is met.
//!
//! The study file says what may be changed and how (`knobs::study`); `experiment` decides which
//! setting comes next; here the setting is set, the test is run as `loadline run` would run it,
//! and the result is kept in the journal before it counts.

mod answers;
mod control;
mod init;
mod interrupts;
mod limit;
mod load;
mod page;
mod plan;
mod reached;
pub(super) mod reported;
mod study;
mod study_report;
mod told_limits;
mod trial;
mod trial_entry;
mod trial_values;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use loadline_knobs::apply::RestoredPart;
use loadline_knobs::journal::{self, JournalError, StudyJournal};
use loadline_knobs::lock::{LockError, LockSubject, StudyLock};
use loadline_knobs::study::{
    self as studies, KnobMethod, ReadMethod, ReadyCondition, StudyFile, StudyMistake,
};
use loadline_text::Location;
use loadline_text::{Catalog, Exit, Lang, Problem, problem, tune};

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::live::LiveMode;
use crate::refusal::Refusal;
use reached::ReachedPeers;
use study::{BegunStudy, StudyRun};

/// Try settings of a target honestly until the goal is met, nothing can be told apart, or the
/// budget is spent
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline tune --init study.yaml        # a study file to begin with
  loadline tune --init study.yaml --from :8080   # of what listens there: heap, pools, threads
  loadline tune study.yaml --dry-run     # what would be tried, and how long that takes
  loadline tune study.yaml               # run it; after Ctrl-C or a crash the same command goes on
  loadline tune study.yaml --json > answer.json
  loadline tune study.yaml --restore     # put the target's settings back and end the study

What was done is in study.yaml.journal. Each trial is a stored run: loadline runs --table. The study's page
is in loadline serve; loadline report study.yaml writes it as a file.

At a terminal a study has the whole screen, or lines with --live lines: q stop, Q end at once, l Korean
or English, ? help.
")]
pub(crate) struct TuneArgs {
    /// The study file (docs/schemas/study.schema.json)
    #[arg(value_name = "STUDY.yaml")]
    file: String,
    /// Write a study file to begin with
    #[arg(long, conflicts_with_all = ["dry_run", "restore", "json"])]
    init: bool,
    /// Write it for a target that runs: its process (PID), the port it listens on (:8080), or a URL
    #[arg(long, value_name = "TARGET", requires = "init")]
    from: Option<String>,
    /// Say what would be tried, and change nothing
    #[arg(long, conflicts_with = "restore")]
    dry_run: bool,
    /// Put back what an unfinished study changed, and end it
    #[arg(long)]
    restore: bool,
    /// The answer as JSON (docs/schemas/tuning.schema.json)
    #[arg(long)]
    json: bool,
    /// Seed of the order of trials [default: another each time]
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// At a terminal, show the study on the whole screen, or in lines
    #[arg(long, value_parser = live, value_name = "screen|lines", default_value = "screen", hide_default_value = true)]
    live: LiveMode,
    /// Print the answer only
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    store: StoreArgs,
}

fn live(text: &str) -> Result<LiveMode, String> {
    LiveMode::parse(text).ok_or_else(|| "no view".to_owned())
}

/// A study file that was read, and where it stands.
struct StudySource {
    path: PathBuf,
    text: String,
    study: StudyFile,
}

impl TuneArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.tune(context);
        ended(context, self.store.lang, result)
    }

    fn tune(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.store.lang);
        let path = context.working_dir.join(&self.file);
        if self.init {
            return init::write(context, &path, &self.file, self.from.as_deref(), &catalog);
        }
        let Some(source) = self.read(context, &path, &catalog)? else {
            return Ok(Exit::InvalidConfig);
        };
        if !self.restore {
            let absent = source.study.absent(context.env.get("PATH").map(OsStr::new));
            if !absent.is_empty() {
                self.print_mistakes(context, &absent, &catalog);
                return Ok(Exit::InvalidConfig);
            }
        }
        if self.dry_run {
            study::check_test(context, &source.study, self, &catalog)?;
            let text = plan::text(&source.study, None, &catalog);
            context.out(&text);
            return Ok(Exit::Success);
        }
        let lock = lock(&source)?;
        let mut journal = open_journal(&source.path)?;
        if self.restore {
            return control::restore(context, source.study, journal, &catalog);
        }
        let seed = self
            .seed
            .unwrap_or_else(crate::launch::launch_flags::drawn_word);
        // A study that was refused before its first trial begins anew, with a file that was mended.
        let has_begun = !journal.state().trials.is_empty() || journal.state().is_changed();
        let goes_on = self.seed.is_none() && reported::has_more_to_try(&source, &journal);
        let resumes = (!journal.is_over() && has_begun) || goes_on;
        if resumes && journal.state().hash != journal::hash(&source.text) {
            let journal = journal.path().display().to_string();
            return Err(Refusal::config(problem::study_changed(journal)));
        }
        if !resumes {
            study::begin(context, &source, &mut journal, u64::from(seed))?;
        }
        let begun = BegunStudy {
            file: source.study,
            journal,
            peers: ReachedPeers::new(lock),
        };
        let study = StudyRun::new(context, begun, self, &catalog)?;
        let ended = study.run_to_end(context);
        // What was said meanwhile, also a refusal's own words, comes after the screen.
        context.leave_screen(&catalog);
        ended
    }

    /// Reads the study file; tells all its mistakes.
    fn read(
        &self,
        context: &mut Context,
        path: &Path,
        catalog: &Catalog,
    ) -> Result<Option<StudySource>, Refusal> {
        let text =
            std::fs::read_to_string(path).map_err(|error| Refusal::unread(&self.file, &error))?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        match studies::read(&text, &stem, folder) {
            Ok(study) => Ok(Some(StudySource {
                path: path.to_owned(),
                text,
                study,
            })),
            Err(mistakes) => {
                self.print_mistakes(context, &mistakes, catalog);
                Ok(None)
            }
        }
    }

    fn print_mistakes(&self, context: &mut Context, mistakes: &[StudyMistake], catalog: &Catalog) {
        let problems = mistakes.iter().map(|mistake| {
            let place = Location::file(&self.file).line(mistake.line, mistake.column);
            problem::study_mistake(catalog.text(&mistake.what)).at(place)
        });
        let problems: Vec<Problem> = problems.collect();
        context.err(&catalog.mistakes(&problems));
    }
}

fn open_journal(study: &Path) -> Result<StudyJournal, Refusal> {
    let path = journal::path_of(study);
    StudyJournal::open(&path).map_err(|error| journal_refusal(&path, &error))
}

fn journal_refusal(path: &Path, error: &JournalError) -> Refusal {
    let path = path.display();
    match error {
        JournalError::Foreign { owner, mode } => {
            let mode = format!("{mode:o}");
            Refusal::config(problem::study_journal_foreign(path, owner, mode))
        }
        JournalError::IsLink => Refusal::config(problem::study_journal_link(path)),
        JournalError::Line { .. } => Refusal::config(problem::study_journal_damaged(path, error)),
        JournalError::Io(_) => Refusal::other(problem::study_journal(path, error)),
    }
}

/// Locks the study file, and all that it works on.
fn lock(source: &StudySource) -> Result<StudyLock, Refusal> {
    StudyLock::take(&lock_subjects(source)).map_err(lock_refusal)
}

fn lock_refusal(error: LockError) -> Refusal {
    match error {
        LockError::Held { subject, holder } => {
            Refusal::config(problem::study_locked(subject, holder))
        }
        LockError::Io(error) => Refusal::other(problem::start_failed("loadline tune", error)),
    }
}

/// The study's file, the files and hosts that it names, and what its commands act on.
fn lock_subjects(source: &StudySource) -> Vec<LockSubject> {
    let study = &source.study;
    let mut urls: Vec<&str> = study.test.iter().map(String::as_str).collect();
    let mut commands: Vec<&[String]> = Vec::new();
    let mut subjects = vec![LockSubject::from_file(&source.path)];
    match &study.target.ready {
        Some(ReadyCondition::Url(url)) => urls.push(url),
        Some(ReadyCondition::Command(_)) | None => {}
    }
    let hooks = [&study.target.start, &study.target.restart];
    commands.extend(hooks.into_iter().flatten().map(Vec::as_slice));
    for knob in &study.knobs {
        match &knob.method {
            KnobMethod::Http { url, .. } => urls.push(url),
            KnobMethod::Command(words) => commands.push(words),
            KnobMethod::Property { file, .. } | KnobMethod::Template { file, .. } => {
                subjects.push(LockSubject::from_file(&study.folder.join(file)));
            }
            KnobMethod::Env(_) | KnobMethod::Argument(_) | KnobMethod::Manual(_) => {}
        }
        if let Some(ReadMethod::Json { url, .. } | ReadMethod::Metric { url, .. }) = &knob.read {
            urls.push(url);
        }
    }
    let hosts = super::capacity::hosts::named(&urls.join("\n"), &[]);
    subjects.extend(hosts.iter().map(|host| LockSubject::from_host(host)));
    let commands = commands.into_iter();
    subjects.extend(commands.filter_map(|words| LockSubject::from_command(&study.folder, words)));
    subjects
}

/// Says something to who watches, on standard error.
fn print(context: &mut Context, is_quiet: bool, text: &str) {
    if !is_quiet {
        context.err(&format!("loadline: {text}\n"));
    }
}

/// What was put back.
fn restored_text(done: &[RestoredPart], catalog: &Catalog) -> String {
    catalog.text(&if done.is_empty() {
        tune::restored_nothing()
    } else {
        let done: Vec<String> = done.iter().map(|part| part.text(catalog)).collect();
        tune::restored(done.join(", "))
    })
}

/// The language of a study's own sentences.
fn lang_arguments(lang: Option<Lang>) -> Vec<String> {
    let tag = match lang {
        Some(Lang::Ko) => "ko",
        Some(Lang::En) => "en",
        None => return Vec::new(),
    };
    vec!["--lang".to_owned(), tag.to_owned()]
}
