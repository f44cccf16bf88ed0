//! The story of an experiment in rounds, of tags and runs that a page names.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use loadline_analysis::slo::Term;
use loadline_listen::Refusal;
use loadline_report::document::glossary::PageDocument;
use loadline_report::rounds::document::document;
use loadline_report::rounds::{Round, RoundReport};
use loadline_session::rounds::{RoundError, StoredRound, story_of};
use loadline_store::{Store, StoreError};
use loadline_text::{Catalog, Message, Problem, pages, problem};

use crate::WebSettings;
use crate::api::{self, Shared};
use crate::saved::{SavedReport, attachment};

/// Rounds of one story, at most.
const ROUNDS_MAX: usize = 50;

/// What a page asks for: `round` for each round in its order, `goal` for each term, `title`.
#[derive(Debug, Default)]
struct AskedStory {
    rounds: Vec<String>,
    goal: Vec<Term>,
    title: String,
    lang: Option<String>,
}

impl AskedStory {
    fn read(given: Vec<(String, String)>) -> Result<Self, Refusal> {
        let mut asked = Self::default();
        let lang = given.iter().find(|(name, _)| name == "lang");
        let catalog = api::catalog(lang.map(|(_, lang)| lang.as_str()));
        let refused =
            |code, why: &Message| Refusal::new(StatusCode::BAD_REQUEST, code, catalog.text(why));
        let is_given = |(_, text): &(String, String)| !text.trim().is_empty();
        for (name, text) in given.into_iter().filter(is_given) {
            let text = text.trim().to_owned();
            match name.as_str() {
                "round" => asked.rounds.push(text),
                "goal" => {
                    let term = text.parse::<Term>();
                    asked
                        .goal
                        .push(term.map_err(|error| refused("goal", &error.words()))?);
                }
                "title" => asked.title = text,
                "lang" => asked.lang = Some(text),
                _ => {}
            }
        }
        if asked.rounds.is_empty() || asked.rounds.len() > ROUNDS_MAX {
            return Err(refused("rounds", &pages::rounds_needed(ROUNDS_MAX)));
        }
        Ok(asked)
    }

    fn catalog(&self) -> Catalog {
        api::catalog(self.lang.as_deref())
    }

    /// The story; else the search whose answer cannot be read, and why.
    fn story(
        self,
        store: &Store,
        settings: &WebSettings,
        catalog: &Catalog,
    ) -> Result<Result<RoundReport, Problem>, StoreError> {
        let now_ms = api::now_ms(settings);
        let mut rounds = Vec::new();
        for reference in &self.rounds {
            match StoredRound::read(store, reference, Round::default(), now_ms, catalog) {
                Ok(round) => rounds.push(round),
                Err(RoundError::Store(error)) => return Err(error),
                Err(RoundError::Search { reason }) => {
                    return Ok(Err(problem::capacity_file(reference, reason)));
                }
            }
        }
        let story = RoundReport {
            title: self.title,
            goal: self.goal,
            rounds: Vec::new(),
        };
        Ok(Ok(story_of(story, rounds, catalog)))
    }
}

/// A story that cannot be told, with the reason in the reader's words.
fn untold(why: String) -> Refusal {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "search", why)
}

/// The story as a document.
pub(crate) async fn report(
    State(settings): Shared,
    Query(given): Query<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let asked = AskedStory::read(given)?;
    let text = api::ask(settings, move |store, settings| {
        let catalog = asked.catalog();
        let story = asked.story(store, settings, &catalog)?;
        let page = |story| PageDocument::new(&document(&story, &catalog), &catalog).to_json();
        Ok(story.map(page).map_err(|why| catalog.what(&why)))
    });
    Ok(api::json(text.await?.map_err(untold)?))
}

/// The story to be saved: `html`, `json`, `md` or `xml` (JUnit).
pub(crate) async fn download(
    State(settings): Shared,
    Path(form): Path<String>,
    Query(given): Query<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let asked = AskedStory::read(given)?;
    let (name, saved) = api::ask(settings, move |store, settings| {
        let catalog = asked.catalog();
        let saved = |story: RoundReport| {
            let report = SavedReport {
                document: &document(&story, &catalog),
                name: "rounds",
                numbers: story.to_json(),
                seconds: 0.0,
            };
            (format!("rounds.{form}"), report.in_form(&form, &catalog))
        };
        let story = asked.story(store, settings, &catalog)?;
        Ok(story.map(saved).map_err(|why| catalog.what(&why)))
    })
    .await?
    .map_err(untold)?;
    Ok(attachment(&name, saved))
}
