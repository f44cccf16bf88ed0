//! Functions that the written script brings along, where it uses them.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Attempt,
    IsDue,
    WithQuery,
    BodyFrom,
    AddCookie,
    AnyOf,
    Range,
}

impl Helper {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Attempt => "attempt",
            Self::IsDue => "isDue",
            Self::WithQuery => "withQuery",
            Self::BodyFrom => "bodyFrom",
            Self::AddCookie => "addCookie",
            Self::AnyOf => "anyOf",
            Self::Range => "range",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Attempt => ATTEMPT_FUNCTION,
            Self::IsDue => IS_DUE,
            Self::WithQuery => WITH_QUERY,
            Self::BodyFrom => BODY_FROM,
            Self::AddCookie => ADD_COOKIE,
            Self::AnyOf => ANY_OF,
            Self::Range => RANGE_FUNCTION,
        }
    }
}

const ATTEMPT_FUNCTION: &str = "\
// What goes wrong ends its own test only: the others of the run go on.
function attempt(test) {
  try {
    test();
  } catch (error) {
    console.error(error);
  }
}
";

const IS_DUE: &str = "\
// Whether a test of so many percent of all runs is due in this one, spread evenly.
function isDue(percent) {
  const share = percent / 100;
  return Math.floor(__ITER * share + 1e-9) !== Math.floor((__ITER + 1) * share + 1e-9);
}
";

const WITH_QUERY: &str = "\
function withQuery(url, params) {
  const query = Object.entries(params)
    .flatMap(([name, value]) => [].concat(value).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`))
    .join('&');
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
";

const BODY_FROM: &str = "\
// A map is sent as JSON unless the headers name another type.
function bodyFrom(value, headers) {
  if (typeof value !== 'object') return value;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return type && !type[1].startsWith('application/json') ? value : JSON.stringify(value);
}
";

const ADD_COOKIE: &str = "\
function addCookie(cookie) {
  const { name, value, domain, path, maxAge } = cookie;
  const attributes = { path };
  if (domain.startsWith('.')) attributes.domain = domain;
  if (maxAge >= 0) attributes.max_age = maxAge;
  const host = domain.replace(/^\\./, '');
  for (const scheme of ['http', 'https']) {
    http.cookieJar().set(`${scheme}://${host}${path}`, name, value, attributes);
  }
}
";

const ANY_OF: &str = "\
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}
";

const RANGE_FUNCTION: &str = "\
function range(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
";
