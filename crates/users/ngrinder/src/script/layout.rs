//! The script as a whole: imports, options, what stands outside of functions, functions, and what a virtual user runs.

use loadline_text::ngrinder;

use super::code::{Lines, quoted};
use super::{Place, Turn};
use crate::form::{Function, StmtKind};
use crate::loss::LossReason;

/// What runs in a virtual user only.
const NEEDS_USER: [&str; 6] = [
    "http.",
    "sleep(",
    "exec.vu",
    "__ITER",
    "addCookie",
    "check(",
];

/// A function, written.
struct WrittenFunction {
    at: usize,
    text: String,
}

impl Turn<'_> {
    pub(super) fn layout(&mut self) -> String {
        let mut start = Lines::default();
        let fields = self.fields(&mut start);
        let functions = self.functions();
        let mut lines = Lines::default();
        for function in &functions {
            lines.text.push_str(&function.text);
            lines.text.push('\n');
        }
        let once = self.process_start(&functions, &mut start);
        let main = self.main(&start);
        let end = self.process_end();
        let mut text = self.head();
        text.push_str(&self.options());
        if self.facts.sets_timeout {
            text.push_str("let timeout; // ms\n");
        }
        if self.uses_self {
            text.push_str("const self = {};\n");
        }
        for part in [fields, lines.text, once, main, end] {
            text.push_str(&part);
        }
        for helper in self.helpers.clone() {
            text.push('\n');
            text.push_str(helper.text());
        }
        text
    }

    fn head(&self) -> String {
        let mut text = String::new();
        if self.imports.contains("http") || self.helpers.contains(&super::Helper::AddCookie) {
            text.push_str("import http from 'k6/http';\n");
        }
        let mut names: Vec<&str> = ["check", "group", "sleep"].to_vec();
        names.retain(|name| self.imports.contains(name));
        if !names.is_empty() {
            text.push_str(&format!("import {{ {} }} from 'k6';\n", names.join(", ")));
        }
        if self.imports.contains("exec") {
            text.push_str("import exec from 'k6/execution';\n");
        }
        if self.imports.contains("encoding") {
            text.push_str("import encoding from 'k6/encoding';\n");
        }
        text.push('\n');
        text
    }

    fn options(&self) -> String {
        let note = |message| self.catalog.text(&message);
        let mut lines = Lines::default();
        lines.push(0, "export const options = {");
        lines.push(1, &format!("// {}", note(ngrinder::note_load())));
        lines.push(1, "vus: 10,");
        lines.push(1, "duration: '30s',");
        if !self.facts.follows_redirects {
            lines.push(1, &format!("// {}", note(ngrinder::note_redirects())));
            lines.push(1, "maxRedirects: 0,");
        }
        if self.facts.has_https {
            lines.push(1, &format!("// {}", note(ngrinder::note_certificates())));
            lines.push(1, "insecureSkipTLSVerify: true,");
        }
        if self.has_checks {
            lines.push(1, "thresholds: { checks: ['rate>0.99'] },");
        }
        lines.push(0, "};");
        lines.push(0, "");
        lines.text
    }

    /// What stands outside of functions. What needs a virtual user is put off to its first iteration.
    fn fields(&mut self, start: &mut Lines) -> String {
        let program = self.program;
        let mut fields = Lines::default();
        for stmt in &program.body {
            self.place = Place::Start;
            let mut own = Lines::default();
            self.statements(std::slice::from_ref(stmt), false, &mut own);
            if !needs_user(&own.text) {
                fields.text.push_str(&own.text);
                continue;
            }
            let text = own.text.replace('\n', "\n    ");
            let text = text.trim_end();
            match (&stmt.kind, text.split_once(' ')) {
                (StmtKind::Let { name, .. }, Some((_, assigned))) => {
                    let name = self.names.declare_global(name);
                    fields.push(0, &format!("let {name};"));
                    start.push(2, assigned);
                }
                _ => start.push(2, text),
            }
        }
        if !fields.text.is_empty() {
            fields.text.push('\n');
        }
        fields.text
    }

    fn functions(&mut self) -> Vec<WrittenFunction> {
        let program = self.program;
        let mut written = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            if function.has_any(&["Ignore"]) {
                continue;
            }
            if function.has_any(&["AfterThread"]) {
                let mistake = crate::loss::Mistake::new(function.line, LossReason::ThreadEnd);
                let text = format!("{}\n", self.lose(&mistake).join("\n"));
                written.push(WrittenFunction { at, text });
                continue;
            }
            let mut text = self.one_function(at, function);
            let is_process = function.has_any(&["BeforeProcess", "BeforeClass"]);
            if is_process && needs_user(&text) && text.contains("open(") {
                let known = self.losses.len();
                text = self.function(at, Place::Inside, false);
                self.losses.drain(..known.min(self.losses.len())).count();
            }
            if text.ends_with(") {}\n") && !function.annotations.is_empty() && !function.is_test() {
                self.empty.insert(function.name.clone());
                continue;
            }
            written.push(WrittenFunction { at, text });
        }
        written
    }

    fn one_function(&mut self, at: usize, function: &Function) -> String {
        let is_own = function.annotations.is_empty();
        let place = if function.is_test() {
            Place::Test
        } else if function.has_any(&["BeforeProcess", "BeforeClass"]) {
            Place::Start
        } else {
            Place::Inside
        };
        let text = self.function(at, place, is_own && self.gives_last);
        without_last_return(&text)
    }

    /// The call of what runs once for a process: before the run, or where it sends requests in each virtual user.
    fn process_start(&mut self, functions: &[WrittenFunction], start: &mut Lines) -> String {
        let program = self.program;
        let mut once = Lines::default();
        for written in functions {
            let function = &program.functions[written.at];
            let name = self
                .names
                .function(&function.name)
                .unwrap_or_default()
                .to_owned();
            if function.has_any(&["BeforeProcess", "BeforeClass"]) {
                let is_put_off = self.needs_user_in(&written.text, functions);
                if is_put_off {
                    let mistake = crate::loss::Mistake::new(function.line, LossReason::ForEachUser);
                    let comment = self.catalog.text(&mistake.reason.message());
                    self.note_loss(mistake.line, mistake.reason);
                    start.push(2, &format!("// {comment}"));
                    start.push(2, &format!("{name}();"));
                } else {
                    once.push(0, &format!("{name}();"));
                    once.push(0, "");
                }
            }
        }
        for written in functions {
            let function = &program.functions[written.at];
            if function.has_any(&["BeforeThread"]) {
                let name = self.names.function(&function.name).unwrap_or_default();
                start.push(2, &format!("{name}();"));
            }
        }
        once.text
    }

    /// Whether a function, or one that it calls, needs a virtual user.
    fn needs_user_in(&self, text: &str, functions: &[WrittenFunction]) -> bool {
        let mut seen = vec![false; functions.len()];
        let mut rest = vec![text];
        while let Some(text) = rest.pop() {
            if needs_user(text) {
                return true;
            }
            for (at, other) in functions.iter().enumerate() {
                let name = &self.program.functions[other.at].name;
                let name = self.names.function(name).unwrap_or_default();
                let body = text.split_once('\n').map_or("", |(_, body)| body);
                if !seen[at] && body.contains(&format!("{name}(")) {
                    seen[at] = true;
                    rest.push(&other.text);
                }
            }
        }
        false
    }

    fn main(&mut self, start: &Lines) -> String {
        let mut lines = Lines::default();
        if !start.text.is_empty() {
            lines.push(0, "let isStarted = false;");
        }
        lines.push(0, "export default function () {");
        if !start.text.is_empty() {
            lines.push(1, "if (!isStarted) {");
            lines.text.push_str(&start.text);
            lines.push(2, "isStarted = true;");
            lines.push(1, "}");
        }
        let repeats = self
            .program
            .annotations
            .iter()
            .find(|one| one.name == "Repeat");
        let repeats = repeats
            .and_then(|one| one.number)
            .filter(|count| *count > 1);
        let depth = match repeats {
            Some(count) => {
                lines.push(1, &format!("for (let run = 0; run < {count}; run += 1) {{"));
                2
            }
            None => 1,
        };
        self.tests(depth, &mut lines);
        if depth > 1 {
            lines.push(1, "}");
        }
        lines.push(0, "}");
        lines.text
    }

    fn tests(&mut self, depth: usize, lines: &mut Lines) {
        let program = self.program;
        let is_run = |function: &&Function| function.is_test() && !function.has_any(&["Ignore"]);
        let tests: Vec<&Function> = program.functions.iter().filter(is_run).collect();
        let is_alone = tests.len() == 1;
        for test in tests {
            let mut call = Lines::default();
            let inner = if is_alone { depth } else { depth + 1 };
            self.test_call(test, inner, &mut call);
            if is_alone {
                lines.text.push_str(&call.text);
                continue;
            }
            let attempt = self.help(super::Helper::Attempt);
            let rate = test.annotation("RunRate").and_then(|one| one.number);
            let due = match rate {
                Some(rate) if rate < 100 => {
                    let is_due = self.help(super::Helper::IsDue);
                    format!("if ({is_due}({rate})) ")
                }
                _ => String::new(),
            };
            lines.push(depth, &format!("{due}{attempt}(() => {{"));
            lines.text.push_str(&call.text);
            lines.push(depth, "});");
        }
    }

    /// A test with what runs before and after it; a group, where nGrinder counts it under a name.
    fn test_call(&mut self, test: &Function, depth: usize, lines: &mut Lines) {
        for name in self.called("Before") {
            lines.push(depth, &format!("{name}();"));
        }
        let name = self
            .names
            .function(&test.name)
            .unwrap_or_default()
            .to_owned();
        let call = match self.facts.test_of_method(&test.name) {
            Some(group) => {
                let group = quoted(group);
                self.import("group");
                format!("group({group}, {name});")
            }
            None => format!("{name}();"),
        };
        let afters = self.called("After");
        if afters.is_empty() {
            lines.push(depth, &call);
            return;
        }
        lines.push(depth, "try {");
        lines.push(depth + 1, &call);
        lines.push(depth, "} finally {");
        for name in afters {
            lines.push(depth + 1, &format!("{name}();"));
        }
        lines.push(depth, "}");
    }

    /// The functions with an annotation.
    fn called(&self, annotation: &str) -> Vec<String> {
        let functions = self.program.functions.iter();
        let annotated = functions
            .filter(|one| one.annotation(annotation).is_some() && !self.empty.contains(&one.name));
        let names = annotated.filter_map(|one| self.names.function(&one.name));
        names.map(str::to_owned).collect()
    }

    fn process_end(&self) -> String {
        let mut names = self.called("AfterProcess");
        names.append(&mut self.called("AfterClass"));
        if names.is_empty() {
            return String::new();
        }
        let mut lines = Lines::default();
        lines.push(0, "");
        lines.push(0, "export function teardown() {");
        for name in names {
            lines.push(1, &format!("{name}();"));
        }
        lines.push(0, "}");
        lines.text
    }
}

fn needs_user(text: &str) -> bool {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter()
        .any(|line| NEEDS_USER.iter().any(|sign| line.contains(sign)))
}

/// A check that is the last thing in a test need not end it.
fn without_last_return(text: &str) -> String {
    let end = "\n}\n";
    let Some(body) = text.strip_suffix(end) else {
        return text.to_owned();
    };
    let (before, last) = body.rsplit_once('\n').unwrap_or(("", body));
    let check = last.strip_prefix("  if (!check(");
    match check.and_then(|check| check.strip_suffix(") return;")) {
        Some(check) => format!("{before}\n  check({check};{end}"),
        None => text.to_owned(),
    }
}
