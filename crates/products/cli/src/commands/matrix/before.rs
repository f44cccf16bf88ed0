//! What is said before the first request, and as each test begins.

use std::time::Duration;

use loadline_analysis::slo::Term;
use loadline_experiment::matrix::{
    CellKind, CellTimes, MatrixSettings, PLANNED_SHARE, STRESS_TIMES,
};
use loadline_report::matrix::RowKind;
use loadline_text::{Catalog, capacity, matrix, percent, significant};
use loadline_units::duration::go_string;

use super::rows::{RowSource, RowSources};

/// A time in whole seconds.
fn time(seconds: f64, catalog: &Catalog) -> String {
    let whole = Duration::from_secs_f64(seconds.max(0.0).round());
    catalog.length(&go_string(whole))
}

fn rate(value: f64) -> String {
    format!("{}/s", significant(value))
}

/// The matrix as it is said before the first request.
pub(super) struct AnnouncedMatrix<'a> {
    pub(super) sources: &'a RowSources,
    pub(super) terms: &'a [Term],
    /// The objective is the usual one: neither typed nor of a plan.
    pub(super) is_usual: bool,
    pub(super) pace: MatrixSettings,
    pub(super) hosts: &'a [String],
    /// The tag of its runs, where they are kept.
    pub(super) id: Option<&'a str>,
    /// Features of the plan that no row is of.
    pub(super) unmatched: &'a [String],
}

impl AnnouncedMatrix<'_> {
    /// A line each.
    pub(super) fn text(&self, catalog: &Catalog) -> String {
        let rows = &self.sources.rows;
        let terms: Vec<String> = self.terms.iter().map(ToString::to_string).collect();
        let terms = terms.join(", ");
        let names = |rows: &[&RowSource]| -> String {
            let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            names.join(", ")
        };
        let all: Vec<&RowSource> = rows.iter().collect();
        let mut lines = vec![
            if self.is_usual {
                capacity::before_slo_default(terms)
            } else {
                capacity::before_slo(terms)
            },
            matrix::before_rows(rows.len(), names(&all)),
        ];
        let flow = rows.iter().find(|row| row.kind == RowKind::Flow);
        lines.extend(flow.map(|row| matrix::before_flow(&row.name)));
        let planned: Vec<String> = rows
            .iter()
            .filter_map(|row| Some(format!("{} {}", row.name, rate(row.planned?))))
            .collect();
        if !planned.is_empty() {
            lines.push(matrix::before_planned(planned.join(", ")));
        }
        let unplanned: Vec<&RowSource> = rows.iter().filter(|row| row.planned.is_none()).collect();
        if !unplanned.is_empty() {
            let share = percent(PLANNED_SHARE);
            lines.push(matrix::before_unplanned(names(&unplanned), share));
        }
        lines.push(if self.hosts.is_empty() {
            capacity::before_hosts_unknown()
        } else {
            capacity::before_hosts(self.hosts.join(", "))
        });
        let times = self.pace.times(self.usually_spent());
        let each = time(self.pace.row_seconds, catalog);
        let whole = time(self.pace.row_seconds * rows.len() as f64, catalog);
        lines.push(matrix::before_time(&each, whole));
        let of = |seconds| time(seconds, catalog);
        let (load, stress, search) = (of(times.load), of(times.stress), of(times.search));
        lines.push(if times.soak > 0.0 {
            matrix::before_cells(each, load, stress, search, of(times.soak))
        } else {
            matrix::before_cells_quick(each, load, stress, search)
        });
        lines.push(match self.id {
            Some(id) => matrix::before_id(id),
            None => matrix::before_not_kept(),
        });
        if !self.unmatched.is_empty() {
            lines.push(matrix::plan_unmatched(self.unmatched.join(", ")));
        }
        let lines = lines.iter().map(|line| catalog.text(line) + "\n");
        lines.collect::<String>() + "\n"
    }

    /// What a row's other tests take until its search, seconds.
    fn usually_spent(&self) -> f64 {
        let times = self.pace.times(0.0);
        times.load + times.stress * STRESS_TIMES.len() as f64
    }
}

/// A test as it begins.
pub(super) fn cell(kind: CellKind, loads: &[f64], times: CellTimes, catalog: &Catalog) -> String {
    let of = |seconds| time(seconds, catalog);
    let loads: Vec<String> = loads.iter().map(|load| rate(*load)).collect();
    let loads = loads.join(", ");
    catalog.text(&match kind {
        CellKind::Smoke => matrix::cell_smoke(),
        CellKind::Load => matrix::cell_load(loads, of(times.load)),
        CellKind::Stress => matrix::cell_stress(loads, of(times.stress)),
        CellKind::Capacity if times.soak > 0.0 => {
            matrix::cell_capacity_soak(of(times.search), of(times.soak))
        }
        CellKind::Capacity => matrix::cell_capacity(of(times.search)),
    })
}
