/*
 * The one C file of ours: QuickJS as build.rs patched it, and the few functions that
 * need its internals. Everything else is called through quickjs.h.
 *
 * Names exported from here start with `host_`.
 */
#include "quickjs-host.c"
#include "dtoa.c"
#include "libregexp.c"
#include "libunicode.c"

/* ---- Where a runtime executes ------------------------------------------------- */

/* The part of a runtime that belongs to one native stack. A coroutine owns one and
   swaps it in while it runs; what was there before is swapped back when it stops. */
typedef struct HostExecution {
    void *stack_frame;     /* innermost JS frame on that stack, or NULL */
    uintptr_t stack_limit; /* lowest address JS may reach, 0 for no limit */
} HostExecution;

void host_swap_execution(JSRuntime *rt, HostExecution *other)
{
    HostExecution mine = { rt->current_stack_frame, rt->stack_limit };
    rt->current_stack_frame = other->stack_frame;
    rt->stack_limit = other->stack_limit;
    *other = mine;
}

/* Drops the microtasks nobody will run, after a user was interrupted. */
void host_clear_jobs(JSRuntime *rt)
{
    struct list_head *el, *el1;
    int i;

    list_for_each_safe(el, el1, &rt->job_list) {
        JSJobEntry *e = list_entry(el, JSJobEntry, link);
        list_del(&e->link);
        for (i = 0; i < e->argc; i++)
            JS_FreeValueRT(rt, e->argv[i]);
        js_free_rt(rt, e);
    }
}

void host_seed_random(JSContext *ctx, uint64_t seed)
{
    ctx->random_state = seed ? seed : 1; /* xorshift stays at zero for ever */
}

/* The own properties every function begins with. `func_obj` is new and has none yet. */
static void host_function_properties(JSContext *ctx, JSValue func_obj, JSAtom name, int len)
{
    JSObject *p = JS_VALUE_GET_OBJ(func_obj);
    JSValue text = JS_AtomToString(ctx, name);
    JSProperty *pr;

    if (JS_IsException(text))
        return;
    pr = add_property(ctx, p, JS_ATOM_length, JS_PROP_CONFIGURABLE);
    if (pr)
        pr->u.value = js_int32(len);
    pr = add_property(ctx, p, JS_ATOM_name, JS_PROP_CONFIGURABLE);
    if (pr)
        pr->u.value = text;
    else
        JS_FreeValue(ctx, text);
}

/* Who holds a value: a count for what lives on the heap, 0 for the rest. */
int host_ref_count(JSValue value)
{
    if (!JS_VALUE_HAS_REF_COUNT(value))
        return 0;
    return JS_REF_COUNT(JS_VALUE_GET_PTR(value));
}

/* ---- Errors ------------------------------------------------------------------- */

/* A new error object of the kind `kind` (JSErrorEnum) with a message of any length;
   the stack is added by QuickJS when it is thrown into JS code. */
JSValue host_new_error(JSContext *ctx, int kind, const char *message, size_t len)
{
    JSValue obj, msg;

    if (kind == JS_PLAIN_ERROR)
        obj = JS_NewObjectClass(ctx, JS_CLASS_ERROR);
    else
        obj = JS_NewObjectProtoClass(ctx, ctx->native_error_proto[kind], JS_CLASS_ERROR);
    if (JS_IsException(obj))
        return obj;
    msg = JS_NewStringLen(ctx, message, len);
    if (JS_IsException(msg)) {
        JS_FreeValue(ctx, obj);
        return msg;
    }
    JS_DefinePropertyValue(ctx, obj, JS_ATOM_message, msg,
                           JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    if (ctx->rt->current_stack_frame)
        build_backtrace(ctx, obj, JS_UNDEFINED, NULL, 0, 0, 0);
    return obj;
}

/* ---- Host objects ------------------------------------------------------------- */

typedef JSValue HostLazyProperty(JSContext *ctx, JSValueConst object, uintptr_t which);

/* Defined in class.rs. */
extern JSValue host_lazy_property(JSContext *ctx, JSValueConst object, uintptr_t which);

/* QuickJS's own initialisers of this kind are small numbers. */
#define HOST_LAZY_BASE 0x10000

static JSValue host_autoinit(JSContext *ctx, JSObject *p, JSAtom atom, void *opaque)
{
    uintptr_t which = (uintptr_t)opaque;

    if (which < HOST_LAZY_BASE)
        return js_bytecode_autoinit(ctx, p, atom, opaque);
    return host_lazy_property(ctx, JS_MKPTR(JS_TAG_OBJECT, p), which - HOST_LAZY_BASE);
}

/* An own, enumerable, writable property whose value is computed when first read. */
int host_define_lazy(JSContext *ctx, JSValueConst object, JSAtom name, uintptr_t which)
{
    return JS_DefineAutoInitProperty(ctx, object, name, JS_AUTOINIT_ID_BYTECODE,
                                     (void *)(which + HOST_LAZY_BASE),
                                     JS_PROP_C_W_E);
}

/* A new object with the hidden class of `model` (made once by adding its properties
   one by one). Plain properties take the next of `values`, which are consumed; lazy
   ones are lazy again. Costs one allocation for all properties and no look-up. */
JSValue host_new_like(JSContext *ctx, JSValueConst model, JSClassID class_id,
                      int count, JSValue *values)
{
    JSObject *from = JS_VALUE_GET_OBJ(model);
    JSShape *sh = from->shape;
    JSShapeProperty *prs = get_shape_prop(sh);
    JSValue obj;
    JSObject *p;
    int i, next = 0;

    obj = JS_NewObjectFromShape(ctx, js_dup_shape(sh), class_id, NULL);
    if (JS_IsException(obj)) {
        for (i = 0; i < count; i++)
            JS_FreeValue(ctx, values[i]);
        return obj;
    }
    p = JS_VALUE_GET_OBJ(obj);
    for (i = 0; i < sh->prop_count; i++) {
        if ((prs[i].flags & JS_PROP_TMASK) == JS_PROP_AUTOINIT) {
            p->prop[i].u.init = from->prop[i].u.init;
            JS_DupContext(js_autoinit_get_realm(&p->prop[i]));
        } else {
            p->prop[i].u.value = next < count ? values[next] : JS_UNDEFINED;
            next++;
        }
    }
    for (; next < count; next++)
        JS_FreeValue(ctx, values[next]);
    return obj;
}
