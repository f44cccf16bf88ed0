//! How operations that give promises fail: with an error that has a name, or with plain
//! words. Both reject the promise with an object that is no `Error`.

use std::rc::Rc;

use loadline_js::{Attributes, Ctx, Exception, Value};

/// Why an operation gives no result.
pub(super) enum Trouble {
    /// The promise is rejected with this.
    Failure(Failure),
    /// The call itself throws.
    Thrown(Exception),
}

/// What a step gives, or why not.
pub(super) type Outcome<T> = Result<T, Trouble>;

/// An error as scripts see it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    name: Option<&'static str>,
    text: String,
}

impl Failure {
    /// One with a name, such as `OperationError`.
    pub(super) fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self {
            name: Some(name),
            text: text.into(),
        }
    }

    /// Words only.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            name: None,
            text: text.into(),
        }
    }

    /// As scripts print it.
    pub(super) fn text(&self) -> String {
        match self.name {
            Some(name) => format!("{name}: {}", self.text),
            None => self.text.clone(),
        }
    }

    /// The object a promise is rejected with.
    pub(super) fn into_value(self, ctx: &Ctx) -> Result<Value, Exception> {
        let shapes = Shapes::of(ctx)?;
        let (name, text) = (self.name, self.text.clone());
        let object = ctx.host_object(&shapes.proto, Rc::new(self))?;
        if let Some(name) = name {
            object.set("name", name)?;
            object.set("message", text)?;
        }
        object.define("error", &shapes.error, Attributes::FIXED)?;
        Ok(object)
    }

    /// The text of such an object.
    pub(super) fn text_of(value: &Value) -> Option<String> {
        Some(value.host::<Self>()?.text())
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Exception> for Trouble {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

/// A failure with a name.
pub(super) fn fail<T>(name: &'static str, text: impl Into<String>) -> Outcome<T> {
    Err(Failure::new(name, text).into())
}

/// A user's own: made when something first fails.
struct Shapes {
    proto: Value,
    error: Value,
}

impl Shapes {
    fn of(ctx: &Ctx) -> Result<Rc<Self>, Exception> {
        if let Some(shapes) = ctx.try_host::<Self>() {
            return Ok(shapes);
        }
        let proto = ctx.object()?;
        proto.method("toString", 0, |_, args| {
            Ok(args.this_host::<Failure>()?.text())
        })?;
        let error = ctx.function("error", 0, |_, args| {
            Ok(args.this_host::<Failure>()?.text())
        })?;
        let shapes = Rc::new(Self { proto, error });
        ctx.set_host(shapes.clone());
        Ok(shapes)
    }
}

/// A promise of what `work` gives on the event loop, after `prepare` took the arguments
/// in; each may reject it.
pub(super) fn promise<W>(ctx: &Ctx, prepared: Outcome<W>) -> Result<Value, Exception>
where
    W: FnOnce(&Ctx) -> Outcome<Value> + 'static,
{
    let (promise, resolver) = ctx.promise()?;
    match prepared {
        Err(Trouble::Thrown(exception)) => return Err(exception),
        Err(Trouble::Failure(failure)) => resolver.reject(failure.into_value(ctx)?)?,
        Ok(work) => ctx.spawn(std::future::ready(()), move |ctx, ()| match work(ctx) {
            Ok(value) => resolver.resolve(value),
            Err(Trouble::Failure(failure)) => resolver.reject(failure.into_value(ctx)?),
            Err(Trouble::Thrown(exception)) => resolver.settle(ctx, Err(exception)),
        }),
    }
    Ok(promise)
}
