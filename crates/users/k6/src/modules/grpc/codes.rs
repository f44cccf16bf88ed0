//! Status codes as scripts see them. As in k6 they are objects, and each code is always the
//! same object, so that `===` compares them.

use std::rc::Rc;

use loadline_js::{Attributes, Ctx, Exception, Exports, Value};
use loadline_net::GrpcStatus;

/// A number with a name.
struct Code {
    number: u32,
    name: String,
}

/// The codes of a realm.
struct Codes {
    proto: Value,
    /// Own members of each status and of each state of health.
    status_members: Vec<(&'static str, Value)>,
    health_members: Vec<(&'static str, Value)>,
    statuses: Vec<Value>,
    health: Vec<Value>,
}

const STATUSES: [&str; 17] = [
    "StatusOK",
    "StatusCanceled",
    "StatusUnknown",
    "StatusInvalidArgument",
    "StatusDeadlineExceeded",
    "StatusNotFound",
    "StatusAlreadyExists",
    "StatusPermissionDenied",
    "StatusResourceExhausted",
    "StatusFailedPrecondition",
    "StatusAborted",
    "StatusOutOfRange",
    "StatusUnimplemented",
    "StatusInternal",
    "StatusUnavailable",
    "StatusDataLoss",
    "StatusUnauthenticated",
];

/// The third is spelled as k6 spells it.
const HEALTH: [(&str, &str); 4] = [
    ("HealthCheckUnknown", "UNKNOWN"),
    ("HealthCheckServing", "SERVING"),
    ("HealthCheckNotServing", "NOT_SERVING"),
    ("HealthCheckServiceUnkown", "SERVICE_UNKNOWN"),
];

/// Makes the objects and exports them.
pub(super) fn install(ctx: &Ctx, exports: &mut Exports) -> Result<(), Exception> {
    let proto = ctx.object()?;
    for name in ["valueOf", "toJSON"] {
        proto.method(name, 0, |_, args| Ok(args.this_host::<Code>()?.number))?;
    }
    proto.method("toString", 0, |_, args| {
        Ok(args.this_host::<Code>()?.name.clone())
    })?;
    let name = ctx.function("string", 0, |_, args| {
        Ok(args.this_host::<Code>()?.name.clone())
    })?;
    let number = ctx.function("number", 0, |_, args| Ok(args.this_host::<Code>()?.number))?;
    let nothing = |name: &'static str| ctx.function(name, 0, |_, _| Ok(()));
    let mut codes = Codes {
        proto,
        status_members: vec![
            ("string", name.clone()),
            ("unmarshalJSON", nothing("unmarshalJSON")?),
        ],
        health_members: vec![
            ("descriptor", nothing("descriptor")?),
            ("enum", nothing("enum")?),
            ("enumDescriptor", nothing("enumDescriptor")?),
            ("number", number),
            ("string", name),
            ("type", nothing("type")?),
        ],
        statuses: Vec::new(),
        health: Vec::new(),
    };
    for (number, export) in (0..).zip(STATUSES) {
        let name = GrpcStatus::code_name(number);
        let value = codes.make(ctx, number, name, &codes.status_members)?;
        exports.add(export, value.clone());
        codes.statuses.push(value);
    }
    for (number, (export, name)) in (0..).zip(HEALTH) {
        let value = codes.make(ctx, number, name.to_owned(), &codes.health_members)?;
        exports.add(export, value.clone());
        codes.health.push(value);
    }
    ctx.set_common(Rc::new(codes));
    Ok(())
}

impl Codes {
    fn make(
        &self,
        ctx: &Ctx,
        number: u32,
        name: String,
        members: &[(&'static str, Value)],
    ) -> Result<Value, Exception> {
        let object = ctx.host_object(&self.proto, Rc::new(Code { number, name }))?;
        for (name, function) in members {
            object.define(*name, function, Attributes::ALL)?;
        }
        Ok(object)
    }
}

/// The object of a status code.
pub(super) fn status(ctx: &Ctx, code: u32) -> Result<Value, Exception> {
    let codes = ctx.common::<Codes>().expect("made with the module");
    match known(&codes.statuses, code) {
        Some(value) => Ok(value),
        None => codes.make(
            ctx,
            code,
            GrpcStatus::code_name(code),
            &codes.status_members,
        ),
    }
}

/// The object of a state of health.
pub(super) fn health(ctx: &Ctx, state: u32) -> Result<Value, Exception> {
    let codes = ctx.common::<Codes>().expect("made with the module");
    match known(&codes.health, state) {
        Some(value) => Ok(value),
        None => codes.make(ctx, state, state.to_string(), &codes.health_members),
    }
}

fn known(values: &[Value], number: u32) -> Option<Value> {
    values.get(usize::try_from(number).ok()?).cloned()
}
