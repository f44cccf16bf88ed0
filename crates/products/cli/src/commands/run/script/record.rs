//! What is kept and sent of a script's run: its record, its outputs, its signals.

use std::collections::BTreeMap;
use std::sync::Arc;

use loadline_k6::RemoteModule;
use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6_options::{K6Feature, K6Version};
use loadline_session::OutputsRequest;
use loadline_session::k6::K6Test;
use loadline_store::{ModuleInfo, RecorderConfig, SegmentInfo};
use loadline_text::{Dialect, Exit, messages};

use super::Script;
use super::refusal::ScriptRefusal;
use super::stop::Stop;
use crate::context::Context;
use crate::launch::outputs::{self, OutputFlags};
use crate::launch::plan_comparison::PlanComparison;
use crate::launch::recording::{self, TestFacts};
use crate::refusal::Refusal;

/// Variables of outputs that k6 reads no more since version 2, and what to use instead.
const REMOVED: [(&str, &str); 2] = [
    ("K6_OTEL_EXPORTER_TYPE", "K6_OTEL_EXPORTER_PROTOCOL"),
    ("K6_OTEL_SINGLE_COUNTER_FOR_RATE", "condition=nonzero|zero"),
];

impl Script {
    /// The environment as outputs see it: with features, without what k6 does not read any more.
    fn output_variables(&self, context: &mut Context, test: &K6Test) -> BTreeMap<String, String> {
        let mut variables = context.env.clone();
        if self.runtime.version < K6Version::V2 {
            return variables;
        }
        if test.features.has(K6Feature::NativeHistograms) {
            let name = "K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM".to_owned();
            variables.insert(name, "true".to_owned());
        }
        for (name, instead) in REMOVED {
            if variables.remove(name).is_some() && !test.out.is_empty() {
                let text = messages::variable_removed(name, instead);
                context.err(&format!("loadline: {}\n", self.catalog.text(&text)));
            }
        }
        variables
    }

    /// Where samples go besides.
    pub(super) fn outputs(
        &self,
        context: &mut Context,
        test: &K6Test,
    ) -> Result<Option<Arc<OutputsRequest>>, Stop> {
        if test.web_dashboard {
            let text = self.catalog.text(&messages::web_dashboard());
            context.err(&format!("loadline: {text}\n"));
        }
        let flags = OutputFlags {
            outs: test.out.clone(),
            variables: Some(self.output_variables(context, test)),
            ..self.flags.outputs.clone()
        };
        let tags = test.options.effective_system_tags().names();
        let tags = tags.into_iter().map(str::to_owned).collect();
        let (of_test, kept) = (&self.parsed.run.env, &self.flags.recording.keep_env);
        let redactor = recording::redactor(&context.env, of_test, kept);
        let request = outputs::request(context, &flags, Some(tags), redactor).map_err(|error| {
            let exit = if error.is_invalid_opentelemetry() {
                Exit::InvalidConfig
            } else {
                Exit::Other
            };
            let code = exit.code(Dialect::K6);
            Stop::Logged(ScriptRefusal::new(error.to_string(), code))
        })?;
        let configs = request.iter().flat_map(|request| &request.configs);
        for warning in configs.flat_map(|config| &config.warnings) {
            self.log.log(Entry::new(LogLevel::Warning, warning.clone()));
        }
        Ok(request)
    }

    /// As what the run is kept.
    pub(super) fn recorder_config(
        &self,
        context: &Context,
        test: &K6Test,
    ) -> Result<Option<Box<RecorderConfig>>, Refusal> {
        let read = recording::variables_read(&test.source.text);
        let of_flags = self.parsed.run.env.iter().map(|(name, _)| name.as_str());
        let names: Vec<&str> = of_flags.chain(read).collect();
        let env = &self.runtime.script_env;
        let of_sources = test.secrets.iter();
        let of_sources = of_sources.map(|value| (String::new(), value.clone()));
        let facts = TestFacts {
            kind: "k6",
            name: self.name.clone(),
            hash: test.source.hash.clone(),
            source: Some(test.source.text.clone()),
            modules: test.remote_modules.iter().map(module_info).collect(),
            options: test.options.to_test_options(),
            segment: test.options.execution_segment.map(|part| SegmentInfo {
                part: part.to_string(),
                sequence: test
                    .options
                    .execution_segment_sequence
                    .as_ref()
                    .map_or_else(String::new, ToString::to_string),
            }),
            plan: self.planned.as_ref().map(PlanComparison::kept),
            secrets: names
                .into_iter()
                .filter_map(|name| Some((name.to_owned(), env.get(name)?.clone())))
                .chain(of_sources)
                .collect(),
        };
        recording::config(context, &self.flags.recording, facts)
    }
}

fn module_info(module: &RemoteModule) -> ModuleInfo {
    ModuleInfo {
        url: module.url.clone(),
        sha256: module.sha256.clone(),
        origin: module.origin.name().to_owned(),
    }
}
