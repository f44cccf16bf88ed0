//! `k6/experimental/csv`: the rows of a file, either as an array that all users share or one
//! after the other.

mod records;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Args, Attributes, Ctx, Exception, Exports, Value};

use super::data;
use super::failure::{Failure, OperationResult, promise};
use super::fs::File;
use crate::host::Host;
use crate::host::lock;
use crate::modules::go_error::go_error;
use records::{Options, Row, Rows};

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let wrap = data::wrapper(ctx)?;
    exports.add("parse", ctx.function_with("parse", 2, vec![wrap], parse)?);
    let next = ctx.function("next", 0, next)?;
    let class = ctx.constructor("Parser", 2, |ctx, args| {
        let rows = new_parser(ctx, args)?;
        let proto = ctx.object()?.prototype()?;
        let object = ctx.host_object(&proto, Rc::new(RefCell::new(rows)))?;
        object.define("next", args.this().get("next")?, Attributes::FIXED)?;
        Ok(object)
    })?;
    class.define("next", next, Attributes::NONE)?;
    exports.add("Parser", class);
    Ok(exports)
}

/// The file in an argument; none where an object is no file.
fn file_of(ctx: &Ctx, value: &Value) -> Result<Option<Rc<File>>, Exception> {
    if value.is_object() {
        return Ok(value.host::<File>());
    }
    let kind = match value.as_f64() {
        Some(number) if number.fract() == 0.0 => "sobek.valueInt",
        Some(_) => "sobek.valueFloat",
        None if value.is_bool() => "sobek.valueBool",
        None if value.is_undefined() => "sobek.valueUndefined",
        None if value.is_null() => "sobek.valueNull",
        None => "sobek.asciiString",
    };
    let text = format!("first argument expected to be a fs.File instance, got {kind} instead");
    Err(go_error(ctx, text))
}

/// Begins to read a file.
fn rows_of(ctx: &Ctx, file: Option<Rc<File>>, options: Options) -> Result<Rows, Exception> {
    let refused =
        |why: &str| go_error(ctx, format!("failed to create a new parser; reason: {why}"));
    let file = file.ok_or_else(|| refused("the reader cannot be nil"))?;
    Rows::new(file, options).map_err(|why| refused(&why))
}

/// The options in the argument after the file.
fn options_of(value: &Value) -> Result<Result<Options, String>, Exception> {
    if value.is_nullish() {
        return Err(Exception::type_error(
            "Cannot convert undefined or null to object",
        ));
    }
    let mut options = Options::default();
    if value.has("delimiter")? {
        let text = value.get("delimiter")?.to_text()?;
        let [delimiter] = text.as_bytes() else {
            let why = "delimiter must be a single character";
            return Ok(Err(why.to_owned()));
        };
        options.delimiter = *delimiter;
    }
    let flag = |name: &str| Ok::<_, Exception>(value.get(name)?.truthy());
    let line = |name: &str| {
        if value.has(name)? {
            let line = value.get(name)?;
            let line = if line.is_nullish() { 0 } else { line.to_i64()? };
            Ok::<_, Exception>(Some(line))
        } else {
            Ok(None)
        }
    };
    options.skip_first_line = flag("skipFirstLine")?;
    options.from_line = line("fromLine")?;
    options.to_line = line("toLine")?;
    options.as_objects = flag("asObjects")?;
    if let (Some(from), Some(to)) = (options.from_line, options.to_line)
        && from >= to
    {
        let why = "fromLine must be less than or equal to toLine";
        return Ok(Err(why.to_owned()));
    }
    Ok(Ok(options))
}

/// `parse(file, options?)`
fn parse(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let file = file_of(ctx, &args.get(0))?;
    let options = match args.len() {
        0 | 1 => Options::default(),
        _ => options_of(&args.get(1))?.map_err(|why| {
            let text = format!("failed to interpret the provided Parser options; reason: {why}");
            go_error(ctx, text)
        })?,
    };
    let path = file.as_ref().map(|file| file.path());
    let name = format!("csv.parse.{options:?}.{}", path.unwrap_or_default());
    let mut rows = rows_of(ctx, file, options)?;
    let wrap = args.slot(0);
    let work = move |ctx: &Ctx| -> OperationResult<Value> {
        let host = Host::from_ctx(ctx);
        let known = lock(&host.shared.arrays).get(&name).cloned();
        let elements = match known {
            Some(elements) => elements,
            None => {
                let made = all(&mut rows).map_err(|why| {
                    go_error(ctx, format!("failed to read record; reason: {why}"))
                })?;
                let mut arrays = lock(&host.shared.arrays);
                arrays.entry(name).or_insert(made).clone()
            }
        };
        Ok(data::wrapped(ctx, &wrap, elements)?)
    };
    promise(ctx, Ok(work))
}

/// All that is left, as JSON.
fn all(rows: &mut Rows) -> Result<Arc<[Box<str>]>, String> {
    let mut elements = Vec::new();
    while let Some(row) = rows.next()? {
        elements.push(json(row).into_boxed_str());
    }
    Ok(elements.into())
}

fn json(row: Row) -> String {
    match row {
        Row::Fields(fields) => serde_json::Value::from(fields).to_string(),
        Row::Named(mut pairs) => {
            // As Go writes maps.
            pairs.sort();
            let object: serde_json::Map<_, _> = pairs
                .into_iter()
                .map(|(name, field)| (name, field.into()))
                .collect();
            serde_json::Value::Object(object).to_string()
        }
    }
}

fn new_parser(ctx: &Ctx, args: &Args<'_>) -> Result<Rows, Exception> {
    if !args.is_new() {
        return Err(Exception::type_error(
            "Class constructor Parser cannot be invoked without 'new'",
        ));
    }
    if !Host::from_ctx(ctx).is_init() {
        let text = "csv Parser constructor must be called in the init context";
        return Err(go_error(ctx, text));
    }
    if args.get(0).is_nullish() {
        let text = "csv Parser constructor takes at least one non-nil source argument";
        return Err(go_error(ctx, text));
    }
    let file = file_of(ctx, &args.get(0))?;
    let options = if args.len() == 2 && !args.get(1).is_undefined() {
        options_of(&args.get(1))?.map_err(|why| {
            let text =
                format!("encountered an error while interpreting Parser options; reason: {why}");
            go_error(ctx, text)
        })?
    } else {
        Options::default()
    };
    rows_of(ctx, file, options)
}

/// `parser.next()`
fn next(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let rows = args.this_host::<RefCell<Rows>>()?;
    let work = move |ctx: &Ctx| -> OperationResult<Value> {
        let row = rows.borrow_mut().next().map_err(Failure::plain)?;
        let result = ctx.object()?;
        result.set("done", row.is_none())?;
        match row {
            None => result.set("value", ctx.array([])?)?,
            Some(Row::Fields(fields)) => result.set("value", fields)?,
            Some(Row::Named(pairs)) => {
                let object = ctx.object()?;
                for (name, field) in pairs {
                    object.set(ctx.atom(&name), field)?;
                }
                result.set("value", object)?;
            }
        }
        Ok(result)
    };
    promise(ctx, Ok(work))
}
