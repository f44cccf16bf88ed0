//! All that is served, with the role that each route needs. The router is made of this table and of
//! nothing else, so there is no route without an entry.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};

use crate::WebSettings;
use crate::access::tokens::AccessRole::{Own, Read, Run};
use crate::access::{Access, RouteNeeds};
use crate::{access, compare, control, live, pages, plan, rounds, runs, start, studies, texts};

/// One method of one path.
pub(crate) struct PageRoute {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    handler: MethodRouter<Arc<WebSettings>>,
}

impl PageRoute {
    fn new<H, T>(method: Method, path: &'static str, access: Access, handler: H) -> Self
    where
        H: Handler<T, Arc<WebSettings>>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method of HTTP/1.1");
        Self {
            method,
            path,
            access,
            handler: on(filter, handler),
        }
    }
}

/// The table.
pub(crate) fn table() -> Vec<PageRoute> {
    [assets(), page_addresses(), reading(), changes()]
        .into_iter()
        .flatten()
        .collect()
}

/// What the routes of the table need.
pub(crate) fn needs(table: &[PageRoute]) -> RouteNeeds {
    let of = |route: &PageRoute| ((route.method.clone(), route.path), route.access);
    table.iter().map(of).collect()
}

/// The router of the table.
pub(crate) fn router(table: Vec<PageRoute>) -> Router<Arc<WebSettings>> {
    let add = |router: Router<_>, route: PageRoute| router.route(route.path, route.handler);
    table.into_iter().fold(Router::new(), add)
}

/// Script, style and picture: the same for everybody, without data.
fn assets() -> Vec<PageRoute> {
    let paths = pages::FILES.iter().map(|file| file.path);
    paths
        .map(|path| PageRoute::new(Method::GET, path, Access::Open, pages::asset))
        .collect()
}

/// Addresses that a person sees. The page reads its own address.
fn page_addresses() -> Vec<PageRoute> {
    let paths = [
        "/",
        "/runs/{run}",
        "/studies",
        "/studies/{study}",
        "/compare",
        "/rounds",
        "/plan",
        "/new",
    ];
    paths
        .map(|path| PageRoute::new(Method::GET, path, Access::Needs(Read), pages::page))
        .into()
}

fn reading() -> Vec<PageRoute> {
    let get = Method::GET;
    let needs = Access::Needs;
    vec![
        PageRoute::new(get.clone(), "/api/texts", needs(Read), texts::all),
        PageRoute::new(
            get.clone(),
            "/api/glossary",
            needs(Read),
            texts::field_words,
        ),
        PageRoute::new(get.clone(), "/api/session", needs(Read), access::session),
        PageRoute::new(get.clone(), "/api/runs", needs(Read), runs::list),
        PageRoute::new(get.clone(), "/api/runs/{run}", needs(Read), runs::report),
        PageRoute::new(
            get.clone(),
            "/api/runs/{run}/live",
            needs(Read),
            live::stream,
        ),
        PageRoute::new(
            get.clone(),
            "/api/runs/{run}/report.{form}",
            needs(Read),
            runs::download,
        ),
        PageRoute::new(get.clone(), "/api/studies", needs(Read), studies::list),
        PageRoute::new(
            get.clone(),
            "/api/studies/{study}",
            needs(Read),
            studies::report,
        ),
        PageRoute::new(
            get.clone(),
            "/api/studies/{study}/live",
            needs(Read),
            studies::live,
        ),
        PageRoute::new(
            get.clone(),
            "/api/studies/{study}/report.{form}",
            needs(Read),
            studies::download,
        ),
        PageRoute::new(get.clone(), "/api/compare", needs(Read), compare::report),
        PageRoute::new(
            get.clone(),
            "/api/compare/report.{form}",
            needs(Read),
            compare::download,
        ),
        PageRoute::new(get.clone(), "/api/rounds", needs(Read), rounds::report),
        PageRoute::new(
            get.clone(),
            "/api/rounds/report.{form}",
            needs(Read),
            rounds::download,
        ),
        PageRoute::new(get.clone(), "/api/plan", needs(Read), plan::report),
        PageRoute::new(get.clone(), "/api/tests", needs(Read), start::scheduled),
        // What a test prints may hold a link of its own.
        PageRoute::new(get, "/api/tests/{test}", needs(Run), start::progress),
    ]
}

fn changes() -> Vec<PageRoute> {
    let (post, delete) = (Method::POST, Method::DELETE);
    let needs = Access::Needs;
    vec![
        PageRoute::new(post.clone(), "/api/tests", needs(Run), start::start),
        PageRoute::new(post.clone(), "/api/preview", needs(Run), start::preview),
        PageRoute::new(
            delete.clone(),
            "/api/tests/{test}",
            needs(Run),
            start::cancel,
        ),
        PageRoute::new(
            post.clone(),
            "/api/runs/{run}/control",
            needs(Run),
            control::steer,
        ),
        PageRoute::new(post.clone(), "/api/runs/{run}/note", needs(Run), runs::note),
        PageRoute::new(post, "/api/runs/{run}/tags", needs(Run), runs::tags),
        PageRoute::new(delete.clone(), "/api/runs/{run}", needs(Own), runs::remove),
        PageRoute::new(delete, "/api/studies/{study}", needs(Own), studies::remove),
    ]
}
