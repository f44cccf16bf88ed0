//! The object that scripts see of a socket. As in k6 its properties are own properties; the
//! functions behind them are shared by all sockets of the realm.

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::events::Event;
use super::send;
use super::socket::Socket;
use crate::host::Host;
use crate::log::LogLevel;
use crate::modules::go_error::go_error;
use crate::modules::sockets;

/// Functions behind the properties of all sockets.
struct SharedFunctions {
    proto: Value,
    methods: Vec<(&'static str, Value)>,
    readable: Vec<(&'static str, Value)>,
    binary_type: (Value, Value),
    handlers: Vec<(&'static str, Value, Value)>,
}

type Getter = fn(&Ctx, &Socket) -> Result<Value, Exception>;

const READABLE: [(&str, Getter); 4] = [
    ("readyState", |ctx, socket| {
        Ok(ctx.number(f64::from(socket.state() as u8)))
    }),
    ("bufferedAmount", |ctx, socket| {
        Ok(ctx.number(socket.buffered() as f64))
    }),
    ("extensions", |ctx, socket| {
        let texts = socket.extensions();
        let values: Result<Vec<Value>, Exception> =
            texts.iter().map(|text| ctx.string(text)).collect();
        ctx.array(values?)
    }),
    ("protocol", |ctx, socket| ctx.string(&socket.protocol())),
];

/// Makes the functions, once.
pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    if ctx.common::<SharedFunctions>().is_some() {
        return Ok(());
    }
    let methods = vec![
        (
            "addEventListener",
            ctx.function("addEventListener", 2, add)?,
        ),
        ("send", ctx.function("send", 1, send::send)?),
        ("ping", ctx.function("ping", 0, send::ping)?),
        ("close", ctx.function("close", 2, send::close)?),
    ];
    let mut readable = Vec::new();
    for (name, get) in READABLE {
        let getter = ctx.function(name, 0, move |ctx, args| {
            get(ctx, &*args.this_host::<Socket>()?)
        })?;
        readable.push((name, getter));
    }
    let get = ctx.function("binaryType", 0, |_, args| {
        Ok(args.this_host::<Socket>()?.binary_type())
    })?;
    let set = ctx.function("binaryType", 1, |ctx, args| {
        let kind = args.get(0).to_text()?;
        if args.this_host::<Socket>()?.set_binary_type(&kind) {
            return Ok(());
        }
        let message = format!(
            "unknown binaryType {kind}, the supported ones are \"blob\" and \"arraybuffer\""
        );
        Err(go_error(ctx, message))
    })?;
    let mut handlers = Vec::new();
    for event in Event::ALL {
        let (get, set) = accessors(ctx, event)?;
        handlers.push((event.property(), get, set));
    }
    ctx.set_common(Rc::new(SharedFunctions {
        proto: ctx.object()?.prototype()?,
        methods,
        readable,
        binary_type: (get, set),
        handlers,
    }));
    Ok(())
}

/// Reads and sets the `on...` handler of an event.
fn accessors(ctx: &Ctx, event: Event) -> Result<(Value, Value), Exception> {
    let name = event.property();
    let get = ctx.function(name, 0, move |ctx, args| {
        args.this_host::<Socket>()?;
        let handler = args.this().slot(event.own_slot());
        Ok(handler
            .filter(Value::is_function)
            .unwrap_or_else(|| ctx.null()))
    })?;
    let set = ctx.function(name, 1, move |ctx, args| {
        args.this_host::<Socket>()?;
        let handler = args.get(0);
        if !handler.is_nullish() && !handler.is_function() {
            let message = format!("a value for '{name}' should be callable");
            return Err(go_error(ctx, message));
        }
        args.this().set_slot(event.own_slot(), handler);
        Ok(())
    })?;
    Ok((get, set))
}

/// A script's hold on `socket`.
pub(super) fn make(ctx: &Ctx, socket: &Rc<Socket>) -> Result<Value, Exception> {
    let shape = ctx
        .common::<SharedFunctions>()
        .expect("made with the module");
    let object = ctx.host_object(&shape.proto, socket.clone())?;
    for (name, function) in &shape.methods {
        object.define(*name, function, Attributes::FIXED)?;
    }
    object.define("url", socket.url.as_str(), Attributes::FIXED)?;
    for (name, get) in &shape.readable {
        object.define_accessor(*name, Some(get), None)?;
    }
    let (get, set) = &shape.binary_type;
    object.define_accessor("binaryType", Some(get), Some(set))?;
    for (name, get, set) in &shape.handlers {
        object.define_accessor(*name, Some(get), Some(set))?;
    }
    Ok(object)
}

/// `addEventListener(event, handler)`
fn add(ctx: &Ctx, args: &Args<'_>) -> Result<(), Exception> {
    args.this_host::<Socket>()?;
    let (name, handler) = (args.get(0).to_text()?, args.get(1));
    if handler.is_nullish() {
        let message = format!("handler for event type \"{name}\" isn't a callable function");
        return Err(go_error(ctx, message));
    }
    if !handler.is_function() {
        return Err(Exception::type_error(format!(
            "could not convert function call parameter 1: could not convert {} to func(sobek.Value) (sobek.Value, error)",
            handler.to_text()?
        )));
    }
    match Event::ALL.iter().find(|event| event.name() == name) {
        Some(event) => sockets::add_handler(ctx, &args.this(), event.added_slot(), handler),
        None => {
            let message = format!("can't add event handler: unknown event type: {name}");
            Host::from_ctx(ctx).log(LogLevel::Warning, message);
            Ok(())
        }
    }
}
