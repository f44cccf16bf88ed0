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
        to: "static JSValue host_throw_value(JSContext *ctx, const char *format, JSValueConst value);\nstatic JSValue host_throw_no_object(JSContext *ctx, JSAtom prop, const char *what);\nstatic JSValue host_throw_no_place(JSContext *ctx, JSAtom prop, const char *what);\nstatic JSValue host_throw_not_a_function(JSContext *ctx, JSValueConst func, JSValueConst this_obj);\nstatic int host_throw_or_false(JSContext *ctx, int flags, const char *format, JSAtom prop);\nstatic int host_throw_no_receiver(JSContext *ctx, int flags, JSValueConst receiver);\nstatic void host_throw_fixed(JSContext *ctx, JSAtom prop, JSValueConst obj);\nstatic bool host_refuse_mix(JSContext *ctx, JSValue a, JSValue b);\nstatic JSValue host_throw_no_bigint(JSContext *ctx, JSValueConst text);\nstatic JSValue host_throw_needs_new(JSContext *ctx, JSValueConst func);\nstatic JSValue host_throw_flags(JSContext *ctx, JSValueConst flags);\nstatic bool host_is_class(JSContext *ctx, JSObject *func);\n\ntypedef struct JSJobEntry {\n",
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
        why: "a private member is not there",
        from: "\"private class field '%s' does not exist\"",
        to: "\"Cannot read private member %s from an object whose class did not declare it\"",
    },
    Patch {
        why: "a BigInt is no number",
        from: "JS_ThrowTypeError(ctx, \"cannot convert BigInt to number\")",
        to: "JS_ThrowTypeError(ctx, \"Cannot convert a BigInt value to a number\")",
    },
    Patch {
        why: "a BigInt is no number (by +, a short one)",
        from: "                JS_ThrowTypeError(ctx, \"bigint argument with unary +\");\n                goto exception;\n",
        to: "                JS_ThrowTypeError(ctx, \"Cannot convert a BigInt value to a number\");\n                goto exception;\n",
    },
    Patch {
        why: "a BigInt is no number (by +)",
        from: "                JS_ThrowTypeError(ctx, \"bigint argument with unary +\");\n                JS_FreeValue(ctx, op1);\n",
        to: "                JS_ThrowTypeError(ctx, \"Cannot convert a BigInt value to a number\");\n                JS_FreeValue(ctx, op1);\n",
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
        why: "a BigInt is shifted without its sign",
        from: "\"BigInt operands are forbidden for >>>\"",
        to: "\"BigInts have no unsigned right shift, use >> instead\"",
    },
    Patch {
        why: "a BigInt is divided by nothing",
        from: "\"BigInt division by zero\"",
        to: "\"Division by zero\"",
    },
    Patch {
        why: "a BigInt has a negative exponent",
        from: "\"BigInt negative exponent\"",
        to: "\"exponent must be positive\"",
    },
    Patch {
        why: "a BigInt has no JSON",
        from: "\"BigInt are forbidden in JSON.stringify\"",
        to: "\"Do not know how to serialize a BigInt\"",
    },
    Patch {
        why: "a text is no BigInt",
        from: "    val = JS_StringToBigInt(ctx, val);\n    if (JS_VALUE_IS_NAN(val))\n        return JS_ThrowSyntaxError(ctx, \"invalid BigInt literal\");\n    return val;\n",
        to: "    JSValue text = js_dup(val);\n\n    val = JS_StringToBigInt(ctx, val);\n    if (JS_VALUE_IS_NAN(val))\n        val = host_throw_no_bigint(ctx, text);\n    JS_FreeValue(ctx, text);\n    return val;\n",
    },
    Patch {
        why: "a symbol is no number",
        from: "\"cannot convert symbol to number\"",
        to: "\"Cannot convert a Symbol value to a number\"",
    },
    Patch {
        why: "an array has no such length (1)",
        from: "    if (len > INT32_MAX)\n        return JS_ThrowRangeError(ctx, \"invalid array length\");\n",
        to: "    if (len > INT32_MAX)\n        return JS_ThrowRangeError(ctx, \"Invalid array length\");\n",
    },
    Patch {
        why: "an array has no such length (2)",
        from: "                fail:\n                    JS_ThrowRangeError(ctx, \"invalid array length\");\n",
        to: "                fail:\n                    JS_ThrowRangeError(ctx, \"Invalid array length\");\n",
    },
    Patch {
        why: "a typed array has no place",
        from: "        range_error:\n            JS_ThrowRangeError(ctx, \"invalid array length\");\n",
        to: "        range_error:\n            JS_ThrowRangeError(ctx, \"Source is too large\");\n",
    },
    Patch {
        why: "toFixed() of too many digits",
        from: "        return JS_ThrowRangeError(ctx, \"invalid number of digits\");\n    if (fabs(d) >= 1e21)\n",
        to: "        return JS_ThrowRangeError(ctx, \"toFixed() precision must be between 0 and 100\");\n    if (fabs(d) >= 1e21)\n",
    },
    Patch {
        why: "toExponential() of too many digits",
        from: "            return JS_ThrowRangeError(ctx, \"invalid number of digits\");\n        f++;\n",
        to: "            return JS_ThrowRangeError(ctx, \"toExponential() precision must be between 0 and 100\");\n        f++;\n",
    },
    Patch {
        why: "toPrecision() of too many digits",
        from: "        return JS_ThrowRangeError(ctx, \"invalid number of digits\");\n    return js_dtoa2(ctx, d, 10, p, JS_DTOA_FORMAT_FIXED);\n",
        to: "        return JS_ThrowRangeError(ctx, \"toPrecision() precision must be between 1 and 100\");\n    return js_dtoa2(ctx, d, 10, p, JS_DTOA_FORMAT_FIXED);\n",
    },
    Patch {
        why: "a text has no such form",
        from: "\"bad normalization form\"",
        to: "\"The normalization form should be one of NFC, NFD, NFKC, NFKD\"",
    },
    Patch {
        why: "no such index",
        from: "        JS_ThrowRangeError(ctx, \"invalid array index\");\n        *plen = 0;\n",
        to: "        JS_ThrowRangeError(ctx, \"Invalid index %\" PRId64, v);\n        *plen = 0;\n",
    },
    Patch {
        why: "a method of texts is called on nothing",
        from: "\"null or undefined are forbidden\"",
        to: "\"Value is not object coercible\"",
    },
    Patch {
        why: "a built-in class is called",
        from: "                ret_val = JS_ThrowTypeError(ctx, \"must be called with new\");\n",
        to: "                ret_val = host_throw_needs_new(ctx, func_obj);\n",
    },
    Patch {
        why: "strict functions tell no caller",
        from: "\"invalid property access\"",
        to: "\"'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them\"",
    },
    Patch {
        why: "super() is called twice",
        from: "\"'this' can be initialized only once\"",
        to: "\"Super constructor may only be called once\"",
    },
    Patch {
        why: "what is extended is no class",
        from: "\"parent class must be constructor\"",
        to: "\"Class extends value is not a constructor or null\"",
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
        why: "members are defined of what has none (1)",
        from: "    desc = argv[2];\n\n    if (JS_VALUE_GET_TAG(obj) != JS_TAG_OBJECT)\n        return JS_ThrowTypeErrorNotAnObject(ctx);\n",
        to: "    desc = argv[2];\n\n    if (JS_VALUE_GET_TAG(obj) != JS_TAG_OBJECT)\n        return JS_ThrowTypeError(ctx, \"Object.defineProperty called on non-object\");\n",
    },
    Patch {
        why: "the pattern of startsWith() and its like",
        from: "            JS_ThrowTypeError(ctx, \"regexp not supported\");\n",
        to: "            JS_ThrowTypeError(ctx, \"First argument to String.prototype.%s must not be a regular expression\",\n                              magic == 0 ? \"includes\" : magic == 1 ? \"startsWith\" : \"endsWith\");\n",
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
