//! `new`: a script to begin with, or one that is made of a script of nGrinder.

mod conversion;

use clap::Parser;
use loadline_k6::log::{Entry, LogLevel};
use loadline_text::{Catalog, Dialect, Exit, Lang, Problem, messages, problem, shell_word};

use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::foreign_file::ForeignFile;
use crate::refusal::Refusal;

/// Write a script to begin with
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline new                          # script.js
  loadline new checkout.js --template protocol
  loadline new --from login.groovy      # login.js, from a script of nGrinder
")]
pub(crate) struct NewArgs {
    #[command(flatten)]
    script: ScriptArgs,
    /// A script of nGrinder, .groovy or .py, to make a k6 script of; FILE is named like it
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["template", "project_id"])]
    from: Option<String>,
}

/// What `k6 new` takes, too.
#[derive(Debug, clap::Args)]
struct ScriptArgs {
    /// The file to write [default: script.js]
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Overwrite a file that is there
    #[arg(short, long)]
    force: bool,
    /// minimal, protocol, or a file to copy
    #[arg(long, value_name = "NAME|FILE", default_value = "minimal")]
    template: String,
    /// Project of k6's cloud to name in the options
    #[arg(long, value_name = "ID")]
    project_id: Option<u64>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

const MINIMAL: &str = r"import http from 'k6/http';
import { check, sleep } from 'k6';

export const options = {
  vus: 10,
  duration: '30s',
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500'],
  },
};

export default function () {
  const response = http.get('http://127.0.0.1:8080/');
  check(response, { 'status is 200': (r) => r.status === 200 });
  sleep(1);
}
";

const PROTOCOL: &str = r"import http from 'k6/http';
import { check, group } from 'k6';

const BASE = __ENV.BASE_URL || 'http://127.0.0.1:8080';

export const options = {
  // Requests start at this rate, whatever the answers: a slow server is not spared.
  scenarios: {
    browse: {
      executor: 'ramping-arrival-rate',
      startRate: 5,
      timeUnit: '1s',
      preAllocatedVUs: 20,
      maxVUs: 200,
      stages: [
        { duration: '30s', target: 50 },
        { duration: '1m', target: 50 },
      ],
    },
  },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500', 'p(99)<1500'],
    dropped_iterations: ['count==0'],
  },
};

// Runs once, before the first iteration; what it returns is given to every iteration.
export function setup() {
  return { startedAt: new Date().toISOString() };
}

export default function () {
  group('read', () => {
    const response = http.get(`${BASE}/`, { tags: { name: 'home' } });
    check(response, { 'status is 200': (r) => r.status === 200 });
  });
  group('write', () => {
    const body = JSON.stringify({ name: 'item' });
    const params = { headers: { 'Content-Type': 'application/json' }, tags: { name: 'create' } };
    const response = http.post(`${BASE}/items`, body, params);
    check(response, { 'status is below 400': (r) => r.status < 400 });
  });
}
";

/// The built-in template of that name.
fn template(name: &str) -> Option<&'static str> {
    match name {
        "minimal" => Some(MINIMAL),
        "protocol" => Some(PROTOCOL),
        _ => None,
    }
}

/// `k6 new`, in k6's words.
pub(super) fn exec_as_k6(context: &mut Context, args: &[String]) -> u8 {
    let words = std::iter::once("k6 new".to_owned()).chain(args.iter().cloned());
    let typed = match NewCommand::try_parse_from(words) {
        Ok(command) => command.args,
        Err(error) => return super::usage(context, &error, &KnownFlags::default()),
    };
    let said = typed.write_as_k6(context);
    match said {
        Ok(text) => {
            context.out(&format!("{text}\n"));
            Exit::Success.code(Dialect::K6)
        }
        Err(text) => {
            let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
            let entry = Entry::new(LogLevel::Error, text);
            context.err(&entry.text_line(&time.to_string()));
            Exit::Other.code(Dialect::K6)
        }
    }
}

#[derive(Debug, Parser)]
#[command(name = "k6 new")]
struct NewCommand {
    #[command(flatten)]
    args: ScriptArgs,
}

impl ScriptArgs {
    fn file(&self) -> &str {
        self.file.as_deref().unwrap_or("script.js")
    }

    /// The template with the project's number in its options.
    fn of_project(&self, text: &str) -> String {
        let Some(id) = self.project_id else {
            return text.to_owned();
        };
        let options = "export const options = {\n";
        let cloud = format!(
            "{options}  cloud: {{ projectID: {id}, name: '{}' }},\n",
            self.file()
        );
        text.replacen(options, &cloud, 1)
    }

    fn write_as_k6(&self, context: &Context) -> Result<String, String> {
        let name = self.template.as_str();
        let path = context.working_dir.join(self.file());
        if path.exists() && !self.force {
            let file = self.file();
            return Err(format!(
                "{file} already exists. Use the `--force` flag to overwrite it"
            ));
        }
        let text = match template(name) {
            Some(text) => self.of_project(text),
            None if name == "browser" => {
                let browser = problem::template_browser();
                return Err(context.catalog(self.lang).problem(&browser).to_string());
            }
            None => std::fs::read_to_string(context.working_dir.join(name)).map_err(|_| {
                format!("error retrieving template: invalid template type {name:?}")
            })?,
        };
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        Ok(format!(
            "New script created: {} ({name} template).",
            self.file()
        ))
    }

    /// What is to be written.
    fn text(&self, context: &Context, catalog: &Catalog) -> Result<String, Problem> {
        let name = self.template.as_str();
        if let Some(text) = template(name) {
            return Ok(self.of_project(text));
        }
        if name == "browser" {
            return Err(problem::template_browser());
        }
        let path = context.working_dir.join(name);
        if let Some(file) = ForeignFile::from_name(name) {
            return Err(file.refusal(name, path.exists(), catalog).problem);
        }
        std::fs::read_to_string(path).map_err(|error| Refusal::unread(name, &error).problem)
    }

    /// Writes a text to a file that is not there yet, unless it may be overwritten.
    fn write(&self, context: &Context, file: &str, text: &str) -> Result<(), Problem> {
        let path = context.working_dir.join(file);
        if path.exists() && !self.force {
            return Err(problem::file_exists(file));
        }
        std::fs::write(&path, text).map_err(|error| problem::write_failed(file, error.to_string()))
    }
}

impl NewArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.script.lang);
        let done = match &self.from {
            Some(source) => self.convert(context, &catalog, source),
            None => self.write_template(context, &catalog),
        };
        match done {
            Ok(text) => {
                context.out(&text);
                Exit::Success.code(Dialect::Loadline)
            }
            Err(problem) => {
                context.err(&format!("{}\n", catalog.problem(&problem)));
                Exit::InvalidConfig.code(Dialect::Loadline)
            }
        }
    }

    fn write_template(&self, context: &Context, catalog: &Catalog) -> Result<String, Problem> {
        let file = self.script.file();
        let text = self.script.text(context, catalog)?;
        self.script.write(context, file, &text)?;
        Ok(format!(
            "{}\n",
            catalog.text(&messages::new_written(shell_word(file)))
        ))
    }
}
