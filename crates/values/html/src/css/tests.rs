use super::{CssSelector, SelectorDialect};
use crate::{HtmlDocument, NodeId, parse};

const PAGE: &str = r##"<body lang="en-GB"><div id="a" class="x y"><p class="x">One <b>two</b></p>
<p title="Quick Fox" data-n="1">Three</p><!-- c --><p></p></div>
<ul><li>1<li class="on">2<li>3<li>4</ul>
<fieldset disabled><input name="in"><legend><input name="late"></legend></fieldset>
<input type="Checkbox" checked><a href="/q">l</a><a>n</a><select><option selected>s<option>t</select>"##;

/// How many nodes match, and the text of the first.
fn found(selector: &str) -> (usize, String) {
    nodes(&parse(PAGE).unwrap(), &CssSelector::new(selector))
}

fn nodes(document: &HtmlDocument, selector: &CssSelector) -> (usize, String) {
    let all = document.subtree(HtmlDocument::ROOT).skip(1);
    let found: Vec<NodeId> = all.filter(|id| selector.matches(document, *id)).collect();
    let mut text = String::new();
    if let Some(first) = found.first() {
        document.push_text(*first, &mut text);
    }
    (found.len(), text)
}

fn count(selector: &str) -> usize {
    found(selector).0
}

#[test]
fn selectors_match_what_they_say() {
    for (selector, expected) in [
        ("p", 3),
        ("P.x", 1),
        (".x", 2),
        ("#a", 1),
        ("div.x.y", 1),
        ("div p", 3),
        ("body > p", 0),
        ("p + p", 2),
        ("p ~ p", 2),
        ("p:first-child + p", 1),
        ("*", 23),
        ("p:not(.x)", 2),
        ("div:has(b)", 1),
        ("div:haschild(b)", 0),
        ("p:empty", 1),
        ("html:root", 1),
        ("a:link", 1),
        ("p:lang(en)", 3),
        ("p:lang(fr)", 0),
        (":checked", 2),
        ("input:disabled", 1),
        ("input:enabled", 2),
        (":input", 4),
        ("p:only-of-type", 0),
        ("b:only-child", 1),
        ("p, li", 7),
        ("a:hover", 0),
        ("div /* c */ b", 1),
    ] {
        assert_eq!(count(selector), expected, "{selector}");
    }
}

#[test]
fn places_are_counted_from_both_ends_and_by_type() {
    for (selector, text) in [
        ("li:nth-child(2)", "2"),
        ("li:nth-last-child(1)", "4"),
        ("li:first-of-type", "1"),
        ("li:last-of-type", "4"),
        ("li:nth-child(2n)", "2"),
        ("li:nth-child(odd)", "1"),
        ("li:nth-child(n+3)", "3"),
        ("li:nth-last-of-type(2)", "3"),
    ] {
        assert_eq!(found(selector).1, text, "{selector}");
    }
    assert_eq!(count("li:nth-child(-n+3)"), 3);
    assert_eq!(count("li:nth-child(-2n+3)"), 2);
    assert_eq!(count("li:nth-child(9223372036854775807n-1)"), 0);
}

#[test]
fn attributes_are_compared_in_every_way() {
    for (selector, expected) in [
        ("[title]", 1),
        ("p[title='Quick Fox']", 1),
        ("p[title=quick]", 0),
        ("p[title~=Fox]", 1),
        ("p[title^=Quick]", 1),
        ("p[title^=quick i]", 1),
        ("p[title$=Fox]", 1),
        ("p[title*='k F']", 1),
        ("p[title!=x]", 3),
        ("p[data-n=\"1\"]", 1),
        ("p[data-n=1]", 0),
        ("[lang|=en]", 1),
        ("p[title#=^Q.*x$]", 1),
        ("p[ title = \"Quick Fox\" ]", 1),
    ] {
        assert_eq!(count(selector), expected, "{selector}");
    }
}

#[test]
fn text_is_looked_for_without_case() {
    assert_eq!(count("p:contains('TWO')"), 1);
    assert_eq!(count("p:contains(three)"), 1);
    assert_eq!(count("p:containsOwn(two)"), 0);
    assert_eq!(count("b:matches(^tw.$)"), 1);
    assert_eq!(count("p:matchesOwn(^One)"), 1);
}

#[test]
fn what_cannot_be_read_matches_nothing() {
    for selector in [
        "",
        "[",
        "p:first",
        "p::before",
        "p:before",
        ">p",
        "p >",
        "p,",
        "a[href=/q]",
        ":not(p",
        "p)",
        "p:nth-child()",
        "p:nth-child(2",
        ".1",
        "p:contains(",
        "\\",
        "[a#=(]",
        "p:has(> b)",
    ] {
        assert_eq!(count(selector), 0, "{selector}");
    }
}

#[test]
fn cheerio_reads_other_selectors_than_cascadia() {
    let count = |selector: &str| {
        let selector = CssSelector::parse(selector, SelectorDialect::Cheerio)?;
        Some(selector.elements(&parse(PAGE).unwrap()).count())
    };
    for (selector, expected) in [
        ("p:is(.x, [title])", 2),
        (":where(ul, select) > :matches(li, option)", 6),
        ("p:contains(Three)", 1),
        ("p:contains(three)", 0),
        ("p[data-n=1]", 1),
        ("div:has(> b)", 0),
        ("p:has(> b)", 1),
        ("div:has(b)", 1),
        ("p:empty", 1),
        ("a:any-link", 1),
        ("html:scope", 1),
    ] {
        assert_eq!(count(selector), Some(expected), "{selector}");
    }
    for selector in [
        "",
        "p::before",
        "p:has(> b i)",
        "p:hasChild(b)",
        "[",
        "p:made-up",
    ] {
        assert_eq!(count(selector), None, "{selector}");
    }
}

#[test]
fn escapes_stand_for_characters() {
    assert_eq!(count(r"#\61"), 1);
    assert_eq!(count(r"\70 .x"), 1);
    assert_eq!(count(r#"p[title="Quick\20 Fox"]"#), 1);
}

#[test]
fn nesting_without_end_is_refused() {
    assert_eq!(count(&format!("p{}b", ":not(".repeat(100_000))), 0);
    assert_eq!(count(&"p ".repeat(100_000)), 0);
}

proptest::proptest! {
    #[test]
    fn no_selector_brings_it_down(selector in r##"[a-z0-9 .#:\[\]()*=~^$|!,>+"'\\éi/-]{0,24}"##) {
        count(&selector);
    }
}
