//! What an expression or a declared class tells of a value.

use crate::form::{Arg, Expr, ExprKind};

/// What a value is, as far as it is written in another way in k6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    List,
    Map,
    /// Names with values: headers, fields of a form. An object.
    Pairs,
    /// Read JSON, or what becomes some.
    Json,
    Response,
    Request,
    /// A test's number and name.
    Test,
    /// A count that threads share.
    Count,
    /// What k6 needs no object for: random numbers, a reader of JSON, defaults of connections.
    Needless,
}

/// Classes of a name with a value.
pub(super) const PAIR_CLASSES: [&str; 3] = ["NVPair", "BasicHeader", "BasicNameValuePair"];

/// A plain name, or that of a field: `x`, `this.x`, `self.x`.
pub(super) fn variable(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member { receiver, name, .. } if is_own(receiver) => Some(name),
        _ => None,
    }
}

pub(super) fn is_own(receiver: &Expr) -> bool {
    matches!(&receiver.kind, ExprKind::Name(name) if name == "this" || name == "self")
}

/// The receiver and the arguments of a call of a method.
pub(super) fn method_call<'e>(expr: &'e Expr, method: &str) -> Option<(&'e Expr, &'e [Arg])> {
    let ExprKind::Call { callee, args } = &expr.kind else {
        return None;
    };
    match &callee.kind {
        ExprKind::Member { receiver, name, .. } if name == method => Some((receiver, args)),
        _ => None,
    }
}

/// `new NVPair(name, value)` and its kin.
pub(super) fn is_pair(expr: &Expr) -> bool {
    pair(expr).is_some()
}

/// Its name and its value.
pub(super) fn pair(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let (class, args) = match &expr.kind {
        ExprKind::New { class, args } => (class.as_str(), args),
        ExprKind::Call { callee, args } => match &callee.kind {
            ExprKind::Name(name) => (name.as_str(), args),
            _ => return None,
        },
        _ => return None,
    };
    let class = class.rsplit('.').next().unwrap_or_default();
    match args.as_slice() {
        [name, value] if PAIR_CLASSES.contains(&class) => Some((&name.value, &value.value)),
        _ => None,
    }
}

/// Whether literal headers name the type of a body; None where they are not literal.
pub(super) fn literal_type(headers: &Expr) -> Option<bool> {
    let is_type = |key: &Expr| match &key.kind {
        ExprKind::Text(key) => Some(key.eq_ignore_ascii_case("content-type")),
        _ => None,
    };
    let mut any = false;
    match &headers.kind {
        ExprKind::Map(entries) => {
            for entry in entries {
                any |= is_type(&entry.key)?;
            }
        }
        ExprKind::List(items) => {
            for item in items {
                any |= is_type(pair(item)?.0)?;
            }
        }
        ExprKind::Cast { value, .. } => return literal_type(value),
        _ => return None,
    }
    Some(any)
}

pub(super) fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Map(entries) => entries.is_empty(),
        ExprKind::New { class, args } => {
            let kind = kind_of_class(class);
            let is_collection = matches!(
                kind,
                Some(ValueKind::List | ValueKind::Map | ValueKind::Pairs)
            );
            args.is_empty() && is_collection
        }
        ExprKind::Cast { value, .. } => is_empty(value),
        _ => false,
    }
}

/// The name in `new GTest(1, "name")` and `Test(1, "name")`; that of the variable where it is none.
pub(super) fn test_name(value: &Expr, variable: &str) -> Option<String> {
    let args = match &value.kind {
        ExprKind::New { class, args } if class.ends_with("GTest") || class == "Test" => args,
        ExprKind::Call { callee, args } => match &callee.kind {
            ExprKind::Name(name) if name == "Test" => args,
            _ => return None,
        },
        _ => return None,
    };
    let name = args.get(1).and_then(|arg| match &arg.value.kind {
        ExprKind::Text(text) => Some(text.clone()),
        _ => None,
    });
    Some(name.unwrap_or_else(|| variable.to_owned()))
}

/// What a declared class tells.
pub(super) fn kind_of_class(class: &str) -> Option<ValueKind> {
    if PAIR_CLASSES.iter().any(|pair| class.contains(pair)) || class.contains("<Header>") {
        return Some(ValueKind::Pairs);
    }
    if class == "byte[]" {
        return Some(ValueKind::Text);
    }
    if class.ends_with("[]") {
        return Some(ValueKind::List);
    }
    let bare = class.split('<').next().unwrap_or_default();
    match bare.rsplit('.').next().unwrap_or_default() {
        "String" | "GString" => Some(ValueKind::Text),
        "List" | "ArrayList" | "LinkedList" | "Set" | "HashSet" => Some(ValueKind::List),
        "Map" | "HashMap" | "LinkedHashMap" | "TreeMap" | "ConcurrentHashMap" => {
            Some(ValueKind::Map)
        }
        "JSONObject" | "JsonBuilder" => Some(ValueKind::Json),
        "HTTPResponse" => Some(ValueKind::Response),
        "HTTPRequest" => Some(ValueKind::Request),
        "GTest" | "Test" => Some(ValueKind::Test),
        "AtomicInteger" | "AtomicLong" => Some(ValueKind::Count),
        "Random" | "SecureRandom" | "ThreadLocalRandom" | "JsonSlurper" => {
            Some(ValueKind::Needless)
        }
        _ => None,
    }
}
