//! How asynchronous operations fail: with a named error or with a plain message. Both reject
//! the promise with an object that is not an `Error`.

use std::future::Future;
use std::rc::Rc;

use loadline_js::{Attributes, Ctx, Exception, Value};

/// Why an operation failed.
pub(super) enum OperationError {
    /// The promise is rejected with this.
    Failure(Failure),
    /// The call itself throws.
    Thrown(Exception),
}

/// The result of one step of an operation.
pub(super) type OperationResult<T> = Result<T, OperationError>;

/// An error as scripts see it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
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
        let shapes = Prototypes::from_ctx(ctx)?;
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
    pub(crate) fn text_of(value: &Value) -> Option<String> {
        Some(value.host::<Self>()?.text())
    }
}

impl From<Failure> for OperationError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Exception> for OperationError {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

/// A failure with a name.
pub(super) fn fail<T>(name: &'static str, text: impl Into<String>) -> OperationResult<T> {
    Err(Failure::new(name, text).into())
}

/// The prototypes of one user, made when something first fails.
struct Prototypes {
    proto: Value,
    error: Value,
}

impl Prototypes {
    fn from_ctx(ctx: &Ctx) -> Result<Rc<Self>, Exception> {
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
pub(super) fn promise<W>(ctx: &Ctx, prepared: OperationResult<W>) -> Result<Value, Exception>
where
    W: FnOnce(&Ctx) -> OperationResult<Value> + 'static,
{
    let prepared = prepared.map(|work| (std::future::ready(()), |ctx: &Ctx, ()| work(ctx)));
    promise_after(ctx, prepared)
}

/// A promise of what `finish` makes, on the event loop, of what a future gave.
pub(super) fn promise_after<T: 'static>(
    ctx: &Ctx,
    prepared: OperationResult<(
        impl Future<Output = T> + 'static,
        impl FnOnce(&Ctx, T) -> OperationResult<Value> + 'static,
    )>,
) -> Result<Value, Exception> {
    let (promise, resolver) = ctx.promise()?;
    match prepared {
        Err(OperationError::Thrown(exception)) => return Err(exception),
        Err(OperationError::Failure(failure)) => resolver.reject(failure.into_value(ctx)?)?,
        Ok((future, finish)) => ctx.spawn(future, move |ctx, given| match finish(ctx, given) {
            Ok(value) => resolver.resolve(value),
            Err(OperationError::Failure(failure)) => resolver.reject(failure.into_value(ctx)?),
            Err(OperationError::Thrown(exception)) => resolver.settle(ctx, Err(exception)),
        }),
    }
    Ok(promise)
}
