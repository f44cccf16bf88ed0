//! The schemas that clients use, read once for all users.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_net::{Identity, Tls, decrypted_key};
use loadline_proto::{Method, ProtoSchema};

use super::client::Client;
use crate::host::lock;
use crate::host::{Host, absolute, read_file};
use crate::modules::go_error;

/// A schema with its methods by path.
#[derive(Debug)]
pub(crate) struct LoadedSchema {
    pub(super) schema: ProtoSchema,
    pub(super) methods: HashMap<String, Arc<Method>>,
}

/// Where a schema came from: files with their import paths, a descriptor set, or the
/// reflection of a server.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    Sources(Vec<PathBuf>, Vec<String>),
    Set(PathBuf),
    Server(Vec<Vec<u8>>),
}

type SchemaResult = Result<Arc<LoadedSchema>, String>;

/// What all users of a test share here.
#[derive(Debug, Default)]
pub(crate) struct SharedGrpc {
    loaded: Mutex<HashMap<Origin, SchemaResult>>,
    /// TLS other than the run's, by certificate, key and authorities.
    tls: Mutex<HashMap<TlsTexts, Tls>>,
}

/// Certificate, key and authorities in PEM.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct TlsTexts {
    pub(super) certificate: String,
    pub(super) key: String,
    pub(super) password: String,
    pub(super) authorities: Vec<String>,
}

impl SharedGrpc {
    pub(super) fn load(
        &self,
        origin: Origin,
        make: impl FnOnce(&Origin) -> Result<ProtoSchema, String>,
    ) -> SchemaResult {
        if let Some(known) = lock(&self.loaded).get(&origin) {
            return known.clone();
        }
        let outcome = make(&origin).map(|schema| {
            let methods = schema.methods();
            let methods = methods.map(|method| (method.path().to_owned(), Arc::new(method)));
            Arc::new(LoadedSchema {
                methods: methods.collect(),
                schema,
            })
        });
        lock(&self.loaded).insert(origin, outcome.clone());
        outcome
    }

    /// The run's TLS with other certificates.
    ///
    /// # Errors
    /// k6's words for what cannot be used.
    pub(super) fn tls(&self, run: &Tls, texts: TlsTexts) -> Result<Tls, String> {
        if let Some(known) = lock(&self.tls).get(&texts) {
            return Ok(known.clone());
        }
        let mut key = texts.key.clone();
        if !texts.password.is_empty() {
            key = decrypted_key(&key, &texts.password).map_err(|error| error.to_string())?;
        }
        let unusable = |why: String| format!("failed to append certificate from PEM: tls: {why}");
        let identity = match (texts.certificate.is_empty(), texts.key.is_empty()) {
            (false, false) => {
                let missing =
                    |what: &str| unusable(format!("failed to find any PEM data in {what} input"));
                if !texts.certificate.contains("-----BEGIN") {
                    return Err(missing("certificate"));
                }
                if !key.contains("-----BEGIN") {
                    return Err(missing("key"));
                }
                let certificate = texts.certificate.as_bytes();
                let identity = Identity::from_pem(certificate, key.as_bytes(), Vec::new());
                Some(identity.map_err(|error| unusable(error.to_string()))?)
            }
            _ => None,
        };
        let tls = run
            .with_certificates(identity, &texts.authorities)
            .map_err(|(index, _)| format!("failed to append ca certificate [{index}] from PEM"))?;
        lock(&self.tls).insert(texts, tls.clone());
        Ok(tls)
    }
}

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
    let host = Host::of(ctx);
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
