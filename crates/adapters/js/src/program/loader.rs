//! Where source files come from.

/// Finds and reads modules. Built-in modules never reach it.
pub trait Loader: Send + Sync {
    /// The URL that `specifier` names in the file `referrer`.
    ///
    /// # Errors
    ///
    /// Why it names nothing, for the user.
    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String>;

    /// The text behind a URL.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, for the user.
    fn load(&self, url: &str) -> Result<SourceFile, String>;

    /// Whether CommonJS files are always strict code, as modules are.
    fn is_commonjs_strict(&self) -> bool {
        false
    }
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its text.
    pub text: String,
    /// Whether it is TypeScript.
    pub typescript: bool,
}
