//! `load` and `loadProtoset`: schemas from files.

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_proto::ProtoSchema;

use super::client::Client;
use super::schemas::{Origin, SchemaResult, SharedGrpc};
use crate::host::{Host, absolute, read_file};
use crate::modules::go_error::go_error;

/// `load(importPaths, ...files)`
pub(super) fn load(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let client = args.this_host::<Client>()?;
    let host = only_in_init(ctx)?;
    let mut paths = Vec::new();
    let given = args.get(0);
    if !given.is_nullish() {
        if !given.is_array() {
            return Err(Exception::type_error(format!(
                "could not convert function call parameter 0: could not convert {} to []string",
                given.to_text()?
            )));
        }
        for path in given.elements()? {
            paths.push(absolute(&host.shared.base_dir, &path.to_text()?));
        }
    }
    if paths.is_empty() {
        paths.push(host.shared.base_dir.clone());
    }
    let names: Result<Vec<String>, Exception> =
        args.rest(1).iter().map(|name| name.to_text()).collect();
    let shared = host.shared.clone();
    let outcome = shared
        .of_module::<SharedGrpc>()
        .load(Origin::Sources(paths, names?), |origin| {
            let Origin::Sources(paths, names) = origin else {
                return Err("no sources".to_owned());
            };
            let paths = paths.clone();
            let vu = host.vu;
            let files = shared.clone();
            let read = move |name: &str| {
                let mut last = String::new();
                for path in &paths {
                    match read_file(&files, vu, &absolute(path, name)) {
                        Ok(bytes) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                        Err(error) => last = error.replacen("open ", "stat ", 1),
                    }
                }
                Err(last)
            };
            ProtoSchema::compile(names, read).map_err(|error| error.to_string())
        });
    learn(ctx, &client, outcome)
}

/// `loadProtoset(path)`
pub(super) fn load_set(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let client = args.this_host::<Client>()?;
    let host = only_in_init(ctx)?;
    let name = args.get(0).to_text()?;
    let path = absolute(&host.shared.base_dir, &name);
    let shared = host.shared.clone();
    let outcome = shared
        .of_module::<SharedGrpc>()
        .load(Origin::Set(path.clone()), |_| {
            let bytes = read_file(&shared, host.vu, &path).map_err(|error| {
                let error = error.replacen("open ", "stat ", 1);
                format!("couldn't open protoset: {error}")
            })?;
            ProtoSchema::from_set(&bytes)
                .map_err(|error| format!("couldn't unmarshal protoset file {name}: {error}"))
        });
    learn(ctx, &client, outcome)
}

fn only_in_init(ctx: &Ctx) -> Result<std::rc::Rc<Host>, Exception> {
    let host = Host::from_ctx(ctx);
    if host.is_init() {
        return Ok(host);
    }
    Err(go_error(ctx, "load must be called in the init context"))
}

/// Adds what was loaded to what the client knows; gives its methods.
fn learn(ctx: &Ctx, client: &Client, outcome: SchemaResult) -> Result<Value, Exception> {
    let loaded = outcome.map_err(|error| go_error(ctx, error))?;
    client.learn(&loaded);
    let mut shown = Vec::new();
    for method in loaded.schema.methods() {
        let object = ctx.object()?;
        object.set("package", method.package())?;
        object.set("service", method.service())?;
        object.set("full_method", method.path())?;
        object.set("name", method.name())?;
        object.set("is_client_stream", method.client_streams())?;
        object.set("is_server_stream", method.server_streams())?;
        shown.push(object);
    }
    ctx.array(shown)
}
