/*
 * What errors of the engine say, where scripts meet them most: the words of the engine
 * of k6, which name the member that is missing and the value that is wrong; or those of
 * Node, where it words the same otherwise.
 */

/* Errors of this runtime are worded as Node's. */
void host_word_as_node(JSRuntime *rt)
{
    rt->host_node_words = true;
}

/* What the engine says, the built-in function that must be running (or NULL), and what is said
   instead: the table of build/words.rs. */
typedef struct HostWording {
    const char *engine, *within, *ours;
} HostWording;

static const HostWording host_wordings[] = {
#include "words.inc"
};

/* Whether the innermost function has that name. */
static bool host_runs(JSContext *ctx, const char *function)
{
    JSStackFrame *sf = ctx->rt->current_stack_frame;
    const char *name = sf ? get_func_name(ctx, sf->cur_func) : NULL;
    bool is_it = name && !strcmp(name, function);

    JS_FreeCString(ctx, name);
    return is_it;
}

/* What is said for a format of the engine. Every error that it throws asks. */
static const char *host_words(JSContext *ctx, JSErrorEnum kind, const char *format)
{
    size_t i;

    if (kind == JS_URI_ERROR)
        return "Malformed URI";
    for (i = 0; i < countof(host_wordings); i++) {
        const HostWording *wording = &host_wordings[i];

        if (!strcmp(format, wording->engine) &&
            (!wording->within || host_runs(ctx, wording->within)))
            return wording->ours;
    }
    return format;
}

/* "TypeError: FORMAT" with `what` and the name of `prop`. */
static JSValue host_throw_access(JSContext *ctx, const char *format, const char *what, JSAtom prop)
{
    const char *name = JS_AtomToCString(ctx, prop);

    if (!name)
        return JS_EXCEPTION;
    JS_ThrowTypeError(ctx, format, what, name);
    JS_FreeCString(ctx, name);
    return JS_EXCEPTION;
}

/* "TypeError: FORMAT" with the text of `value`. */
static JSValue host_throw_value(JSContext *ctx, const char *format, JSValueConst value)
{
    const char *text = JS_ToCString(ctx, value);

    if (!text)
        return JS_EXCEPTION;
    JS_ThrowTypeError(ctx, format, text);
    JS_FreeCString(ctx, text);
    return JS_EXCEPTION;
}

/* The same as a SyntaxError. */
static JSValue host_throw_syntax(JSContext *ctx, const char *format, JSValueConst value)
{
    const char *text = JS_ToCString(ctx, value);

    if (!text)
        return JS_EXCEPTION;
    JS_ThrowSyntaxError(ctx, format, text);
    JS_FreeCString(ctx, text);
    return JS_EXCEPTION;
}

/* The innermost frame when it runs bytecode, and that code; else NULL. */
static JSStackFrame *host_script_frame(JSContext *ctx, JSFunctionBytecode **pb)
{
    JSStackFrame *sf = ctx->rt->current_stack_frame;
    JSObject *p;

    if (!sf || !sf->cur_pc || JS_VALUE_GET_TAG(sf->cur_func) != JS_TAG_OBJECT)
        return NULL;
    p = JS_VALUE_GET_OBJ(sf->cur_func);
    if (!js_class_has_bytecode(p->class_id))
        return NULL;
    *pb = p->u.func.function_bytecode;
    return sf;
}

/* A member of nothing is read; `what` is "null" or "undefined". */
static JSValue host_throw_no_object(JSContext *ctx, JSAtom prop, const char *what)
{
    JSFunctionBytecode *b;
    JSStackFrame *sf;

    if (ctx->rt->host_node_words)
        return host_throw_access(ctx, "Cannot read properties of %s (reading '%s')", what, prop);
    if (prop == JS_ATOM_Symbol_iterator)
        return JS_ThrowTypeError(ctx, "Cannot convert undefined or null to object");
    sf = host_script_frame(ctx, &b);
    if (sf && sf->cur_pc >= b->byte_code_buf + 5 && sf->cur_pc[-5] == OP_get_field2)
        return JS_ThrowTypeErrorAtom(ctx, "Cannot read property '%s' of undefined or null", prop);
    return JS_ThrowTypeErrorAtom(ctx, "Cannot read property '%s' of undefined", prop);
}

/* A member of nothing is set. */
static JSValue host_throw_no_place(JSContext *ctx, JSAtom prop, const char *what)
{
    if (ctx->rt->host_node_words)
        return host_throw_access(ctx, "Cannot set properties of %s (setting '%s')", what, prop);
    return JS_ThrowTypeError(ctx, "Cannot convert undefined or null to object");
}

/* Throws what is said for the engine's errors about members of null and undefined; false for another error. */
static bool host_throw_of_nothing(JSContext *ctx, const char *format, JSAtom prop)
{
    static const char reads[] = "cannot read property '%s' of ";
    static const char sets[] = "cannot set property '%s' of ";

    if (!strncmp(format, reads, sizeof(reads) - 1))
        host_throw_no_object(ctx, prop, format + sizeof(reads) - 1);
    else if (!strncmp(format, sets, sizeof(sets) - 1))
        host_throw_no_place(ctx, prop, format + sizeof(sets) - 1);
    else
        return false;
    return true;
}

/* Where a jump at `pos` leads to, or -1. */
static int host_jump_target(const uint8_t *code, int pos)
{
    switch (code[pos]) {
    case OP_if_true8:
    case OP_if_false8:
    case OP_goto8:
        return pos + 1 + (int8_t)code[pos + 1];
    case OP_goto16:
        return pos + 1 + (int16_t)get_u16(code + pos + 1);
    case OP_if_true:
    case OP_if_false:
    case OP_goto:
    case OP_catch:
        return pos + 1 + (int)get_u32(code + pos + 1);
    default:
        return -1;
    }
}

static int host_popped(const uint8_t *code, int pos)
{
    const JSOpCode *oi = &short_opcode_info(code[pos]);

    if (oi->fmt == OP_FMT_npop || oi->fmt == OP_FMT_npop_u16)
        return oi->n_pop + get_u16(code + pos + 1);
    if (oi->fmt == OP_FMT_npopx)
        return oi->n_pop + code[pos] - OP_call0;
    return oi->n_pop;
}

/* The member whose value the method call at `call` calls. Reads the code once from its
   start and follows how high the stack is: at the call, the callee's place holds what the
   last OP_get_field2 put there. JS_ATOM_NULL when it came otherwise. */
static JSAtom host_called_member(JSContext *ctx, JSFunctionBytecode *b, int call)
{
    const uint8_t *code = b->byte_code_buf;
    int places = b->stack_size, pos, height = 0, i;
    uint16_t *heights = js_mallocz(ctx, sizeof(*heights) * b->byte_code_len);
    JSAtom *members = js_mallocz(ctx, sizeof(*members) * (places + 1));
    JSAtom found = JS_ATOM_NULL;

    if (!heights || !members) {
        JS_FreeValue(ctx, JS_GetException(ctx)); /* the caller throws another */
        goto done;
    }
    for (pos = 0; pos < call; pos += short_opcode_info(code[pos]).size) {
        int base, target = host_jump_target(code, pos);

        if (heights[pos]) /* a jump leads here */
            height = heights[pos] - 1;
        base = max_int(height - host_popped(code, pos), 0);
        height = min_int(base + short_opcode_info(code[pos]).n_push, places);
        for (i = base; i < height; i++)
            members[i] = JS_ATOM_NULL;
        if (code[pos] == OP_get_field2 && height > 0)
            members[height - 1] = get_u32(code + pos + 1);
        if (target > pos && target < b->byte_code_len)
            heights[target] = height + 1;
    }
    if (heights[pos])
        height = heights[pos] - 1;
    i = height - get_u16(code + call + 1) - 1;
    if (pos == call && i >= 0)
        found = members[i];
 done:
    js_free(ctx, heights);
    js_free(ctx, members);
    return found;
}

/* `func` was called and is no function. */
static JSValue host_throw_not_a_function(JSContext *ctx, JSValueConst func, JSValueConst this_obj)
{
    JSFunctionBytecode *b;
    JSStackFrame *sf = JS_IsUndefined(func) ? host_script_frame(ctx, &b) : NULL;
    const uint8_t *call = sf ? sf->cur_pc - 3 : NULL;

    if (ctx->rt->host_node_words)
        return JS_ThrowTypeErrorNotAFunction(ctx);
    if (call && call >= b->byte_code_buf &&
        (*call == OP_call_method || *call == OP_tail_call_method)) {
        JSAtom member = host_called_member(ctx, b, call - b->byte_code_buf);
        int has = 0;

        if (JS_IsObject(this_obj))
            has = JS_HasProperty(ctx, this_obj, member);
        if (has < 0)
            return JS_EXCEPTION;
        if (member != JS_ATOM_NULL && !has)
            return JS_ThrowTypeErrorAtom(ctx, "Object has no member '%s'", member);
    }
    return host_throw_value(ctx, JS_IsObject(func) ? "Not a function: %s"
                                                   : "Value is not an object: %s", func);
}

/* Whether a refusal is told, or only the result of the operation. */
static bool host_throws(JSContext *ctx, int flags)
{
    return (flags & JS_PROP_THROW) ||
        ((flags & JS_PROP_THROW_STRICT) && is_strict_mode(ctx));
}

/* A refused change of `prop`: "TypeError: FORMAT" with its name, where that is told. */
static int host_throw_or_false(JSContext *ctx, int flags, const char *format, JSAtom prop)
{
    if (!host_throws(ctx, flags))
        return false;
    JS_ThrowTypeErrorAtom(ctx, format, prop);
    return -1;
}

/* A member of what has none is set: of a number, a text. */
static int host_throw_no_receiver(JSContext *ctx, int flags, JSValueConst receiver)
{
    if (!host_throws(ctx, flags))
        return false;
    if (JS_IsSymbol(receiver))
        JS_ThrowTypeError(ctx, "Receiver is not an object: Symbol()");
    else
        host_throw_value(ctx, "Receiver is not an object: %s", receiver);
    return -1;
}

/* A member that is fixed is removed. */
static void host_throw_fixed(JSContext *ctx, JSAtom prop, JSValueConst obj)
{
    const char *text = JS_ToCString(ctx, obj), *name;

    if (!text)
        return;
    name = JS_AtomToCString(ctx, prop);
    if (name)
        JS_ThrowTypeError(ctx, "Cannot delete property '%s' of %s", name, text);
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, text);
}

static bool host_is_bigint(JSValue value)
{
    uint32_t tag = JS_VALUE_GET_TAG(value);

    return tag == JS_TAG_BIG_INT || tag == JS_TAG_SHORT_BIG_INT;
}

/* Whether one of two numbers is a BigInt: then they are freed, and an exception thrown. */
static bool host_refuse_mix(JSContext *ctx, JSValue a, JSValue b)
{
    if (!host_is_bigint(a) && !host_is_bigint(b))
        return false;
    JS_FreeValue(ctx, a);
    JS_FreeValue(ctx, b);
    JS_ThrowTypeError(ctx, "Cannot mix BigInt and other types, use explicit conversions");
    return true;
}

/* A text that is no BigInt. */
static JSValue host_throw_no_bigint(JSContext *ctx, JSValueConst text)
{
    return host_throw_syntax(ctx, "Cannot convert %s to a BigInt", text);
}

/* A built-in class is called as a function. */
static JSValue host_throw_needs_new(JSContext *ctx, JSValueConst func)
{
    JSValue name = JS_GetProperty(ctx, func, JS_ATOM_name);

    if (JS_IsException(name))
        return name;
    host_throw_value(ctx, "Constructor %s requires 'new'", name);
    JS_FreeValue(ctx, name);
    return JS_EXCEPTION;
}

/* Flags that no pattern has. */
static JSValue host_throw_flags(JSContext *ctx, JSValueConst flags)
{
    return host_throw_syntax(ctx, "Invalid flags supplied to RegExp constructor '%s'", flags);
}

/* Whether a function of a script is a class: its prototype is fixed. */
static bool host_is_class(JSContext *ctx, JSObject *func)
{
    JSProperty *pr;
    JSShapeProperty *prs = find_own_property(&pr, func, JS_ATOM_prototype);

    return !ctx->rt->host_node_words && prs && !(prs->flags & JS_PROP_WRITABLE);
}
