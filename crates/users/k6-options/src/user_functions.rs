//! Our own options. k6 reserves `ext` for other programs; ours are in `ext.loadline`.
//!
//! ```text
//! export const options = { ext: { loadline: { userSetup: 'login', userTeardown: 'logout' } } };
//! ```

use serde_json::Value;

use super::error::{ExitCode, OptionsError};

/// Functions that users run besides those of scenarios. k6 has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserFunctions {
    /// Runs before a user's first iteration.
    pub set_up: Option<String>,
    /// Runs after all scenarios, for each user that was set up.
    pub tear_down: Option<String>,
}

/// What a script exports as options, read for our own.
///
/// # Errors
/// [`OptionsError::Script`] for an unknown option, a value that is not a string, or a
/// function that is not exported. A test that would not do what it says does not start.
pub fn user_functions(
    exported: &Value,
    is_exported: impl Fn(&str) -> bool,
) -> Result<UserFunctions, OptionsError> {
    let mut users = UserFunctions::default();
    let own = exported.pointer("/ext/loadline").and_then(Value::as_object);
    for (key, value) in own.into_iter().flatten() {
        let place = match key.as_str() {
            "userSetup" => &mut users.set_up,
            "userTeardown" => &mut users.tear_down,
            _ => return Err(mistake(format!("unknown option ext.loadline.{key}"))),
        };
        let Some(name) = value.as_str() else {
            let text = format!("ext.loadline.{key} is not the name of a function");
            return Err(mistake(text));
        };
        if !is_exported(name) {
            let text = format!("ext.loadline.{key}: function '{name}' not found in exports");
            return Err(mistake(text));
        }
        *place = Some(name.to_owned());
    }
    Ok(users)
}

fn mistake(text: String) -> OptionsError {
    OptionsError::Script {
        text,
        exit: ExitCode::InvalidConfig,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(own: &Value) -> Result<UserFunctions, String> {
        let exported = json!({ "vus": 2, "ext": { "other": 1, "loadline": own } });
        user_functions(&exported, |name| name == "login").map_err(|error| error.to_string())
    }

    #[test]
    fn functions_of_users_are_read() {
        let users = read(&json!({ "userSetup": "login" })).unwrap();
        assert_eq!(users.set_up.as_deref(), Some("login"));
        assert_eq!(users.tear_down, None);
        assert_eq!(read(&json!({})), Ok(UserFunctions::default()));
        let without = user_functions(&json!({ "ext": { "loadline": 5 } }), |_| true);
        assert_eq!(without.unwrap(), UserFunctions::default());
    }

    #[test]
    fn mistakes_are_named() {
        let why = |own: Value| read(&own).unwrap_err();
        assert_eq!(
            why(json!({ "userTeardown": "logout" })),
            "ext.loadline.userTeardown: function 'logout' not found in exports"
        );
        assert_eq!(
            why(json!({ "userSetup": 5 })),
            "ext.loadline.userSetup is not the name of a function"
        );
        assert_eq!(
            why(json!({ "userSetUp": "login" })),
            "unknown option ext.loadline.userSetUp"
        );
    }
}
