//! What is a secret is kept nowhere, and what is none is kept as it is.
//!
//! Each planted value begins with `zq-`, or holds `zq` where its form decides, so that one look
//! finds them all. What a script prints itself (`console.log`, `handleSummary`) is its own.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{Loadline, Server, command, no_folder, stderr, stdout};
use crate::serve::{Pages, call};

/// A folder with a store.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = no_folder(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn store(&self) -> PathBuf {
        self.0.join("runs.db")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Loadline {
        let mut command = command(args);
        command
            .current_dir(&self.0)
            .env("LOADLINE_STORE", self.store())
            .env("SECOND_PASSWORD", "zq-system-01")
            .env("K6_THIRD", "zq-k6-02")
            .env("DB_CREDENTIALS", "zq-credentials-03");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What every command and every page says of a run, and what is in the files, each by
    /// its name.
    fn everything_said(&self, run: &str) -> Vec<(String, String)> {
        let mut said = Vec::new();
        for args in [
            &["show", run, "--events"][..],
            &["show", run, "--lang", "ko"],
            &["explain", run],
            &["runs"],
            &["runs", "--json"],
            &["runs", "--table"],
            &["runs", "export", run],
            &["runs", "export", run, "--format", "csv"],
            &["report", run, "--format", "json", "-o", "-"],
            &["report", run, "--format", "markdown", "-o", "-"],
            &["report", run, "--format", "junit", "-o", "-"],
            &["report", run, "--format", "html", "-o", "-"],
        ] {
            let output = self.run(args);
            let text = stdout(&output);
            assert!(!text.is_empty(), "{args:?}: {}", stderr(&output));
            said.push((args.join(" "), text + &stderr(&output)));
        }
        let pages = Pages::serve(self.store().to_str().unwrap());
        let named = |name: &str| format!("/api/runs/{name}");
        let run = stdout(&self.run(&["runs", "--json"]));
        let run: serde_json::Value = serde_json::from_str(run.lines().next().unwrap()).unwrap();
        let run = run["name"].as_str().unwrap();
        for path in [
            "/api/runs".to_owned(),
            named(run),
            named(run) + "/report.html",
        ] {
            let (status, text) = call(&pages.address, &pages.token, "GET", &path, "");
            assert_eq!(status, 200, "{path}: {text}");
            said.push((path, text));
        }
        pages.end();
        said
    }

    /// Files that a run wrote; those that the test wrote are left out.
    fn files(&self, written: &[&str]) -> Vec<(String, String)> {
        let files = std::fs::read_dir(&self.0).unwrap();
        let read =
            |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        files
            .map(|file| file.unwrap())
            .map(|file| (file.file_name().into_string().unwrap(), read(&file.path())))
            .filter(|(name, _)| !written.contains(&name.as_str()))
            .collect()
    }
}

/// Finds no planted value in any of the texts.
fn assert_no_secret(texts: &[(String, String)]) {
    for (name, text) in texts {
        for planted in ["zq-", "sk_live_zq", "AKIAZQ", "MIIEzq", "eyJzdWIiOiJ6cSJ9"] {
            let at = text.find(planted);
            let shown = at.map(|at| text[at..].chars().take(40).collect::<String>());
            assert_eq!(shown, None, "in {name}");
        }
    }
}

fn said(output: &Output) -> (String, String) {
    (
        "what the run said".to_owned(),
        stdout(output) + &stderr(output),
    )
}

const SCRIPT: &str = r#"
import http from 'k6/http';
import exec from 'k6/execution';
import { check, group } from 'k6';
export const options = {
  scenarios: { a: { executor: 'shared-iterations', iterations: 3, env: { INNER_TOKEN: 'zq-scenario-env-04' }, tags: { api_key: 'zq-scenario-tag-05' } } },
  thresholds: { 'http_reqs{name:zq-e-value-06}': ['count>=0'] },
  tags: { session: 'zq-option-tag-07' },
  cloud: { token: 'zq-cloud-08' },
};
const PASSWORD = 'zq-literal-09';
const tokens = ['zq-list-10', "zq-list-11"];
const stripe = 'sk_live_zqAbCdEf0123456789', aws = 'AKIAZQ3456789ABCDEFG';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6cSJ9.zqsig';
const KEY = `-----BEGIN RSA PRIVATE KEY-----
MIIEzq-pem-12
-----END RSA PRIVATE KEY-----`;
export function setup() { return { token: 'zq-setup-13' }; }
export default function () {
  const params = {
    headers: { Authorization: 'Bearer zq-bearer-14', Cookie: 'sid=zq-cookie-15', 'X-Api-Key': 'zq-api-key-16', 'X-Auth-Token': 'zq-auth-17' },
    cookies: { session_id: 'zq-cookie-18' },
    tags: { session: 'zq-tag-19', access_token: 'zq-tag-20' },
  };
  http.get(`${__ENV.BASE}/?access_token=${__ENV.FIRST_TOKEN}&q=${__ENV.SECOND_PASSWORD}`, params);
  http.get(`http://user:zq-userinfo-21@${__ENV.HOST}/?api_key=zq-query-22`);
  http.post(`${__ENV.BASE}/login`, JSON.stringify({ user: 'ann', password: 'zq-body-23' }));
  http.post(`${__ENV.BASE}/login`, { user: 'ann', client_secret: 'zq-form-24' });
  http.get(`http://127.0.0.1:1/?token=${__ENV.FIRST_TOKEN}&x=${__ENV.K6_THIRD}`);
  exec.vu.metrics.tags.session_token = 'zq-vu-tag-25';
  check({}, { ['has token=zq-check-26 in it']: () => false });
  group('login password=zq-group-27 of ann', () => http.get(`${__ENV.BASE}/in?sig=zq-signature-28`));
  throw new Error(`no luck with password=zq-thrown-29 ${KEY} for ${stripe}, Authorization: Bearer zq-thrown-30`);
}
export function teardown() { throw new Error('secret: "zq-teardown-31"'); }
"#;

#[test]
fn no_secret_of_a_script_is_in_store_exports_outputs_log_report_or_pages() {
    let (folder, server) = (Folder::new("secrets-script"), Server::start());
    folder.write("secrets.js", SCRIPT);
    let base = format!("BASE={}", server.base);
    let host = format!("HOST={}", server.base.trim_start_matches("http://"));
    let ran = folder.run(&[
        "run",
        "secrets.js",
        "-e",
        &base,
        "-e",
        &host,
        "-eFIRST_TOKEN=zq-e-value-06",
        "-e",
        "FREE=zq-free-32",
        "-e",
        "VISIBLE=kept-on-purpose",
        "--keep-env",
        "VISIBLE",
        "--log-output",
        "file=run.log",
        "--note",
        "token=zq-note-33 password: zq-note-34",
        "--tag",
        "token=zq-tag-35",
        "--set",
        "db.password=zq-setting-36",
        "--out",
        "json=samples.json",
        "--out",
        "csv=samples.csv",
        "--summary-export",
        "summary.json",
    ]);
    let mut texts = folder.everything_said("latest");
    let source = folder.run(&["show", "--source"]);
    texts.push(("show --source".to_owned(), stdout(&source)));
    let exported = &texts[6].1;
    assert!(exported.contains("kept-on-purpose"), "asked to be kept");
    assert!(exported.contains("SECOND_PASSWORD"), "names are kept");
    texts.push(said(&ran));
    texts.extend(folder.files(&["secrets.js"]));
    let log = texts.iter().find(|(name, _)| name == "run.log").unwrap();
    assert!(log.1.contains("Request Failed"), "{}", log.1);
    assert!(log.1.contains("no luck with"), "{}", log.1);
    assert_no_secret(&texts);
}

const ARTILLERY: &str = r#"
config:
  target: TARGET
  phases: [{ duration: 1, arrivalRate: 2 }]
  processor: ./functions.js
  http: { defaults: { headers: { x-api-key: zq-default-40 } } }
  defaults: { headers: { authorization: "Bearer zq-default-41" } }
  variables:
    tokens:
      - zq-variable-42
      - zq-variable-43
    passwords: [zq-variable-44, zq-variable-45]
    secret: zq-variable-46
  environments: { prod: { variables: { api_key: zq-variable-47 } } }
scenarios:
  - name: login
    beforeScenario: before
    flow:
      - post: { url: "/login?token={{ tokens }}&pw={{ secret }}", json: { user: ann, password: zq-body-48 }, headers: { cookie: "sid=zq-cookie-49" } }
      - get: { url: "/me?access_token={{ password }}", auth: { user: ann, pass: zq-pass-50 } }
      - get: { url: "/me?api_key={{ $env.DB_CREDENTIALS }}", cookie: { session_id: zq-cookie-51 }, beforeRequest: fails }
"#;

const PROCESSOR: &str = r#"
const apiKey = 'zq-processor-52';
module.exports = {
  before(context, events, done) { context.vars.password = 'zq-processor-53'; done(); },
  fails(request, context, events, done) { done(new Error('no luck with token=zq-processor-54')); },
};
"#;

#[test]
fn no_secret_of_an_artillery_file_is_in_store_exports_report_or_pages() {
    let (folder, server) = (Folder::new("secrets-artillery"), Server::start());
    folder.write("secrets.yml", &ARTILLERY.replace("TARGET", &server.base));
    folder.write("functions.js", PROCESSOR);
    let ran = folder.run(&[
        "run",
        "secrets.yml",
        "-e",
        "prod",
        "--variables",
        r#"{"session_token":"zq-flag-55"}"#,
        "--output",
        "report.json",
    ]);
    let mut texts = folder.everything_said("latest");
    texts.push(said(&ran));
    texts.extend(folder.files(&["secrets.yml", "functions.js"]));
    let report = texts
        .iter()
        .find(|(name, _)| name == "report.json")
        .unwrap();
    assert!(report.1.contains("no luck with"), "{}", report.1);
    assert_no_secret(&texts);
}

#[test]
fn no_secret_of_a_url_is_in_store_exports_report_or_pages() {
    let (folder, server) = (Folder::new("secrets-url"), Server::start());
    let url = server.base.replace("http://", "http://ann:zq-user-60@");
    let ran = folder.run(&[
        "run",
        &format!("{url}/a?token=zq-token-61"),
        "-i",
        "3",
        "-H",
        "Authorization: Bearer zq-header-62",
        "-HCookie: a=zq-cookie-63",
        "-bzq-body-64",
        "--method",
        "POST",
        "--note",
        "비밀번호 password=zq-note-65",
        "--summary-export",
        "summary.json",
    ]);
    let mut texts = folder.everything_said("latest");
    texts.push(said(&ran));
    texts.extend(folder.files(&[]));
    assert_no_secret(&texts);
}

/// Seen: `-e ENV=prod` kept `/products` as `/(redacted)ucts`, and with `PWD` set each stack trace
/// read `file://(redacted)/x.js`.
#[test]
fn what_is_no_secret_is_kept_as_it_is() {
    let (folder, server) = (Folder::new("no-secrets"), Server::start());
    let pages = [
        "/products/reproduced?page=2&sort_key=price&code=KR",
        "/token-ring/sessions/list?max_tokens=100",
        "/passwords/reset?has_token=false&lang=ko",
        "/v1/authorization/keys/17",
    ];
    let lines: Vec<String> = pages
        .iter()
        .map(|page| format!("http.get(`${{__ENV.BASE}}{page}`);"))
        .collect();
    folder.write(
        "no-secrets.js",
        &format!(
            "import http from 'k6/http';
             export const options = {{ iterations: 1, tags: {{ stage: 'prod', team: 'tokens' }} }};
             export default () => {{ {} throw new Error('in prod: unexpected token of /products'); }};",
            lines.join(" ")
        ),
    );
    let base = format!("BASE={}", server.base);
    let here = folder.0.to_str().unwrap();
    let ran = folder
        .command(&["run", "no-secrets.js", "-e", &base, "-e", "ENV=prod"])
        .args(["-e", "USER=ann", "-e", "REGION=ap-northeast-2"])
        .args(["--note", "before the prod release, token bucket of 100/s"])
        .args([
            "--set",
            "session.cookie.max-age=30m",
            "--set",
            "token.ttl=3600",
        ])
        .args(["--log-output", "file=run.log"])
        .env("PWD", here)
        .env("OLDPWD", "/home/ann/products")
        .output()
        .unwrap();
    let mut texts = folder.everything_said("latest");
    texts.push(said(&ran));
    texts.extend(folder.files(&["no-secrets.js"]));
    for (name, text) in &texts {
        let at = text.find("(redacted)");
        let before = at.map(|at| text[..at].chars().rev().take(40).collect::<String>());
        let shown = before.map(|text| text.chars().rev().collect::<String>());
        assert_eq!(shown, None, "in {name}");
    }
    let exported = &texts[6].1;
    for kept in pages.into_iter().chain([
        "before the prod release, token bucket of 100/s",
        "\"session.cookie.max-age\":\"30m\"",
        "\"stage\":\"prod\"",
    ]) {
        assert!(exported.contains(kept), "{kept}: {exported}");
    }
    let log = texts.iter().find(|(name, _)| name == "run.log").unwrap();
    assert!(
        log.1.contains(&format!("file://{here}/no-secrets.js")),
        "{}",
        log.1
    );
    let mode = std::fs::metadata(folder.store()).unwrap().permissions();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777,
        0o600
    );
}
