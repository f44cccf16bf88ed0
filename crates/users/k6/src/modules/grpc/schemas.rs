//! The schemas that clients use, read once for all users.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use loadline_net::{Identity, Tls, decrypted_key};
use loadline_proto::{Method, ProtoSchema};

use crate::host::lock;

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

pub(super) type SchemaResult = Result<Arc<LoadedSchema>, String>;

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
