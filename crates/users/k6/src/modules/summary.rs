//! Functions of the report for our replacement of the k6-summary library. Only that library
//! imports this built-in module.

use loadline_js::{Args, Ctx, Exception, Exports, Value};
use loadline_report::k6::{LegacyOptions, text_summary};

/// The module's name.
pub(crate) const NAME: &str = "loadline/k6-summary";

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    exports.add("textSummary", ctx.function("textSummary", 2, summary)?);
    Ok(exports)
}

/// `textSummary(data, options?)`
fn summary(_: &Ctx, args: &Args<'_>) -> Result<String, Exception> {
    let data = json_of(&args.get(0))?;
    let options = match args.given(1) {
        Some(options) => options_of(&options)?,
        None => LegacyOptions::default(),
    };
    text_summary(&data, &options).map_err(|error| Exception::type_error(error.to_string()))
}

fn json_of(value: &Value) -> Result<serde_json::Value, Exception> {
    let text = value.to_json()?.unwrap_or_default();
    serde_json::from_str(&text).map_err(|_| Exception::type_error("summary data is no object"))
}

fn options_of(options: &Value) -> Result<LegacyOptions, Exception> {
    let given = |key: &str| {
        let value = options.get(key)?;
        Ok::<_, Exception>((!value.is_nullish()).then_some(value))
    };
    let text = |key: &str| given(key)?.map(|value| value.to_text()).transpose();
    Ok(LegacyOptions {
        indent: text("indent")?,
        colors: given("enableColors")?.map(|value| value.truthy()),
        time_unit: text("summaryTimeUnit")?,
        trend_stats: match given("summaryTrendStats")? {
            Some(list) => Some(
                list.elements()?
                    .iter()
                    .map(Value::to_text)
                    .collect::<Result<_, _>>()?,
            ),
            None => None,
        },
    })
}
