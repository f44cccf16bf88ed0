/*
 * What the patched QuickJS calls: functions of host.c, of words.c, and of Rust. It is included
 * in quickjs-host.c, before the first of them is needed.
 */
#ifndef HOST_H
#define HOST_H

/* ---- Rust ---------------------------------------------------------------------- */

/* 0 when the user that runs may change what users have in common, -1 with an exception */
extern int host_shared_write(JSContext *ctx);
extern JSValue host_parse_json(JSContext *ctx, const char *text, size_t len);

/* ---- host.c -------------------------------------------------------------------- */

static JSValue host_autoinit(JSContext *ctx, JSObject *p, JSAtom atom, void *opaque);
static void host_function_properties(JSContext *ctx, JSValue func_obj, JSAtom name, int len);
static JSModuleDef *host_module_of_user(JSContext *ctx, JSAtom url);
static void host_share(JSContext *ctx, JSValueConst value);

#define HOST_REFUSED(ctx, p) (unlikely((p)->host_shared) && host_shared_write(ctx) < 0)

/* ---- words.c ------------------------------------------------------------------- */

static const char *host_words(JSContext *ctx, JSErrorEnum kind, const char *format);
static bool host_throw_of_nothing(JSContext *ctx, const char *format, JSAtom prop);
static JSValue host_throw_value(JSContext *ctx, const char *format, JSValueConst value);
static JSValue host_throw_not_a_function(JSContext *ctx, JSValueConst func, JSValueConst this_obj);
static int host_throw_or_false(JSContext *ctx, int flags, const char *format, JSAtom prop);
static int host_throw_no_receiver(JSContext *ctx, int flags, JSValueConst receiver);
static void host_throw_fixed(JSContext *ctx, JSAtom prop, JSValueConst obj);
static bool host_refuse_mix(JSContext *ctx, JSValue a, JSValue b);
static JSValue host_throw_no_bigint(JSContext *ctx, JSValueConst text);
static JSValue host_throw_needs_new(JSContext *ctx, JSValueConst func);
static JSValue host_throw_flags(JSContext *ctx, JSValueConst flags);
static bool host_is_class(JSContext *ctx, JSObject *func);

#endif
