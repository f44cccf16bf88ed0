//! What a program writes when another server answers a call with a limit of its own.
//!
//! The words name who was asked, or that a client of HTTP speaks: a program that writes which status it answered with
//! itself says nothing of others.

use super::super::super::finding::RuleId;
use super::LogStack::{Any, Go, Java, Node, Python};
use super::{LogPhrase, row};

pub(super) const CALLS_REFUSED: &[LogPhrase] = &[
    row(
        Any,
        RuleId::OutsideRefused,
        &["answered 429"],
        "ERROR pay answered 429 Too Many Requests",
    ),
    row(
        Any,
        RuleId::OutsideRefused,
        &["answered 503"],
        "error: GET /orders/{id} 502: payments answered 503",
    ),
    row(
        Node,
        RuleId::OutsideRefused,
        &["request failed with status code 429"],
        "error: AxiosError: Request failed with status code 429",
    ),
    row(
        Node,
        RuleId::OutsideRefused,
        &["request failed with status code 503"],
        "error: AxiosError: Request failed with status code 503",
    ),
    row(
        Python,
        RuleId::OutsideRefused,
        &["429 client error"],
        "requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://pay.example/v1",
    ),
    row(
        Python,
        RuleId::OutsideRefused,
        &["client error '429"],
        "httpx.HTTPStatusError: Client error '429 Too Many Requests' for url 'https://pay.example/v1'",
    ),
    row(
        Python,
        RuleId::OutsideRefused,
        &["503 server error"],
        "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://pay.example/v1",
    ),
    row(
        Python,
        RuleId::OutsideRefused,
        &["server error '503"],
        "httpx.HTTPStatusError: Server error '503 Service Unavailable' for url 'https://pay.example/v1'",
    ),
    row(
        Java,
        RuleId::OutsideRefused,
        &["httpclienterrorexception$toomanyrequests"],
        "org.springframework.web.client.HttpClientErrorException$TooManyRequests: 429 Too Many Requests",
    ),
    row(
        Java,
        RuleId::OutsideRefused,
        &["httpservererrorexception$serviceunavailable"],
        "org.springframework.web.client.HttpServerErrorException$ServiceUnavailable: 503 Service Unavailable",
    ),
    row(
        Java,
        RuleId::OutsideRefused,
        &["webclientresponseexception$toomanyrequests"],
        "org.springframework.web.reactive.function.client.WebClientResponseException$TooManyRequests: 429 Too Many Requests from GET https://pay.example/v1",
    ),
    row(
        Java,
        RuleId::OutsideRefused,
        &["feignexception$toomanyrequests"],
        "feign.FeignException$TooManyRequests: [429] during [GET] to [https://pay.example/v1]",
    ),
    row(
        Go,
        RuleId::OutsideRefused,
        &["unexpected status", "429"],
        "level=ERROR msg=\"pay failed\" err=\"unexpected status: 429 Too Many Requests\"",
    ),
    row(
        Go,
        RuleId::OutsideRefused,
        &["unexpected status", "503"],
        "level=ERROR msg=\"pay failed\" err=\"unexpected status: 503 Service Unavailable\"",
    ),
];
