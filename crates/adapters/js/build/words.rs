//! What the engine's errors say: the words of k6's engine, as its users know them from
//! their logs, or of Node where a runtime asks for them. Where other words do, a line of a table
//! gives them when an error is thrown; what needs more is a patch, and `csrc/words.c`.

use std::fmt::Write as _;

use super::Patch;

/// One line of the table that every error passes: what the engine says, and what we say.
struct Wording {
    /// The format of QuickJS, as it stands in its source.
    engine: &'static str,
    /// The built-in function that must be running, where one format is worded in several ways.
    within: Option<&'static str>,
    /// Takes no other arguments than the engine's format, or fewer.
    ours: &'static str,
}

/// The first line that fits counts.
const TABLE: &[Wording] = &[
    Wording {
        engine: "not a constructor",
        within: None,
        ours: "Value is not a constructor",
    },
    Wording {
        engine: "%s is not a constructor",
        within: None,
        ours: "Value is not a constructor",
    },
    Wording {
        engine: "class constructors must be invoked with 'new'",
        within: None,
        ours: "Class constructor cannot be invoked without 'new'",
    },
    Wording {
        engine: "'%s' is read-only",
        within: None,
        ours: "Cannot assign to read only property '%s'",
    },
    Wording {
        engine: "value is not iterable",
        within: None,
        ours: "object is not iterable",
    },
    Wording {
        engine: "circular reference",
        within: None,
        ours: "Converting circular structure to JSON",
    },
    Wording {
        engine: "cannot convert symbol to string",
        within: None,
        ours: "Cannot convert a Symbol value to a string",
    },
    Wording {
        engine: "cannot convert symbol to number",
        within: None,
        ours: "Cannot convert a Symbol value to a number",
    },
    Wording {
        engine: "empty array",
        within: None,
        ours: "No initial value",
    },
    Wording {
        engine: "invalid repeat count",
        within: None,
        ours: "Invalid count value",
    },
    Wording {
        engine: "Date value is NaN",
        within: None,
        ours: "Invalid time value",
    },
    Wording {
        engine: "private class field '%s' does not exist",
        within: None,
        ours: "Cannot read private member %s from an object whose class did not declare it",
    },
    Wording {
        engine: "cannot convert BigInt to number",
        within: None,
        ours: "Cannot convert a BigInt value to a number",
    },
    Wording {
        engine: "bigint argument with unary +",
        within: None,
        ours: "Cannot convert a BigInt value to a number",
    },
    Wording {
        engine: "BigInt operands are forbidden for >>>",
        within: None,
        ours: "BigInts have no unsigned right shift, use >> instead",
    },
    Wording {
        engine: "BigInt division by zero",
        within: None,
        ours: "Division by zero",
    },
    Wording {
        engine: "BigInt negative exponent",
        within: None,
        ours: "exponent must be positive",
    },
    Wording {
        engine: "BigInt are forbidden in JSON.stringify",
        within: None,
        ours: "Do not know how to serialize a BigInt",
    },
    Wording {
        engine: "invalid array length",
        within: None,
        ours: "Invalid array length",
    },
    Wording {
        engine: "invalid number of digits",
        within: Some("toFixed"),
        ours: "toFixed() precision must be between 0 and 100",
    },
    Wording {
        engine: "invalid number of digits",
        within: Some("toExponential"),
        ours: "toExponential() precision must be between 0 and 100",
    },
    Wording {
        engine: "invalid number of digits",
        within: Some("toPrecision"),
        ours: "toPrecision() precision must be between 1 and 100",
    },
    Wording {
        engine: "bad normalization form",
        within: None,
        ours: "The normalization form should be one of NFC, NFD, NFKC, NFKD",
    },
    Wording {
        engine: "null or undefined are forbidden",
        within: None,
        ours: "Value is not object coercible",
    },
    Wording {
        engine: "invalid property access",
        within: None,
        ours: "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them",
    },
    Wording {
        engine: "'this' can be initialized only once",
        within: None,
        ours: "Super constructor may only be called once",
    },
    Wording {
        engine: "parent class must be constructor",
        within: None,
        ours: "Class extends value is not a constructor or null",
    },
    Wording {
        engine: "not an object",
        within: Some("defineProperty"),
        ours: "Object.defineProperty called on non-object",
    },
    Wording {
        engine: "regexp not supported",
        within: Some("includes"),
        ours: "First argument to String.prototype.includes must not be a regular expression",
    },
    Wording {
        engine: "regexp not supported",
        within: Some("startsWith"),
        ours: "First argument to String.prototype.startsWith must not be a regular expression",
    },
    Wording {
        engine: "regexp not supported",
        within: Some("endsWith"),
        ours: "First argument to String.prototype.endsWith must not be a regular expression",
    },
];

/// The table as the initialiser of an array in C; each line of it must still be needed.
pub(super) fn table(quickjs: &str) -> String {
    let mut text = String::new();
    for Wording {
        engine,
        within,
        ours,
    } in TABLE
    {
        assert!(
            quickjs.contains(&format!("\"{engine}\"")),
            "quickjs.c has changed: it does not say {engine:?}, which is worded as {ours:?}"
        );
        assert!(
            ours.matches('%').count() <= engine.matches('%').count(),
            "{ours:?} asks for more than {engine:?} is given"
        );
        let within = within.map_or("NULL".to_owned(), |name| format!("\"{name}\""));
        writeln!(text, "{{ \"{engine}\", {within}, \"{ours}\" }},").expect("memory is there");
    }
    text
}

pub(super) const WORDS: &[Patch] = &[
    Patch {
        why: "an error is thrown: the table gives its words",
        from: "    JSRuntime *rt = ctx->rt;\n    JSStackFrame *sf;\n    bool add_backtrace;\n\n    /* the backtrace is added later",
        to: "    JSRuntime *rt = ctx->rt;\n    JSStackFrame *sf;\n    bool add_backtrace;\n\n    fmt = host_words(ctx, error_num, fmt);\n    /* the backtrace is added later",
    },
    Patch {
        why: "a member of nothing is read or set",
        from: "    char buf[ATOM_GET_STR_BUF_SIZE];\n    JS_AtomGetStr(ctx, buf, sizeof(buf), atom);\n    return JS_ThrowTypeError(ctx, fmt, buf);\n",
        to: "    char buf[ATOM_GET_STR_BUF_SIZE];\n    if (host_throw_of_nothing(ctx, fmt, atom))\n        return JS_EXCEPTION;\n    JS_AtomGetStr(ctx, buf, sizeof(buf), atom);\n    return JS_ThrowTypeError(ctx, fmt, buf);\n",
    },
    Patch {
        why: "a runtime knows whose words its errors take",
        from: "struct JSRuntime {\n    JSMallocFunctions mf;\n",
        to: "struct JSRuntime {\n    JSMallocFunctions mf;\n    bool host_node_words; /* see words.c */\n",
    },
    Patch {
        why: "nothing is taken apart",
        from: "                sf->cur_pc = pc;\n                ret_val = JS_ToObject(ctx, sp[-1]);\n",
        to: "                sf->cur_pc = pc;\n                ret_val = JS_IsNull(sp[-1]) || JS_IsUndefined(sp[-1])\n                    ? JS_ThrowTypeError(ctx, \"Value is not object coercible\")\n                    : JS_ToObject(ctx, sp[-1]);\n",
    },
    Patch {
        why: "no function is called (1: by a script)",
        from: "            return JS_ThrowTypeErrorNotAFunction(caller_ctx);\n",
        to: "            return host_throw_not_a_function(caller_ctx, func_obj, this_obj);\n",
    },
    Patch {
        why: "no function is called (2: by new)",
        from: "        not_a_function:\n            return JS_ThrowTypeErrorNotAFunction(ctx);\n",
        to: "        not_a_function:\n            return host_throw_value(ctx, JS_IsObject(func_obj) ? \"Not a function: %s\" : \"Value is not an object: %s\", func_obj);\n",
    },
    Patch {
        why: "no function is called (3: by a built-in function)",
        from: "    JS_ThrowTypeErrorNotAFunction(ctx);\n    return -1;\n}\n",
        to: "    host_throw_value(ctx, JS_IsObject(obj) ? \"%s is not a function\" : \"Value is not an object: %s\", obj);\n    return -1;\n}\n",
    },
    Patch {
        why: "a constant is assigned",
        from: "                if (type == JS_THROW_VAR_RO)\n                    JS_ThrowTypeErrorReadOnly(ctx, JS_PROP_THROW, atom);\n",
        to: "                if (type == JS_THROW_VAR_RO)\n                    JS_ThrowTypeError(ctx, \"Assignment to constant variable.\");\n",
    },
    Patch {
        why: "a variable is used before its declaration, or `this` before super()",
        from: "    char buf[ATOM_GET_STR_BUF_SIZE];\n    return JS_ThrowReferenceError(ctx, \"%s is not initialized\",\n                                  name == JS_ATOM_NULL ? \"lexical variable\" :\n                                  JS_AtomGetStr(ctx, buf, sizeof(buf), name));\n",
        to: "    return JS_ThrowReferenceError(ctx, name == JS_ATOM_this\n        ? \"Must call super constructor in derived class before accessing 'this'\"\n        : \"Cannot access a variable before initialization\");\n",
    },
    Patch {
        why: "a member is looked for in what is no object",
        from: "    if (JS_VALUE_GET_TAG(op2) != JS_TAG_OBJECT) {\n        JS_ThrowTypeError(ctx, \"invalid 'in' operand\");\n",
        to: "    if (JS_VALUE_GET_TAG(op2) != JS_TAG_OBJECT) {\n        host_throw_value(ctx, \"Value is not an object: %s\", op2);\n",
    },
    Patch {
        why: "the class of instanceof is none",
        from: "        JS_ThrowTypeError(ctx, \"invalid 'instanceof' right operand\");\n",
        to: "        host_throw_value(ctx, \"Value is not an object: %s\", obj);\n",
    },
    Patch {
        why: "an object that is closed gets another member (1)",
        from: "        if (unlikely(!p->extensible)) {\n            ret = JS_ThrowTypeErrorOrFalse(ctx, flags, \"object is not extensible\");\n            goto done;\n        }\n        if (p->is_exotic) {\n",
        to: "        if (unlikely(!p->extensible)) {\n            ret = host_throw_or_false(ctx, flags, \"Cannot add property %s, object is not extensible\", prop);\n            goto done;\n        }\n        if (p->is_exotic) {\n",
    },
    Patch {
        why: "an object that is closed gets another member (2)",
        from: "            ret = JS_ThrowTypeErrorOrFalse(ctx, flags, \"object is not extensible\");\n            goto done;\n        }\n    generic_create_prop:\n",
        to: "            ret = host_throw_or_false(ctx, flags, \"Cannot add property %s, object is not extensible\", prop);\n            goto done;\n        }\n    generic_create_prop:\n",
    },
    Patch {
        why: "an object that is closed gets another member (3: by defining it)",
        from: "    not_extensible:\n        return JS_ThrowTypeErrorOrFalse(ctx, flags, \"object is not extensible\");\n",
        to: "    not_extensible:\n        return host_throw_or_false(ctx, flags, \"Cannot define property %s, object is not extensible\", prop);\n",
    },
    Patch {
        why: "an object that is closed gets another prototype",
        from: "        if (throw_flag) {\n            JS_ThrowTypeError(ctx, \"object is not extensible\");\n            return -1;\n        } else {\n",
        to: "        if (throw_flag) {\n            host_throw_value(ctx, \"%s is not extensible\", obj);\n            return -1;\n        } else {\n",
    },
    Patch {
        why: "a member that is fixed is defined anew",
        from: "        not_configurable:\n            return JS_ThrowTypeErrorOrFalse(ctx, flags, \"property is not configurable\");\n",
        to: "        not_configurable:\n            return host_throw_or_false(ctx, flags, \"Cannot redefine property: %s\", prop);\n",
    },
    Patch {
        why: "a member that is fixed is removed",
        from: "        JS_ThrowTypeError(ctx, \"could not delete property\");\n        return -1;\n",
        to: "        host_throw_fixed(ctx, prop, obj);\n        return -1;\n",
    },
    Patch {
        why: "a member that can only be read is set (1: which)",
        from: "static int call_setter(JSContext *ctx, JSObject *setter,\n",
        to: "static int call_setter(JSContext *ctx, JSAtom prop, JSObject *setter,\n",
    },
    Patch {
        why: "a member that can only be read is set (2)",
        from: "            JS_ThrowTypeError(ctx, \"no setter for property\");\n",
        to: "            JS_ThrowTypeErrorAtom(ctx, \"Cannot assign to read only property '%s'\", prop);\n",
    },
    Patch {
        why: "a member that can only be read is set (3)",
        from: "        } else if ((prs->flags & JS_PROP_TMASK) == JS_PROP_GETSET) {\n            return call_setter(ctx, pr->u.getset.setter,",
        to: "        } else if ((prs->flags & JS_PROP_TMASK) == JS_PROP_GETSET) {\n            return call_setter(ctx, prop, pr->u.getset.setter,",
    },
    Patch {
        why: "a member that can only be read is set (4)",
        from: "call_setter(ctx, setter, this_obj",
        to: "call_setter(ctx, prop, setter, this_obj",
    },
    Patch {
        why: "a member that can only be read is set (5)",
        from: "            if ((prs->flags & JS_PROP_TMASK) == JS_PROP_GETSET) {\n                return call_setter(ctx, pr->u.getset.setter,",
        to: "            if ((prs->flags & JS_PROP_TMASK) == JS_PROP_GETSET) {\n                return call_setter(ctx, prop, pr->u.getset.setter,",
    },
    Patch {
        why: "what has no members gets one",
        from: "        ret = JS_ThrowTypeErrorOrFalse(ctx, flags, \"not an object\");\n        goto done;\n",
        to: "        ret = host_throw_no_receiver(ctx, flags, this_obj);\n        goto done;\n",
    },
    Patch {
        why: "a BigInt and a number are added",
        from: "    } else {\n        double d1, d2;\n        /* float64 result */\n        if (JS_ToFloat64Free(ctx, &d1, op1)) {\n            JS_FreeValue(ctx, op2);\n            goto exception;\n        }\n        if (JS_ToFloat64Free(ctx, &d2, op2))\n            goto exception;\n        JS_X87_FPCW_SAVE_AND_ADJUST(fpcw);\n        sp[-2] = js_float64(d1 + d2);\n",
        to: "    } else {\n        double d1, d2;\n        if (host_refuse_mix(ctx, op1, op2))\n            goto exception;\n        /* float64 result */\n        if (JS_ToFloat64Free(ctx, &d1, op1)) {\n            JS_FreeValue(ctx, op2);\n            goto exception;\n        }\n        if (JS_ToFloat64Free(ctx, &d2, op2))\n            goto exception;\n        JS_X87_FPCW_SAVE_AND_ADJUST(fpcw);\n        sp[-2] = js_float64(d1 + d2);\n",
    },
    Patch {
        why: "a BigInt and a number are multiplied",
        from: "        double dr;\n        /* float64 result */\n",
        to: "        double dr;\n        if (host_refuse_mix(ctx, op1, op2))\n            goto exception;\n        /* float64 result */\n",
    },
    Patch {
        why: "a text is no BigInt",
        from: "    val = JS_StringToBigInt(ctx, val);\n    if (JS_VALUE_IS_NAN(val))\n        return JS_ThrowSyntaxError(ctx, \"invalid BigInt literal\");\n    return val;\n",
        to: "    JSValue text = js_dup(val);\n\n    val = JS_StringToBigInt(ctx, val);\n    if (JS_VALUE_IS_NAN(val))\n        val = host_throw_no_bigint(ctx, text);\n    JS_FreeValue(ctx, text);\n    return val;\n",
    },
    Patch {
        why: "a typed array has no place",
        from: "        range_error:\n            JS_ThrowRangeError(ctx, \"invalid array length\");\n",
        to: "        range_error:\n            JS_ThrowRangeError(ctx, \"Source is too large\");\n",
    },
    Patch {
        why: "no such index",
        from: "        JS_ThrowRangeError(ctx, \"invalid array index\");\n        *plen = 0;\n",
        to: "        JS_ThrowRangeError(ctx, \"Invalid index %\" PRId64, v);\n        *plen = 0;\n",
    },
    Patch {
        why: "a built-in class is called",
        from: "                ret_val = JS_ThrowTypeError(ctx, \"must be called with new\");\n",
        to: "                ret_val = host_throw_needs_new(ctx, func_obj);\n",
    },
    Patch {
        why: "what sorts is no function",
        from: "    if (!JS_IsUndefined(asc.method)) {\n        if (check_function(ctx, asc.method))\n            goto exception;\n        asc.has_method = 1;\n    }\n    obj = JS_ToObject(ctx, this_val);\n",
        to: "    if (!JS_IsUndefined(asc.method)) {\n        if (!JS_IsFunction(ctx, asc.method)) {\n            JS_ThrowTypeError(ctx, \"The comparison function must be either a function or undefined\");\n            goto exception;\n        }\n        asc.has_method = 1;\n    }\n    obj = JS_ToObject(ctx, this_val);\n",
    },
    Patch {
        why: "a prototype is none",
        from: "        return JS_ThrowTypeError(ctx, \"object prototype may only be an Object or null\");\n",
        to: "        return host_throw_value(ctx, \"Object prototype may only be an Object or null: %s\", proto);\n",
    },
    Patch {
        why: "a description is none",
        from: "        JS_ThrowTypeError(ctx, \"Property description must be an object\");\n",
        to: "        host_throw_value(ctx, \"Property description must be an object: %s\", desc);\n",
    },
    Patch {
        why: "a pattern's flags are wrong",
        from: "                JS_FreeCString(ctx, str);\n                return JS_ThrowSyntaxError(ctx, \"invalid regular expression flags\");\n",
        to: "                JS_FreeCString(ctx, str);\n                return host_throw_flags(ctx, flags);\n",
    },
    Patch {
        why: "JSON is read with a reviver: what is wrong is told as without",
        from: "        reviver = argv[1];\n        root = JS_NewObject(ctx);\n",
        to: "        obj = host_parse_json(ctx, str, len);\n        if (JS_IsException(obj))\n            goto fail;\n        JS_FreeValue(ctx, obj);\n        reviver = argv[1];\n        root = JS_NewObject(ctx);\n",
    },
    Patch {
        why: "a stack names no class whose constructor runs",
        from: "            if (!func_name_str || func_name_str[0] == '\\0')\n                str1 = \"<anonymous>\";\n",
        to: "            if (!func_name_str || func_name_str[0] == '\\0' || (b && host_is_class(ctx, p)))\n                str1 = \"<anonymous>\";\n",
    },
];
