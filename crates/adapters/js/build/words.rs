//! What the engine's errors say: the words of k6's engine, as its users know them from
//! their logs, or of Node where a runtime asks for them. What needs more than other words is
//! in `csrc/words.c`.

use super::Patch;

pub(super) const WORDS: &[Patch] = &[
    Patch {
        why: "a runtime knows whose words its errors take",
        from: "struct JSRuntime {\n    JSMallocFunctions mf;\n",
        to: "struct JSRuntime {\n    JSMallocFunctions mf;\n    bool host_node_words; /* see words.c */\n",
    },
    Patch {
        why: "words.c stands behind what calls it",
        from: "typedef struct JSJobEntry {\n",
        to: "static JSValue host_throw_value(JSContext *ctx, const char *format, JSValueConst value);\nstatic JSValue host_throw_no_object(JSContext *ctx, JSAtom prop, const char *what);\nstatic JSValue host_throw_no_place(JSContext *ctx, JSAtom prop, const char *what);\nstatic JSValue host_throw_not_a_function(JSContext *ctx, JSValueConst func, JSValueConst this_obj);\n\ntypedef struct JSJobEntry {\n",
    },
    Patch {
        why: "a member of nothing is read (1: by name)",
        from: "        case JS_TAG_NULL:\n            return JS_ThrowTypeErrorAtom(ctx, \"cannot read property '%s' of null\", prop);\n        case JS_TAG_UNDEFINED:\n            return JS_ThrowTypeErrorAtom(ctx, \"cannot read property '%s' of undefined\", prop);\n",
        to: "        case JS_TAG_NULL:\n            return host_throw_no_object(ctx, prop, \"null\");\n        case JS_TAG_UNDEFINED:\n            return host_throw_no_object(ctx, prop, \"undefined\");\n",
    },
    Patch {
        why: "a member of nothing is read (2: by a value)",
        from: "        if (tag == JS_TAG_NULL) {\n            JS_ThrowTypeErrorAtom(ctx, \"cannot read property '%s' of null\", atom);\n        } else {\n            JS_ThrowTypeErrorAtom(ctx, \"cannot read property '%s' of undefined\", atom);\n        }\n",
        to: "        host_throw_no_object(ctx, atom, tag == JS_TAG_NULL ? \"null\" : \"undefined\");\n",
    },
    Patch {
        why: "a member of nothing is set",
        from: "    case JS_TAG_NULL:\n        JS_ThrowTypeErrorAtom(ctx, \"cannot set property '%s' of null\", prop);\n        goto fail;\n    case JS_TAG_UNDEFINED:\n        JS_ThrowTypeErrorAtom(ctx, \"cannot set property '%s' of undefined\", prop);\n        goto fail;\n",
        to: "    case JS_TAG_NULL:\n        host_throw_no_place(ctx, prop, \"null\");\n        goto fail;\n    case JS_TAG_UNDEFINED:\n        host_throw_no_place(ctx, prop, \"undefined\");\n        goto fail;\n",
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
        why: "no constructor is called (1)",
        from: "    return JS_ThrowTypeErrorAtom(ctx, \"%s is not a constructor\", name);\n",
        to: "    return JS_ThrowTypeError(ctx, \"Value is not a constructor\");\n",
    },
    Patch {
        why: "no constructor is called (2)",
        from: "    return JS_ThrowTypeError(ctx, \"not a constructor\");\n",
        to: "    return JS_ThrowTypeError(ctx, \"Value is not a constructor\");\n",
    },
    Patch {
        why: "a class is called",
        from: "\"class constructors must be invoked with 'new'\"",
        to: "\"Class constructor cannot be invoked without 'new'\"",
    },
    Patch {
        why: "a constant is assigned",
        from: "                if (type == JS_THROW_VAR_RO)\n                    JS_ThrowTypeErrorReadOnly(ctx, JS_PROP_THROW, atom);\n",
        to: "                if (type == JS_THROW_VAR_RO)\n                    JS_ThrowTypeError(ctx, \"Assignment to constant variable.\");\n",
    },
    Patch {
        why: "a member that is read-only is set",
        from: "\"'%s' is read-only\"",
        to: "\"Cannot assign to read only property '%s'\"",
    },
    Patch {
        why: "a variable is used before its declaration, or `this` before super()",
        from: "    char buf[ATOM_GET_STR_BUF_SIZE];\n    return JS_ThrowReferenceError(ctx, \"%s is not initialized\",\n                                  name == JS_ATOM_NULL ? \"lexical variable\" :\n                                  JS_AtomGetStr(ctx, buf, sizeof(buf), name));\n",
        to: "    return JS_ThrowReferenceError(ctx, name == JS_ATOM_this\n        ? \"Must call super constructor in derived class before accessing 'this'\"\n        : \"Cannot access a variable before initialization\");\n",
    },
    Patch {
        why: "what is no list is walked (1: in scripts)",
        from: "        JS_FreeValue(ctx, method);\n        return JS_ThrowTypeError(ctx, \"value is not iterable\");\n",
        to: "        JS_FreeValue(ctx, method);\n        return JS_ThrowTypeError(ctx, \"object is not iterable\");\n",
    },
    Patch {
        why: "what is no list is walked (2: by Array.from)",
        from: "            JS_ThrowTypeError(ctx, \"value is not iterable\");\n            goto exception;\n",
        to: "            JS_ThrowTypeError(ctx, \"object is not iterable\");\n            goto exception;\n",
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
        why: "JSON.stringify meets a cycle",
        from: "            JS_ThrowTypeError(ctx, \"circular reference\");\n            goto exception;\n",
        to: "            JS_ThrowTypeError(ctx, \"Converting circular structure to JSON\");\n            goto exception;\n",
    },
    Patch {
        why: "a symbol has no text",
        from: "\"cannot convert symbol to string\"",
        to: "\"Cannot convert a Symbol value to a string\"",
    },
    Patch {
        why: "reduce has nothing to begin with",
        from: "                JS_ThrowTypeError(ctx, \"empty array\");\n",
        to: "                JS_ThrowTypeError(ctx, \"No initial value\");\n",
    },
    Patch {
        why: "a text is repeated less than never",
        from: "\"invalid repeat count\"",
        to: "\"Invalid count value\"",
    },
    Patch {
        why: "a date that is none has no text",
        from: "\"Date value is NaN\"",
        to: "\"Invalid time value\"",
    },
    Patch {
        why: "a URI is malformed",
        from: "    va_list ap;\n\n    va_start(ap, fmt);\n    JS_ThrowError(ctx, JS_URI_ERROR, fmt, ap);\n    va_end(ap);\n    return -1;\n}\n\nstatic int hex_decode(",
        to: "    va_list ap;\n\n    va_start(ap, fmt);\n    JS_ThrowError(ctx, JS_URI_ERROR, \"Malformed URI\", ap);\n    va_end(ap);\n    return -1;\n}\n\nstatic int hex_decode(",
    },
];
