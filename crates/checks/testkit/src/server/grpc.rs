//! A gRPC server: greetings, echoes that do as they are told, health, reflection, and answers that break the rules.
//!
//! Messages are those of the `.proto` files beside the scripts, read as k6 reads them. HTTP/2 is `h2`'s, so that every
//! frame is ours to choose. On the port with TLS only the older reflection is spoken.

mod call;
mod faults;
mod reflection;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use prost_reflect::{
    DescriptorPool, DynamicMessage, MapKey, MethodDescriptor, ReflectMessage, Value,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::state::State;
use call::{Call, Status};

/// The sources, by the names they are imported with.
const SOURCES: [(&str, &str); 4] = [
    (
        "hello.proto",
        include_str!("../../../../../tests/k6/scripts/grpc/proto/hello.proto"),
    ),
    (
        "echo.proto",
        include_str!("../../../../../tests/k6/scripts/grpc/proto/echo.proto"),
    ),
    (
        "kinds/types.proto",
        include_str!("../../../../../tests/k6/scripts/grpc/proto/kinds/types.proto"),
    ),
    (
        "health.proto",
        include_str!("../../../../../tests/k6/scripts/grpc/proto/health.proto"),
    ),
];

/// What a recording of this server's answers depends on.
pub(super) const HASHED: [&str; 8] = [
    include_str!("grpc.rs"),
    include_str!("grpc/call.rs"),
    include_str!("grpc/faults.rs"),
    include_str!("grpc/reflection.rs"),
    SOURCES[0].1,
    SOURCES[1].1,
    SOURCES[2].1,
    SOURCES[3].1,
];

/// The descriptors of all [`SOURCES`].
fn pool() -> &'static DescriptorPool {
    static POOL: OnceLock<DescriptorPool> = OnceLock::new();
    POOL.get_or_init(|| {
        let mut resolver = protox::file::ChainFileResolver::new();
        resolver.add(Embedded);
        resolver.add(protox::file::GoogleFileResolver::new());
        let mut compiler = protox::Compiler::with_file_resolver(resolver);
        compiler
            .include_imports(true)
            .open_files(SOURCES.map(|(name, _)| name))
            .expect("the sources are ours");
        DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice())
            .expect("they were compiled")
    })
}

struct Embedded;

impl protox::file::FileResolver for Embedded {
    fn open_file(&self, name: &str) -> Result<protox::file::File, protox::Error> {
        let found = SOURCES.iter().find(|(known, _)| *known == name);
        let (_, source) = found.ok_or_else(|| protox::Error::file_not_found(name))?;
        protox::file::File::from_source(name, source)
    }
}

/// Serves plain connections.
pub(super) fn spawn(listener: TcpListener, state: Arc<State>) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            super::prepare(&socket, &state);
            tokio::spawn(serve(socket, Arc::clone(&state), reflection::NEWER));
        }
    })
}

/// Serves connections with TLS.
pub(super) fn spawn_tls(
    listener: TcpListener,
    config: Arc<rustls::ServerConfig>,
    state: Arc<State>,
) -> JoinHandle<()> {
    let acceptor = tokio_rustls::TlsAcceptor::from(config);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            super::prepare(&socket, &state);
            let (acceptor, state) = (acceptor.clone(), Arc::clone(&state));
            tokio::spawn(async move {
                // A failed handshake is the client's finding, not ours.
                if let Ok(stream) = acceptor.accept(socket).await {
                    serve(stream, state, reflection::OLDER).await;
                }
            });
        }
    })
}

/// What a call may do to its connection.
#[derive(Debug, Default)]
struct Ends {
    /// It closes at once.
    gone: Notify,
    /// It takes no further calls.
    go_away: Notify,
}

async fn serve<S>(stream: S, state: Arc<State>, reflects: &'static str)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Ok(mut connection) = h2::server::handshake(stream).await else {
        return;
    };
    let ends = Arc::new(Ends::default());
    loop {
        tokio::select! {
            accepted = connection.accept() => {
                let Some(Ok((request, respond))) = accepted else { return };
                let (state, ends) = (Arc::clone(&state), Arc::clone(&ends));
                tokio::spawn(async move {
                    let path = request.uri().path().to_owned();
                    let status = answer(Call::new(request, respond), &path, reflects, &ends).await;
                    let status = status.map_or("-".to_owned(), |status| status.code.to_string());
                    state.count_request(format!("GRPC {path} {status}"));
                });
            }
            () = ends.gone.notified() => return,
            () = ends.go_away.notified() => connection.graceful_shutdown(),
        }
    }
}

/// Answers one call; `None` when the answer was none, or the client left.
async fn answer(mut call: Call, path: &str, reflects: &str, ends: &Ends) -> Option<Status> {
    let known = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    let (service, name) = known.unwrap_or_default();
    if service == reflects {
        return reflection::answer(call).await;
    }
    let Some(method) = pool()
        .get_service_by_name(service)
        .and_then(|service| service.methods().find(|method| method.name() == name))
    else {
        let status = Status::new(12, &format!("unknown service {service}"));
        return call.finish(status).await;
    };
    match service {
        "hello.HelloService" => hello(call, &method).await,
        "grpc.health.v1.Health" => health(call, &method).await,
        "echo.v1.Faults" => faults::answer(call, &method, ends).await,
        _ => match name {
            "Scalars" | "Nested" | "Known" => {
                let message = call.receive(&method.input()).await?;
                call.send(&message).await?;
                call.finish(Status::ok()).await
            }
            _ => echo(call, &method).await,
        },
    }
}

async fn hello(mut call: Call, method: &MethodDescriptor) -> Option<Status> {
    let mut heard = Vec::new();
    let reply = |text: String| {
        let mut reply = DynamicMessage::new(method.output());
        reply.set_field_by_name("reply", Value::String(text));
        reply
    };
    while let Some(message) = call.receive(&method.input()).await {
        let greeting = text(&message, "greeting");
        if method.name() == "BidiHello" {
            call.send(&reply(format!("hello {greeting}"))).await?;
        }
        heard.push(greeting);
    }
    match method.name() {
        "SayHello" | "LotsOfGreetings" => {
            call.send(&reply(format!("hello {}", heard.join(", "))))
                .await?;
        }
        "LotsOfReplies" => {
            for number in 0..5 {
                let greeting = heard.join(", ");
                call.send(&reply(format!("hello {greeting} {number}")))
                    .await?;
            }
        }
        _ => {}
    }
    call.finish(Status::ok()).await
}

async fn health(mut call: Call, method: &MethodDescriptor) -> Option<Status> {
    let request = call.receive(&method.input()).await?;
    let status = match &*text(&request, "service") {
        "" | "hello.HelloService" => 1,
        "down" => 2,
        "nobody-knows" => 3,
        "unsaid" => 0,
        _ => return call.finish(Status::new(5, "unknown service")).await,
    };
    let mut reply = DynamicMessage::new(method.output());
    reply.set_field_by_name("status", Value::EnumNumber(status));
    call.send(&reply).await?;
    call.finish(Status::ok()).await
}

/// Does as each message tells; the status is the last one's.
async fn echo(mut call: Call, method: &MethodDescriptor) -> Option<Status> {
    let mut last = None;
    let mut texts = Vec::new();
    let mut index = 0;
    while let Some(command) = call.receive(&method.input()).await {
        for (name, value) in pairs(&command, "headers") {
            call.header(&name, &value);
        }
        for (name, value) in pairs(&command, "trailers") {
            call.trailer(&name, &value);
        }
        let delay = number(&command, "delay_ms");
        if delay > 0 {
            let delay = u64::try_from(delay).unwrap_or_default().min(20_000);
            tokio::time::sleep(Duration::from_millis(delay)).await;
        }
        texts.push(text(&command, "text"));
        match method.name() {
            "Bidi" if number(&command, "code") == 0 => {
                let reply = reply(&call, method, &command, index);
                call.send(&reply).await?;
                index += 1;
            }
            "ServerStream" => {
                for index in 0..number(&command, "count").min(10_000) {
                    let reply = reply(&call, method, &command, index);
                    call.send(&reply).await?;
                }
            }
            _ => {}
        }
        let failed = number(&command, "code") != 0;
        last = Some(command);
        if failed {
            break;
        }
    }
    let Some(mut command) = last else {
        return call.finish(Status::ok()).await;
    };
    let status = status(&command);
    if status.code == 0 && matches!(method.name(), "Unary" | "ClientStream") {
        command.set_field_by_name("text", Value::String(texts.join(" ")));
        let reply = reply(&call, method, &command, index);
        call.send(&reply).await?;
    }
    call.finish(status).await
}

/// The status a command asks for.
fn status(command: &DynamicMessage) -> Status {
    let mut status = Status::new(number(command, "code"), &text(command, "message"));
    let details = command.get_field_by_name("details");
    let details = details.as_deref().and_then(Value::as_list);
    status.details = details.unwrap_or_default().to_vec();
    status
}

fn reply(
    call: &Call,
    method: &MethodDescriptor,
    command: &DynamicMessage,
    index: i32,
) -> DynamicMessage {
    let mut reply = DynamicMessage::new(method.output());
    reply.set_field_by_name("text", Value::String(text(command, "text")));
    reply.set_field_by_name("index", Value::I32(index));
    let size = usize::try_from(number(command, "size")).unwrap_or_default();
    reply.set_field_by_name("padding", Value::String("x".repeat(size.min(1 << 24))));
    let told = command.get_field_by_name("metadata");
    if told.is_some_and(|told| told.as_bool() == Some(true)) {
        let pair = pool()
            .get_message_by_name("echo.v1.Pair")
            .expect("it is ours");
        let pairs = call.metadata().into_iter().map(|(key, value)| {
            let mut message = DynamicMessage::new(pair.clone());
            message.set_field_by_name("key", Value::String(key));
            message.set_field_by_name("value", Value::String(value));
            Value::Message(message)
        });
        reply.set_field_by_name("metadata", Value::List(pairs.collect()));
    }
    reply
}

fn text(message: &DynamicMessage, field: &str) -> String {
    let value = message.get_field_by_name(field);
    value
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn number(message: &DynamicMessage, field: &str) -> i32 {
    let value = message.get_field_by_name(field);
    value.and_then(|value| value.as_i32()).unwrap_or_default()
}

fn pairs(message: &DynamicMessage, field: &str) -> Vec<(String, String)> {
    let value = message.get_field_by_name(field);
    let Some(map) = value.as_deref().and_then(Value::as_map) else {
        return Vec::new();
    };
    let pairs = map.iter().filter_map(|(key, value)| match key {
        MapKey::String(key) => Some((key.clone(), value.as_str()?.to_owned())),
        _ => None,
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort();
    pairs
}

/// The full name of a message.
fn full_name(message: &DynamicMessage) -> String {
    message.descriptor().full_name().to_owned()
}
