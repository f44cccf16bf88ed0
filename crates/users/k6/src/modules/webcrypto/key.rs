//! `CryptoKey`: the key that native code uses, and the object scripts see.
//!
//! As in k6, scripts can write the object's fields, and operations use what is written there:
//! they read type, usages and whether the key may be exported from the object.

use std::rc::Rc;

use loadline_js::{Attributes, Ctx, Exception, Value};

use super::ec_key::{Curve, EcPrivate};
use super::read::{HMAC, Hash, PBKDF2};
use super::rsa_key::{RsaPrivate, RsaPublic};
use crate::modules::failure::{Failure, OperationResult, fail};
use crate::modules::go_error::go_error;

/// The secret in a key, or the public half.
pub(super) enum Handle {
    Secret(Vec<u8>),
    EcPrivate(EcPrivate),
    EcPublic(Curve, Vec<u8>),
    RsaPrivate(Box<RsaPrivate>),
    RsaPublic(RsaPublic),
}

impl Handle {
    /// What k6 calls the key's kind.
    const fn kind(&self) -> &'static str {
        match self {
            Self::Secret(_) => "secret",
            Self::EcPrivate(_) | Self::RsaPrivate(_) => "private",
            Self::EcPublic(..) | Self::RsaPublic(_) => "public",
        }
    }

    /// The bytes of a secret key.
    pub(super) fn secret(&self) -> Option<&[u8]> {
        match self {
            Self::Secret(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The type Go names it by.
    pub(super) const fn go_type(&self) -> &'static str {
        match self {
            Self::Secret(_) => "[]uint8",
            Self::EcPrivate(_) => "*ecdsa.PrivateKey",
            Self::EcPublic(..) => "*ecdsa.PublicKey",
            Self::RsaPrivate(_) => "*rsa.PrivateKey",
            Self::RsaPublic(_) => "*rsa.PublicKey",
        }
    }
}

/// What a key is for.
#[derive(Clone)]
pub(super) enum Algorithm {
    Aes {
        name: &'static str,
        bits: usize,
    },
    /// `hash` is `None` when the algorithm the script named is not a hash.
    Hmac {
        hash: Option<Hash>,
        bits: usize,
    },
    Ec {
        name: &'static str,
        curve: String,
    },
    Rsa {
        name: &'static str,
        bits: usize,
        hash: Hash,
    },
    Pbkdf2,
}

/// A key.
pub(super) struct Key {
    pub(super) handle: Handle,
    pub(super) algorithm: Algorithm,
    pub(super) extractable: bool,
    pub(super) usages: Vec<String>,
}

impl Key {
    /// Whether it has a secret and nothing to do with it.
    pub(super) fn is_useless(&self) -> bool {
        self.usages.is_empty() && self.handle.kind() != "public"
    }

    /// The object scripts see.
    pub(super) fn into_object(self, ctx: &Ctx) -> Result<Value, Exception> {
        let shapes = Prototypes::from_ctx(ctx)?;
        let kind = self.handle.kind();
        let algorithm = self.algorithm.object(ctx, &shapes)?;
        let (extractable, usages) = (self.extractable, self.usages.clone());
        let object = ctx.host_object(&shapes.proto, Rc::new(self))?;
        fill(&object, kind, extractable, algorithm, usages)?;
        shapes.finish(ctx, &object)?;
        Ok(object)
    }
}

/// The object at `crypto.CryptoKey`: a key without anything.
pub(super) fn empty(ctx: &Ctx) -> Result<Value, Exception> {
    let shapes = Prototypes::from_ctx(ctx)?;
    let object = ctx.object()?;
    fill(&object, "", false, ctx.null(), Vec::new())?;
    shapes.finish(ctx, &object)?;
    Ok(object)
}

/// Sets what scripts read of a key.
fn fill(
    object: &Value,
    kind: &str,
    extractable: bool,
    algorithm: Value,
    usages: Vec<String>,
) -> Result<(), Exception> {
    object.set("type", kind)?;
    object.set("extractable", extractable)?;
    object.set("algorithm", algorithm)?;
    object.set("usages", usages)
}

/// Lets nothing be added to an object.
fn complete(ctx: &Ctx, object: &Value) -> Result<(), Exception> {
    let objects = ctx.global().get("Object")?;
    let only = std::slice::from_ref(object);
    objects.call_method("preventExtensions", only).map(drop)
}

/// `{privateKey, publicKey}`
pub(super) fn pair(ctx: &Ctx, private: Key, public: Key) -> Result<Value, Exception> {
    let shapes = Prototypes::from_ctx(ctx)?;
    let object = ctx.object_of(&shapes.proto)?;
    object.set("privateKey", private.into_object(ctx)?)?;
    object.set("publicKey", public.into_object(ctx)?)?;
    for (name, method) in &shapes.pair_methods {
        object.define(*name, method, Attributes::FIXED)?;
    }
    complete(ctx, &object)?;
    Ok(object)
}

impl Algorithm {
    fn object(&self, ctx: &Ctx, shapes: &Prototypes) -> Result<Value, Exception> {
        match self {
            Self::Aes { name, bits } => {
                let object = named(ctx, name, 1)?;
                object.set("length", *bits)?;
                Ok(object)
            }
            Self::Hmac { hash, bits } => {
                let object = named(ctx, HMAC, 2)?;
                let hash = named(ctx, hash.map_or("", Hash::name), 1)?;
                object.set("hash", hash)?;
                object.set("length", *bits)?;
                object.define("hashFn", &shapes.hash_fn, Attributes::FIXED)?;
                Ok(object)
            }
            Self::Ec { name, curve } => {
                let object = named(ctx, name, 2)?;
                let text = ctx.host_object(&shapes.curve, Rc::new(CurveName(curve.clone())))?;
                text.define("string", &shapes.curve_text, Attributes::FIXED)?;
                object.set("namedCurve", text)?;
                Ok(object)
            }
            Self::Rsa { name, bits, hash } => {
                let object = named(ctx, name, 2)?;
                object.set("modulusLength", *bits)?;
                object.set("hash", named(ctx, hash.name(), 0)?)?;
                Ok(object)
            }
            Self::Pbkdf2 => named(ctx, PBKDF2, 1),
        }
    }
}

/// An object with a name, and the objects k6's own types show within it.
fn named(ctx: &Ctx, name: &str, depth: u8) -> Result<Value, Exception> {
    let object = ctx.object()?;
    if depth > 1 {
        object.set("key_algorithm", named(ctx, name, 1)?)?;
    }
    if depth > 0 {
        object.set("algorithm", named(ctx, name, 0)?)?;
    }
    object.set("name", name)?;
    Ok(object)
}

/// The name of a curve: in k6 an object that reads as text.
struct CurveName(String);

/// What a script passed as a key.
pub(super) struct KeyArgument {
    /// Absent for objects that only look like one.
    key: Option<Rc<Key>>,
    pub(super) kind: String,
    pub(super) extractable: bool,
    usages: Vec<String>,
}

impl KeyArgument {
    /// Reads it; `None` when it is no object.
    pub(super) fn read(value: &Value) -> Result<Option<Self>, Exception> {
        if !value.is_object() {
            return Ok(None);
        }
        let text = |value: &Value| {
            if value.is_nullish() {
                Ok(String::new())
            } else {
                value.to_text()
            }
        };
        let usages = value.get("usages")?;
        let usages = if usages.is_array() {
            usages.elements()?.iter().map(Value::to_text).collect()
        } else {
            Ok(Vec::new())
        };
        Ok(Some(Self {
            key: value.host::<Key>(),
            kind: text(&value.get("type")?)?,
            extractable: value.get("extractable")?.truthy(),
            usages: usages?,
        }))
    }

    pub(super) fn may(&self, usage: &str) -> bool {
        self.usages.iter().any(|known| known == usage)
    }

    pub(super) fn usages(&self) -> &[String] {
        &self.usages
    }

    /// The key's secret, when there is one.
    pub(super) fn handle(&self) -> Option<&Handle> {
        self.key.as_ref().map(|key| &key.handle)
    }

    pub(super) fn algorithm(&self) -> Option<&Algorithm> {
        self.key.as_ref().map(|key| &key.algorithm)
    }

    /// Fails when its type is not one of a key.
    pub(super) fn check_kind(&self) -> Result<(), Failure> {
        if ["private", "public", "secret"].contains(&self.kind.as_str()) {
            return Ok(());
        }
        Err(Failure::plain("invalid key type"))
    }

    /// The bytes of a secret key, or the failure.
    pub(super) fn secret(&self, name: &'static str, text: &str) -> OperationResult<&[u8]> {
        let secret = self.handle().and_then(Handle::secret);
        secret.ok_or_else(|| Failure::new(name, text).into())
    }
}

/// A user's own: made with its first key.
struct Prototypes {
    proto: Value,
    methods: Vec<(&'static str, Value)>,
    pair_methods: Vec<(&'static str, Value)>,
    hash_fn: Value,
    curve: Value,
    curve_text: Value,
}

impl Prototypes {
    /// Gives a key its methods and lets nothing else be added.
    fn finish(&self, ctx: &Ctx, key: &Value) -> Result<(), Exception> {
        for (name, method) in &self.methods {
            key.define(*name, method, Attributes::FIXED)?;
        }
        complete(ctx, key)
    }

    fn from_ctx(ctx: &Ctx) -> Result<Rc<Self>, Exception> {
        if let Some(shapes) = ctx.try_host::<Self>() {
            return Ok(shapes);
        }
        let refused = |name: &str, text: &'static str| {
            ctx.function(name, 0, move |ctx, _| Err::<(), _>(go_error(ctx, text)))
        };
        let itself = |name: &str| ctx.function(name, 0, |_, args| Ok(args.this()));
        let is_pair = |pair: bool| ctx.function("isKeyPair", 0, move |_, _| Ok(pair));
        let contains = ctx.function("containsUsage", 1, |_, args| {
            let usage = args.get(0).to_text()?;
            let given = KeyArgument::read(&args.this())?;
            Ok(given.is_some_and(|given| given.may(&usage)))
        })?;
        let validate = ctx.function("validate", 0, |ctx, args| {
            let given = KeyArgument::read(&args.this())?;
            let valid = given.is_some_and(|given| given.check_kind().is_ok());
            if valid {
                Ok(())
            } else {
                Err(go_error(ctx, "invalid key type"))
            }
        })?;
        let no_pair = "not a Crypto Key Pair";
        let methods = vec![
            ("containsUsage", contains),
            ("isKeyPair", is_pair(false)?),
            ("resolveCryptoKey", itself("resolveCryptoKey")?),
            (
                "resolveCryptoKeyPair",
                refused("resolveCryptoKeyPair", no_pair)?,
            ),
            ("validate", validate),
        ];
        let no_key = "not a CryptoKey";
        let pair_methods = vec![
            ("isKeyPair", is_pair(true)?),
            ("resolveCryptoKey", refused("resolveCryptoKey", no_key)?),
            ("resolveCryptoKeyPair", itself("resolveCryptoKeyPair")?),
        ];
        let curve = ctx.object()?;
        let text = |name: &str| {
            ctx.function(name, 0, |_, args| {
                Ok(args.this_host::<CurveName>()?.0.clone())
            })
        };
        for name in ["toString", "toJSON"] {
            curve.define(name, text(name)?, Attributes::HIDDEN)?;
        }
        let shapes = Rc::new(Self {
            proto: ctx.object()?.prototype()?,
            methods,
            pair_methods,
            hash_fn: refused("hashFn", "hashes are in k6/crypto")?,
            curve,
            curve_text: text("string")?,
        });
        ctx.set_host(shapes.clone());
        Ok(shapes)
    }
}

/// Refuses a form that keys of an algorithm have not.
pub(super) fn unsupported_format<T>(format: &str) -> OperationResult<T> {
    let text = format!("unsupported key format {format}");
    fail("NotSupportedError", text)
}

/// The object of a key; one that is good for nothing is refused.
pub(super) fn useful(ctx: &Ctx, key: Key) -> OperationResult<Value> {
    if key.is_useless() {
        let text = "usages cannot not be empty for a secret or private CryptoKey";
        return fail("SyntaxError", text);
    }
    Ok(key.into_object(ctx)?)
}
