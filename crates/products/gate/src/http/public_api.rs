//! What is done around each call of the public listener: pages of other origins, the limit of its
//! body, its deadline, the count of refusals.
//!
//! Plain code around the router instead of layers in it: each layer cost every call several
//! allocations.

use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::HeaderValue;
use axum::http::StatusCode;
use axum::http::header::CONNECTION;
use axum::response::{IntoResponse, Response};
use axum::{BoxError, Router};
use bytes::Bytes;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::answer::ApiError;
use super::{
    BODY_BYTES_MAX, REQUEST_TIMEOUT, SMALL_BODY, Shared, cors, public_router, request_checks,
};

/// What visitors and services call.
#[derive(Clone)]
pub(crate) struct PublicApi {
    pub(super) edge: Shared,
    router: TowerToHyperService<Router>,
}

impl PublicApi {
    pub(crate) fn new(edge: Shared) -> Self {
        let router = TowerToHyperService::new(public_router(edge.clone()));
        Self { edge, router }
    }

    /// Answers one call.
    pub(crate) async fn answer<B>(&self, mut request: Request<B>) -> Response
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        let of_page = cors::page_call(&request);
        if let Some(of_page) = &of_page
            && let Some(answer) = of_page.preflight(&self.edge, request.method()).await
        {
            self.edge.refused.note(answer.status());
            return answer;
        }
        // Visitors' bodies are short.
        let is_visitors = request.uri().path().starts_with("/q/");
        let longest = if is_visitors {
            SMALL_BODY
        } else {
            BODY_BYTES_MAX
        };
        DefaultBodyLimit::max(longest).apply(&mut request);
        let answering = self.router.call(request);
        let mut response = in_time(async { answering.await.into_response() }).await;
        self.edge.refused.note(response.status());
        if let Some(of_page) = of_page {
            of_page.share(&self.edge, &mut response);
        }
        response
    }
}

/// Ends a call whose body does not come.
pub(super) async fn in_time(answering: impl Future<Output = Response>) -> Response {
    let late = |_| {
        let message = "the request took too long";
        let refused = ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message);
        let mut response = refused.into_response();
        // What else it sends is not waited for.
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
        response
    };
    let answered = tokio::time::timeout(REQUEST_TIMEOUT, answering).await;
    answered.map_or_else(late, request_checks::in_form)
}
