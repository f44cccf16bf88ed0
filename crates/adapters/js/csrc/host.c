/*
 * QuickJS as build.rs patched it, and the few functions that need its internals; those
 * that word its errors are in words.c. Everything else is called through quickjs.h.
 *
 * Names exported from here start with `host_`.
 */
#include "quickjs-host.c"
#include "dtoa.c"
#include "libregexp.c"
#include "libunicode.c"
#include "words.c"

/* ---- Where a runtime executes ------------------------------------------------- */

/* The part of a runtime that belongs to one user. Its coroutine owns one and swaps it
   in while it runs; what was there before is swapped back when it stops. */
typedef struct HostExecution {
    void *stack_frame;     /* innermost JS frame on that stack, or NULL */
    uintptr_t stack_limit; /* lowest address JS may reach, 0 for no limit */
    struct list_head *first_job, *last_job; /* its microtasks, or NULL */
    uint64_t random_state; /* of Math.random */
} HostExecution;

void host_swap_execution(JSContext *ctx, HostExecution *other)
{
    JSRuntime *rt = ctx->rt;
    struct list_head *jobs = &rt->job_list;
    HostExecution mine = { rt->current_stack_frame, rt->stack_limit, NULL, NULL,
                           ctx->random_state };

    if (!list_empty(jobs)) {
        mine.first_job = jobs->next;
        mine.last_job = jobs->prev;
    }
    init_list_head(jobs);
    if (other->first_job) {
        jobs->next = other->first_job;
        jobs->prev = other->last_job;
        other->first_job->prev = jobs;
        other->last_job->next = jobs;
    }
    rt->current_stack_frame = other->stack_frame;
    rt->stack_limit = other->stack_limit;
    ctx->random_state = other->random_state;
    *other = mine;
}

/* The seed of another user's Math.random. */
uint64_t host_next_seed(JSContext *ctx)
{
    uint64_t seed = xorshift64star(&ctx->random_state);
    return seed ? seed : 1; /* xorshift stays at zero for ever */
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

/* ---- What users of one realm have in common ------------------------------------ */

/* A proxy has nothing to change but what its target has. */
static void host_mark_shared(JSObject *p)
{
    p->host_shared = p->class_id != JS_CLASS_PROXY;
}

/* Marks every object there is now: changing one calls host_shared_write first. */
void host_share_all(JSContext *ctx)
{
    struct list_head *el;

    list_for_each(el, &ctx->rt->gc_obj_list) {
        JSGCObjectHeader *gp = list_entry(el, JSGCObjectHeader, link);
        if (JS_GC_TYPE(gp) == JS_GC_OBJ_TYPE_JS_OBJECT)
            host_mark_shared((JSObject *)gp);
    }
}

/* Marks an object made later, its properties and their properties. */
static void host_share(JSContext *ctx, JSValueConst value)
{
    JSObject *p;
    JSShapeProperty *prs;
    int i;

    if (JS_VALUE_GET_TAG(value) != JS_TAG_OBJECT)
        return;
    p = JS_VALUE_GET_OBJ(value);
    if (p->host_shared)
        return;
    host_mark_shared(p);
    if (p->shape->proto)
        host_share(ctx, JS_MKPTR(JS_TAG_OBJECT, p->shape->proto));
    prs = get_shape_prop(p->shape);
    for (i = 0; i < p->shape->prop_count; i++, prs++) {
        JSProperty *pr = &p->prop[i];
        switch (prs->flags & JS_PROP_TMASK) {
        case 0: /* a plain value */
            host_share(ctx, pr->u.value);
            break;
        case JS_PROP_GETSET:
            if (pr->u.getset.getter)
                host_share(ctx, JS_MKPTR(JS_TAG_OBJECT, pr->u.getset.getter));
            if (pr->u.getset.setter)
                host_share(ctx, JS_MKPTR(JS_TAG_OBJECT, pr->u.getset.setter));
            break;
        default: /* made when first asked for: marked then */
            break;
        }
    }
}

void host_share_value(JSContext *ctx, JSValueConst value)
{
    host_share(ctx, value);
}

/* ---- Modules ------------------------------------------------------------------- */

/* Makes a module that was read a pattern for host_module_instance: it is never linked
   itself, and no import finds it. */
void host_module_pattern(JSContext *ctx, JSValueConst module)
{
    JSModuleDef *m = JS_VALUE_GET_PTR(module);

    m->resolved = true;
    JS_FreeAtom(ctx, m->module_name);
    m->module_name = JS_DupAtom(ctx, JS_ATOM_empty_string);
}

/* A module with the code of `pattern` and variables of its own. */
JSValue host_module_instance(JSContext *ctx, JSValueConst pattern, const char *name)
{
    JSModuleDef *from = JS_VALUE_GET_PTR(pattern);
    JSModuleDef *m = js_new_module_def(ctx, JS_NewAtom(ctx, name));
    int i;

    if (!m)
        return JS_EXCEPTION;
    if (from->req_module_entries_count) {
        size_t size = sizeof(m->req_module_entries[0]) * from->req_module_entries_count;
        m->req_module_entries = js_mallocz(ctx, size);
        if (!m->req_module_entries)
            goto fail;
        for (i = 0; i < from->req_module_entries_count; i++) {
            JSReqModuleEntry *rme = &m->req_module_entries[i];
            rme->module_name = JS_DupAtom(ctx, from->req_module_entries[i].module_name);
            rme->attributes = js_dup(from->req_module_entries[i].attributes);
            rme->module = NULL;
        }
        m->req_module_entries_count = m->req_module_entries_size =
            from->req_module_entries_count;
    }
    if (from->export_entries_count) {
        size_t size = sizeof(m->export_entries[0]) * from->export_entries_count;
        m->export_entries = js_mallocz(ctx, size);
        if (!m->export_entries)
            goto fail;
        memcpy(m->export_entries, from->export_entries, size);
        for (i = 0; i < from->export_entries_count; i++) {
            JSExportEntry *me = &m->export_entries[i];
            JS_DupAtom(ctx, me->export_name);
            JS_DupAtom(ctx, me->local_name);
        }
        m->export_entries_count = m->export_entries_size = from->export_entries_count;
    }
    if (from->star_export_entries_count) {
        size_t size = sizeof(m->star_export_entries[0]) * from->star_export_entries_count;
        m->star_export_entries = js_malloc(ctx, size);
        if (!m->star_export_entries)
            goto fail;
        memcpy(m->star_export_entries, from->star_export_entries, size);
        m->star_export_entries_count = m->star_export_entries_size =
            from->star_export_entries_count;
    }
    if (from->import_entries_count) {
        size_t size = sizeof(m->import_entries[0]) * from->import_entries_count;
        m->import_entries = js_malloc(ctx, size);
        if (!m->import_entries)
            goto fail;
        memcpy(m->import_entries, from->import_entries, size);
        for (i = 0; i < from->import_entries_count; i++)
            JS_DupAtom(ctx, m->import_entries[i].import_name);
        m->import_entries_count = m->import_entries_size = from->import_entries_count;
    }
    m->has_tla = from->has_tla;
    m->func_obj = js_dup(from->func_obj);
    return js_dup(JS_MKPTR(JS_TAG_MODULE, m));
 fail:
    js_free_module_def(ctx, m);
    return JS_EXCEPTION;
}

/* The running user's instance of the file `url`, or NULL; defined in src/modules/callbacks.rs. */
extern JSModuleDef *host_find_module(JSContext *ctx, const char *url);

static JSModuleDef *host_module_of_user(JSContext *ctx, JSAtom url)
{
    const char *text = JS_AtomToCString(ctx, url);
    JSModuleDef *m;

    if (!text)
        return NULL;
    m = host_find_module(ctx, text);
    JS_FreeCString(ctx, text);
    return m;
}

/* Frees a module whose user has gone. */
void host_module_free(JSContext *ctx, JSModuleDef *m)
{
    js_free_module_def(ctx, m);
}

/* ---- Functions and values ------------------------------------------------------- */

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

/* Defined in src/quickjs/object.rs. */
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
