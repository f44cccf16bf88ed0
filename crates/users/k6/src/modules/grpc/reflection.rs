//! Server reflection, and the few well-known messages that need none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use loadline_js::{Ctx, Exception};
use loadline_net::{GrpcChannel, GrpcMetadata, GrpcReceiver, GrpcSender, GrpcStatus};
use loadline_proto::{ProtoSchema, Types, any_json, wire};
use loadline_units::Time;

use super::client::Link;
use super::samples::SampleContext;
use super::schemas::{LoadedSchema, Origin, SharedGrpc};
use crate::host::Host;

/// The newer service is asked first.
const SERVICES: [&str; 2] = [
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

/// Fields of requests.
const FILE_BY_NAME: u32 = 3;
const FILE_OF_SYMBOL: u32 = 4;
const LIST_SERVICES: u32 = 7;
/// Fields of answers.
const FILE_DESCRIPTORS: u32 = 4;
const SERVICE_LIST: u32 = 6;
const ERROR_RESPONSE: u32 = 7;

/// Every file the server sent, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// The result of reflection, with the status of each call made.
pub(super) struct ReflectionResult {
    outcome: Result<Files, String>,
    statuses: Vec<u32>,
}

/// Asks for all services and all files they need.
pub(super) async fn ask(
    channel: &GrpcChannel,
    metadata: &GrpcMetadata,
    deadline: Time,
) -> ReflectionResult {
    let mut dialogue = ReflectionStream {
        channel,
        metadata,
        deadline,
        service: 0,
        stream: None,
        statuses: Vec::new(),
    };
    let outcome = gather(&mut dialogue).await;
    // As k6 does, the stream is not ended but given up, by dropping it.
    if dialogue.stream.is_some() {
        dialogue.statuses.push(GrpcStatus::OK);
    }
    ReflectionResult {
        outcome: outcome.map_err(|status| format!("can't list services: {}", status.text())),
        statuses: dialogue.statuses,
    }
}

/// Waits for `asked` and accounts for the calls.
pub(super) fn sampled(
    ctx: &Ctx,
    link: &Link,
    asked: impl Future<Output = ReflectionResult>,
) -> Result<Result<Files, String>, Exception> {
    let started = SampleContext::plain(ctx, link);
    let told = ctx.block_on(Box::pin(asked))?;
    let mut samples = vec![started];
    samples.resize_with(told.statuses.len(), || SampleContext::plain(ctx, link));
    for (mut sample, code) in samples.into_iter().zip(told.statuses) {
        sample.record_end(ctx, code);
    }
    Ok(told.outcome)
}

/// The schema of the files a server sent; servers that send the same files share it.
pub(super) fn load(host: &Host, files: Files) -> Result<Arc<LoadedSchema>, String> {
    let files: Vec<Vec<u8>> = files.into_values().collect();
    host.shared
        .of_module::<SharedGrpc>()
        .load(Origin::Server(files), |origin| {
            let Origin::Server(files) = origin else {
                return Err("no files".to_owned());
            };
            ProtoSchema::from_files(files.iter().map(Vec::as_slice))
                .map_err(|error| format!("can't convert method info: {error}"))
        })
}

/// Times a question is asked before a failure is believed, as k6's library does.
const ATTEMPTS_MAX: usize = 3;

/// Requests and responses on one stream, which is opened again after a failure.
struct ReflectionStream<'a> {
    channel: &'a GrpcChannel,
    metadata: &'a GrpcMetadata,
    deadline: Time,
    /// Which of [`SERVICES`] is asked.
    service: usize,
    stream: Option<(GrpcSender, GrpcReceiver)>,
    /// Of the streams that ended.
    statuses: Vec<u32>,
}

impl ReflectionStream<'_> {
    async fn ask(&mut self, field: u32, text: &str) -> Result<Vec<u8>, GrpcStatus> {
        let mut request = Vec::new();
        put_text(&mut request, field, text);
        let mut times = 0;
        loop {
            let status = match self.exchange(&request).await {
                Ok(answer) => return Ok(answer),
                Err(status) => status,
            };
            self.stream = None;
            self.statuses.push(status.code);
            times += 1;
            if times == ATTEMPTS_MAX {
                return Err(status);
            }
            let older_may_help = [GrpcStatus::UNIMPLEMENTED, GrpcStatus::UNAVAILABLE];
            if older_may_help.contains(&status.code) {
                self.service = SERVICES.len() - 1;
            }
        }
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>, GrpcStatus> {
        if self.stream.is_none() {
            let service = SERVICES[self.service];
            let begun = self
                .channel
                .begin(service, self.metadata, Some(self.deadline));
            self.stream = Some(begun.await?);
        }
        let (sender, receiver) = self.stream.as_mut().expect("begun above");
        sender.send(request)?;
        let answer = std::future::poll_fn(|cx| {
            let _ = sender.poll_sent(cx);
            receiver.poll_message(cx)
        })
        .await?;
        answer.ok_or_else(|| GrpcStatus::new(GrpcStatus::UNKNOWN, "EOF"))
    }

    /// The files an answer holds; none for an error.
    async fn files(&mut self, field: u32, text: &str) -> Result<Vec<Vec<u8>>, GrpcStatus> {
        let answer = self.ask(field, text).await?;
        let mut files = Vec::new();
        for (field, value) in wire::fields(&answer) {
            if let (FILE_DESCRIPTORS, wire::WireField::Bytes(list)) = (field, value) {
                files.extend(wire::fields(list).filter_map(|(field, value)| match value {
                    wire::WireField::Bytes(file) if field == 1 => Some(file.to_vec()),
                    _ => None,
                }));
            }
        }
        Ok(files)
    }
}

/// Every file of every service.
async fn gather(dialogue: &mut ReflectionStream<'_>) -> Result<Files, GrpcStatus> {
    let mut files = Files::new();
    let mut wanted = BTreeSet::new();
    let listed = dialogue.ask(LIST_SERVICES, "*").await?;
    for service in services(&listed)? {
        for file in dialogue.files(FILE_OF_SYMBOL, &service).await? {
            note(file, &mut files, &mut wanted)?;
        }
    }
    while let Some(name) = wanted.pop_first() {
        if files.contains_key(&name) {
            continue;
        }
        let told = dialogue.files(FILE_BY_NAME, &name).await?;
        if told.is_empty()
            && let Some(file) = ProtoSchema::standard_file(&name)
        {
            note(file, &mut files, &mut wanted)?;
        }
        for file in told {
            note(file, &mut files, &mut wanted)?;
        }
    }
    Ok(files)
}

/// Keeps a file, and what it imports in mind.
fn note(file: Vec<u8>, files: &mut Files, wanted: &mut BTreeSet<String>) -> Result<(), GrpcStatus> {
    let (name, imports) =
        ProtoSchema::imports_of(&file).map_err(|error| GrpcStatus::internal(error.to_string()))?;
    wanted.extend(imports);
    files.insert(name, file);
    Ok(())
}

/// Names of services, except reflection's own.
fn services(answer: &[u8]) -> Result<Vec<String>, GrpcStatus> {
    let mut names = Vec::new();
    for (field, value) in wire::fields(answer) {
        match (field, value) {
            (SERVICE_LIST, wire::WireField::Bytes(list)) => {
                for (_, value) in wire::fields(list) {
                    if let wire::WireField::Bytes(service) = value
                        && let Some(name) = text_in(service, 1)
                    {
                        names.push(name);
                    }
                }
            }
            (ERROR_RESPONSE, wire::WireField::Bytes(error)) => {
                let code = number_in(error, 1).unwrap_or(GrpcStatus::UNKNOWN);
                let text = text_in(error, 2).unwrap_or_default();
                return Err(GrpcStatus::new(code, text));
            }
            _ => {}
        }
    }
    Ok(names)
}

/// Appends a field of text to a message.
pub(super) fn put_text(message: &mut Vec<u8>, field: u32, text: &str) {
    wire::put_bytes(message, field, text.as_bytes());
}

/// The number in a field of a message, 0 where it is not set; `None` for what is no message.
pub(super) fn number_in(message: &[u8], field: u32) -> Option<u32> {
    let mut found = 0;
    let mut fields = wire::fields(message);
    for (number, value) in fields.by_ref() {
        if let wire::WireField::Number(value) = value
            && number == field
        {
            found = u32::try_from(value & u64::from(u32::MAX)).unwrap_or_default();
        }
    }
    fields.is_whole().then_some(found)
}

fn text_in(message: &[u8], field: u32) -> Option<String> {
    wire::fields(message).find_map(|(number, value)| match value {
        wire::WireField::Bytes(bytes) if number == field => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
        _ => None,
    })
}

/// A status as `error` shows it. As in k6, a status is empty when its details cannot be
/// read.
pub(super) fn status_json(status: &GrpcStatus, types: &Types) -> String {
    let (mut code, mut message) = (status.code, status.message.clone());
    let mut details = Vec::new();
    if let Some(more) = &status.details {
        code = number_in(more, 1).unwrap_or(code);
        message = text_in(more, 2).unwrap_or_default();
        for (field, value) in wire::fields(more) {
            if let (3, wire::WireField::Bytes(any)) = (field, value) {
                match any_json(any, types) {
                    Ok(json) => details.push(json),
                    Err(_) => return "{}".to_owned(),
                }
            }
        }
    }
    let message = serde_json::Value::from(message);
    format!(
        "{{\"code\":{code},\"message\":{message},\"details\":[{}]}}",
        details.join(",")
    )
}
