//! Modules made by native code.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ffi;
use crate::quickjs::{Ctx, Exception, Value};

type Factory = Arc<dyn Fn(&Ctx) -> Result<Exports, Exception> + Send + Sync>;

/// The built-in modules a program may import, by specifier. Each is made once per
/// runtime, when it is first imported.
#[derive(Clone, Default)]
pub struct Builtins {
    factories: BTreeMap<String, Factory>,
}

impl Builtins {
    /// No modules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a module; a second of the same name replaces the first.
    pub fn add(
        &mut self,
        specifier: impl Into<String>,
        make: impl Fn(&Ctx) -> Result<Exports, Exception> + Send + Sync + 'static,
    ) {
        self.factories.insert(specifier.into(), Arc::new(make));
    }

    /// Whether there is a module of this name.
    #[must_use]
    pub fn contains(&self, specifier: &str) -> bool {
        self.factories.contains_key(specifier)
    }

    pub(crate) fn make(&self, ctx: &Ctx, specifier: &str) -> Result<Exports, Exception> {
        match self.factories.get(specifier) {
            Some(factory) => Arc::clone(factory)(ctx),
            None => Err(Exception::error(format!(
                "unknown built-in module {specifier:?}"
            ))),
        }
    }
}

/// What a built-in module exports. Names it lacks are `null` to their importers.
#[derive(Clone, Default)]
pub struct Exports {
    pub(crate) default: Option<Value>,
    pub(crate) named: Vec<(String, Value)>,
}

impl Exports {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a named export.
    pub fn add(&mut self, name: impl Into<String>, value: Value) -> &mut Self {
        self.named.push((name.into(), value));
        self
    }

    /// Sets the default export. Without one it is an object of the named exports.
    pub fn set_default(&mut self, value: Value) -> &mut Self {
        self.default = Some(value);
        self
    }

    /// The object of all named exports.
    fn namespace(&self, ctx: &Ctx) -> Result<Value, Exception> {
        let object = ctx.object()?;
        for (name, value) in &self.named {
            object.set(name, value)?;
        }
        Ok(object)
    }

    /// The export `name`, with the default filled in.
    pub(crate) fn get(&self, name: &str) -> Option<Value> {
        if name == "default" {
            return self.default.clone();
        }
        self.named
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }

    /// Marks what is exported as common to the users of its realm.
    pub(crate) fn share(&self) {
        for value in self
            .named
            .iter()
            .map(|(_, value)| value)
            .chain(&self.default)
        {
            // SAFETY: the value and its context are alive.
            unsafe { ffi::csrc::host_share_value(value.runtime().ctx, value.raw()) };
        }
    }

    pub(crate) fn complete(mut self, ctx: &Ctx) -> Result<Self, Exception> {
        if self.default.is_none() {
            self.default = Some(self.namespace(ctx)?);
        }
        Ok(self)
    }

    /// What `require` gives: the default export.
    pub(crate) fn required(&self, ctx: &Ctx) -> Result<Value, Exception> {
        match &self.default {
            Some(default) => Ok(default.clone()),
            None => self.namespace(ctx),
        }
    }
}
