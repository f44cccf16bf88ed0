//! Writing a plan's tests into a folder.

use std::path::Path;

use loadline_bare::UrlRequest;
use loadline_sizing::write::{GeneratedFile, TestSpec, artillery, k6};
use loadline_sizing::{FigureUnit, LoadPlan, PlanFile};
use loadline_text::{Catalog, plan, problem};

use crate::context::Context;
use crate::launch::problems;
use crate::refusal::Refusal;

/// Writes the tests and `plan.json`; says what was written.
pub(super) fn write(
    context: &Context,
    kind_and_folder: &[String],
    target: &str,
    plan: &LoadPlan,
    samples: Vec<Vec<String>>,
    catalog: &Catalog,
) -> Result<String, Refusal> {
    let [kind, folder] = kind_and_folder else {
        return Err(Refusal::config(problem::option_without_value("--write")));
    };
    check_target(target)?;
    let mut spec = TestSpec::from_plan(plan, target)
        .ok_or_else(|| Refusal::config(problem::plan_no_rate()))?;
    if samples.len() == spec.loads.len() {
        spec.samples = samples;
    }
    of_spec(context, kind, folder, &spec, plan, catalog)
}

/// Writes the tests of `spec`.
fn of_spec(
    context: &Context,
    kind: &str,
    folder: &str,
    spec: &TestSpec,
    plan: &LoadPlan,
    catalog: &Catalog,
) -> Result<String, Refusal> {
    let (files, tests) = match kind {
        "k6" => k6::files(spec, catalog),
        "artillery" => artillery::files(spec, catalog),
        other => {
            let problem = problem::option_invalid("--write", other, "k6 | artillery");
            return Err(Refusal::config(problem));
        }
    };
    let path = context.working_dir.join(folder);
    std::fs::create_dir_all(&path)
        .map_err(|error| Refusal::other(problem::write_failed(folder, error)))?;
    for file in &files {
        save(&path, folder, file)?;
    }
    let stored = GeneratedFile {
        name: "plan.json".to_owned(),
        text: PlanFile::new(plan, tests).text(),
    };
    save(&path, folder, &stored)?;
    let mut said = format!(
        "\n{}\n",
        catalog.text(&plan::written_tests(files.len(), folder))
    );
    let goal = plan::written_goal(format!("'{}'", spec.goal()));
    said.push_str(&format!("{}\n", catalog.text(&goal)));
    let bare = spec.without_body();
    if !bare.is_empty() {
        let bare = plan::tests_without_body(bare.join(", "));
        said.push_str(&format!("{}\n", catalog.text(&bare)));
    }
    // Artillery's users arrive: their number, and what they send, has no ceiling.
    if spec.think > 0.0 && kind == "k6" {
        let flow = plan::flow_ceiling(
            FigureUnit::Users.show(spec.users),
            spec.requests_per_iteration,
            FigureUnit::Seconds.show(spec.think),
            FigureUnit::PerSecond.show(spec.flow_ceiling(0.0)),
            FigureUnit::PerSecond.show(spec.flow_ceiling(spec.p95)),
            FigureUnit::Seconds.show(spec.p95),
        );
        said.push_str(&format!("{}\n", catalog.text(&flow)));
    }
    Ok(said)
}

fn save(folder: &Path, shown: &str, file: &GeneratedFile) -> Result<(), Refusal> {
    let path = folder.join(&file.name);
    std::fs::write(&path, &file.text).map_err(|error| {
        let shown = format!("{shown}/{}", file.name);
        Refusal::other(problem::write_failed(shown, error))
    })
}

/// Sees that the tests could be sent somewhere.
fn check_target(target: &str) -> Result<(), Refusal> {
    if !target.contains("://") {
        return Err(Refusal::config(problem::url_invalid(target)));
    }
    UrlRequest::get(target)
        .map(drop)
        .map_err(|error| Refusal::config(problems::of_target(target, &error)))
}
