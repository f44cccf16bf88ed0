//! What errors of the engine say.

use crate::host::Host;
use loadline_js::*;

/// What the body of a function throws.
fn thrown(host: &Host, vm: &Vm, body: &str) -> JsError {
    let source = format!("(function () {{ {body}; }})");
    let function = vm.ctx().eval(&source, "file:///test.js").unwrap();
    host.run(vm.start_function(&function, Vec::new()))
        .unwrap_err()
}

/// One format of the engine is worded in several ways, by the built-in function that runs.
#[test]
fn what_is_said_depends_on_the_function_that_runs() {
    let host = Host::new();
    let (vm, _) = host.vm();
    for (code, said) in [
        (
            "(1).toFixed(101)",
            "RangeError: toFixed() precision must be between 0 and 100",
        ),
        (
            "(1).toPrecision(0)",
            "RangeError: toPrecision() precision must be between 1 and 100",
        ),
        (
            "'a'.includes(/a/)",
            "TypeError: First argument to String.prototype.includes must not be a regular expression",
        ),
        (
            "'a'.endsWith(/a/)",
            "TypeError: First argument to String.prototype.endsWith must not be a regular expression",
        ),
        (
            "Object.defineProperty(1, 'a', {})",
            "TypeError: Object.defineProperty called on non-object",
        ),
        (
            "new Uint8Array(1).set([1, 2])",
            "RangeError: Source is too large",
        ),
        // The same format and the same name, but not a typed array's function.
        (
            "Reflect.set([], 'length', -1)",
            "RangeError: Invalid array length",
        ),
        // A function of the script that has such a name is not the built-in one.
        (
            "const o = { toFixed() { return (1).toString(1) } }; o.toFixed()",
            "RangeError: toString() radix argument must be between 2 and 36",
        ),
    ] {
        assert_eq!(thrown(&host, &vm, code).headline(), said, "{code}");
    }
}

/// Arguments that the engine gives its own format and ours leaves out.
#[test]
fn words_may_take_fewer_arguments_than_the_engine_gives() {
    let host = Host::new();
    let (vm, _) = host.vm();
    for (code, said) in [
        (
            "const arrow = () => 1; new arrow()",
            "TypeError: Value is not a constructor",
        ),
        ("decodeURIComponent('%')", "URIError: Malformed URI"),
        ("decodeURIComponent('%E4%A')", "URIError: Malformed URI"),
        (
            "'use strict'; Object.freeze([1])[0] = 2",
            "TypeError: Cannot assign to read only property '0'",
        ),
    ] {
        assert_eq!(thrown(&host, &vm, code).headline(), said, "{code}");
    }
}

/// Processors of Artillery files count errors by their texts, and those are Node's.
#[test]
fn a_runtime_can_word_its_errors_as_node_does() {
    let mut host = Host::new();
    host.options.node_errors = true;
    let (vm, _) = host.vm();
    for (code, said) in [
        (
            "undefined.x",
            "Cannot read properties of undefined (reading 'x')",
        ),
        (
            "const key = 'x'; null[key]",
            "Cannot read properties of null (reading 'x')",
        ),
        (
            "let a; a.x = 1",
            "Cannot set properties of undefined (setting 'x')",
        ),
    ] {
        let error = thrown(&host, &vm, code);
        assert_eq!(error.headline(), format!("TypeError: {said}"), "{code}");
    }
    let error = thrown(&host, &vm, "JSON.parse('<html>')");
    assert!(error.headline().starts_with("SyntaxError: "), "{error:?}");
    assert!(
        !error.headline().contains("beginning of value"),
        "{error:?}"
    );
}
