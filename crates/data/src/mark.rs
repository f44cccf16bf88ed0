//! Which databases may be filled.

/// A database comment with this text marks it, in PostgreSQL.
pub const COMMENT: &str = "loadline: test data";
/// A table of this name marks it, in any database.
pub const TABLE: &str = "loadline_test_database";

/// Whether a database is one for tests: it says so in a comment or by a table, or has
/// `test` as a word of its name.
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
