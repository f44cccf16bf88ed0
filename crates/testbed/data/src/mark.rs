//! Which databases may be filled.

/// In PostgreSQL, a database comment that contains this text marks a test database.
pub const COMMENT: &str = "loadline: test data";
/// A table with this name marks a test database.
pub const TABLE: &str = "loadline_test_database";

/// Whether a database is for tests: its comment or a table says so, or its name contains the word
/// `test`.
#[must_use]
pub fn is_marked(name: &str, comment: Option<&str>, tables: &[String]) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case("test"))
        || comment.is_some_and(|comment| comment.contains(COMMENT))
        || tables.iter().any(|table| table == TABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_marked_database_may_be_filled() {
        assert!(is_marked("shop_test", None, &[]));
        assert!(is_marked("TEST-shop", None, &[]));
        assert!(is_marked(
            "shop",
            Some("loadline: test data, may be dropped"),
            &[]
        ));
        assert!(is_marked("shop", None, &[TABLE.to_owned()]));
        for real in ["shop", "contest", "testimonials", "latest", "production"] {
            assert!(
                !is_marked(real, Some("production"), &["member".to_owned()]),
                "{real}"
            );
        }
    }
}
