//! Compiles QuickJS (quickjs-ng) with the few changes we need to its internals.
//!
//! No third-party source is committed. Cargo locks and fetches `rquickjs-sys` (which
//! carries the C source), `cargo metadata` tells where it lies, each change below is
//! an exact replacement that must match exactly once, and `csrc/host.c` includes the
//! result. See docs/decisions/js-build.md.

#![allow(
    clippy::disallowed_methods,
    reason = "a build script is configured by its environment"
)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "build/words.rs"]
mod words;

/// One change to `quickjs.c`: why, the text replaced, the text put there.
struct Patch {
    why: &'static str,
    from: &'static str,
    to: &'static str,
}

const PATCHES: &[Patch] = &[
    Patch {
        why: "what the changes below call",
        from: "typedef struct JSJobEntry {\n",
        to: "#include \"host.h\"\n\ntypedef struct JSJobEntry {\n",
    },
    Patch {
        why: "at the memory limit there is room for the error that names it, whatever was asked for last",
        from: "        rt->in_out_of_memory = true;\n        JS_ThrowInternalError(ctx, \"out of memory\");\n        rt->in_out_of_memory = false;\n",
        to: "        size_t limit = rt->malloc_state.malloc_limit;\n        rt->in_out_of_memory = true;\n        rt->malloc_state.malloc_limit = limit ? limit + 64 * 1024 : 0;\n        JS_ThrowInternalError(ctx, \"out of memory\");\n        rt->malloc_state.malloc_limit = limit;\n        rt->in_out_of_memory = false;\n",
    },
    Patch {
        why: "a runtime per virtual user wastes half an arena in each of 31 size classes",
        from: "#define JS_ARENA_SIZE              4096\n",
        to: "#define JS_ARENA_SIZE              1024\n",
    },
    Patch {
        why: "function sources and line tables stay in the shared bytecode instead of being copied per user",
        from: "    /* XXX: 5 bits available */\n    uint8_t *byte_code_buf; /* (self pointer) */",
        to: "    uint8_t debug_borrowed : 1; /* pc2line_buf and source belong to the bytecode buffer */\n    uint8_t *byte_code_buf; /* (self pointer) */",
    },
    Patch {
        why: "line tables are borrowed",
        from: "        b->pc2line_buf = js_mallocz(ctx, b->pc2line_len);\n        if (!b->pc2line_buf)\n            goto fail;\n        if (bc_get_buf(s, b->pc2line_buf, b->pc2line_len))\n            goto fail;\n",
        to: "        b->debug_borrowed = 1;\n        if (s->buf_end - s->ptr < b->pc2line_len) {\n            bc_read_error_end(s);\n            goto fail;\n        }\n        b->pc2line_buf = (uint8_t *)s->ptr;\n        s->ptr += b->pc2line_len;\n",
    },
    Patch {
        why: "function sources are borrowed",
        from: "        b->source = js_mallocz(ctx, b->source_len + 1);\n        if (!b->source)\n            goto fail;\n        if (bc_get_buf(s, b->source, b->source_len))\n            goto fail;\n",
        to: "        b->debug_borrowed = 1;\n        if (s->buf_end - s->ptr < b->source_len) {\n            bc_read_error_end(s);\n            goto fail;\n        }\n        b->source = (char *)s->ptr;\n        s->ptr += b->source_len;\n",
    },
    Patch {
        why: "what is borrowed is not freed",
        from: "    js_free_rt(rt, b->pc2line_buf);\n    js_free_rt(rt, b->source);\n",
        to: "    if (!b->debug_borrowed) {\n        js_free_rt(rt, b->pc2line_buf);\n        js_free_rt(rt, b->source);\n    }\n",
    },
    Patch {
        why: "the host's initialiser shares the last of the four identifiers",
        from: "    js_bytecode_autoinit, /* JS_AUTOINIT_ID_BYTECODE */\n",
        to: "    host_autoinit, /* JS_AUTOINIT_ID_BYTECODE or the host's */\n",
    },
    Patch {
        why: "a call is where its parenthesis is, not where its last argument is (1: remember `new`)",
        from: "    case TOK_NEW:\n        if (next_token(s))\n            return -1;\n        if (s->token.val == '.') {\n            if (next_token(s))\n                return -1;\n            if (!token_is_pseudo_keyword(s, JS_ATOM_target))",
        to: "    case TOK_NEW:\n        new_line = s->token.line_num;\n        new_col = s->token.col_num;\n        if (next_token(s))\n            return -1;\n        if (s->token.val == '.') {\n            if (next_token(s))\n                return -1;\n            if (!token_is_pseudo_keyword(s, JS_ATOM_target))",
    },
    Patch {
        why: "a call is where its parenthesis is (2: the variables)",
        from: "    bool accept_lparen = (parse_flags & PF_POSTFIX_CALL) != 0;\n\n    call_type = FUNC_CALL_NORMAL;\n",
        to: "    bool accept_lparen = (parse_flags & PF_POSTFIX_CALL) != 0;\n    int new_line = 0, new_col = 0;\n\n    call_type = FUNC_CALL_NORMAL;\n",
    },
    Patch {
        why: "a closure is new: its length and name are put there without looking for them",
        from: "    js_function_set_properties(ctx, func_obj, name_atom,\n                               b->defined_arg_count);\n",
        to: "    host_function_properties(ctx, func_obj, name_atom, b->defined_arg_count);\n",
    },
    Patch {
        why: "a call is where its parenthesis is (3: remember the parenthesis)",
        from: "    optional_chaining_label = -1;\n    for(;;) {\n        JSFunctionDef *fd = s->cur_func;\n        bool has_optional_chain = false;\n",
        to: "    optional_chaining_label = -1;\n    for(;;) {\n        JSFunctionDef *fd = s->cur_func;\n        bool has_optional_chain = false;\n        int call_line = s->token.line_num, call_col = s->token.col_num;\n",
    },
    Patch {
        why: "a call is where its parenthesis is (4: looking up the callee)",
        from: "            parse_func_call2:\n                emit_source_loc(s);\n",
        to: "            parse_func_call2:\n                emit_source_loc_at(s, call_line, call_col);\n",
    },
    Patch {
        why: "a call is where its parenthesis is (5: the call itself)",
        from: "            emit_func_call:\n                switch(opcode) {\n",
        to: "            emit_func_call:\n                if (call_type == FUNC_CALL_NEW)\n                    emit_source_loc_at(s, new_line, new_col);\n                else\n                    emit_source_loc_at(s, call_line, call_col);\n                switch(opcode) {\n",
    },
    Patch {
        why: "the column of a token is where it starts",
        from: "    s->token.col_num = max_int(1, s->mark - s->eol);\n",
        to: "    s->token.col_num = (int)(s->token.ptr - s->token.line_start) + 1;\n",
    },
    Patch {
        why: "objects that several users have in common are marked (1: the mark)",
        from: "    uint8_t is_HTMLDDA : 1; /* specific annex B IsHtmlDDA behavior */\n",
        to: "    uint8_t is_HTMLDDA : 1; /* specific annex B IsHtmlDDA behavior */\n    uint8_t host_shared : 1; /* several users have it in common: see host.c */\n",
    },
    Patch {
        why: "objects that several users have in common are marked (2: new ones are not)",
        from: "    p->is_HTMLDDA = 0;\n    p->is_prototype = 0;\n",
        to: "    p->is_HTMLDDA = 0;\n    p->host_shared = 0;\n    p->is_prototype = 0;\n",
    },
    Patch {
        why: "changes of such objects ask first (1: setting a property)",
        from: "    case JS_TAG_OBJECT:\n        p = JS_VALUE_GET_OBJ(this_obj);\n        p1 = JS_VALUE_GET_OBJ(obj);\n        if (p == p1)\n            break;\n        goto retry2;\n",
        to: "    case JS_TAG_OBJECT:\n        p = JS_VALUE_GET_OBJ(this_obj);\n        p1 = JS_VALUE_GET_OBJ(obj);\n        if (HOST_REFUSED(ctx, p))\n            goto fail;\n        if (p == p1)\n            break;\n        goto retry2;\n",
    },
    Patch {
        why: "changes of such objects ask first (2: setting a property that exists)",
        from: "                    prs = find_own_property(&pr, p, atom);\n                    if (!prs)\n                        goto put_field_slow_path;\n",
        to: "                    prs = find_own_property(&pr, p, atom);\n                    if (!prs || unlikely(p->host_shared))\n                        goto put_field_slow_path;\n",
    },
    Patch {
        why: "changes of such objects ask first (3: defining a property)",
        from: "    p = JS_VALUE_GET_OBJ(this_obj);\n\n redo_prop_update:\n",
        to: "    p = JS_VALUE_GET_OBJ(this_obj);\n    if (HOST_REFUSED(ctx, p))\n        return -1;\n\n redo_prop_update:\n",
    },
    Patch {
        why: "changes of such objects ask first (4: adding a property, a private one too)",
        from: "    JSShape *sh, *new_sh;\n\n    if (unlikely(p->is_prototype)) {\n        /* track addition of small integer properties to\n",
        to: "    JSShape *sh, *new_sh;\n\n    if (HOST_REFUSED(ctx, p))\n        return NULL;\n    if (unlikely(p->is_prototype)) {\n        /* track addition of small integer properties to\n",
    },
    Patch {
        why: "changes of such objects ask first (5: deleting a property)",
        from: "    uint32_t lpr_idx;\n    intptr_t h, h1;\n\n redo:\n    sh = p->shape;\n",
        to: "    uint32_t lpr_idx;\n    intptr_t h, h1;\n\n    if (HOST_REFUSED(ctx, p))\n        return -1;\n redo:\n    sh = p->shape;\n",
    },
    Patch {
        why: "changes of such objects ask first (6: another prototype)",
        from: "    sh = p->shape;\n    if (sh->proto == proto)\n        return true;\n    if (p == JS_VALUE_GET_OBJ(ctx->class_proto[JS_CLASS_OBJECT])) {\n",
        to: "    sh = p->shape;\n    if (sh->proto == proto)\n        return true;\n    if (HOST_REFUSED(ctx, p))\n        return -1;\n    if (p == JS_VALUE_GET_OBJ(ctx->class_proto[JS_CLASS_OBJECT])) {\n",
    },
    Patch {
        why: "changes of such objects ask first (7: closing them)",
        from: "            return false;\n        }\n    }\n    p->extensible = false;\n    return true;\n",
        to: "            return false;\n        }\n    }\n    if (HOST_REFUSED(ctx, p))\n        return -1;\n    p->extensible = false;\n    return true;\n",
    },
    Patch {
        why: "changes of such objects ask first (8: global variables)",
        from: "    JSProperty *pr;\n    int ret;\n\n    /* no exotic behavior is possible in global_var_obj */\n",
        to: "    JSProperty *pr;\n    int ret;\n\n    if (HOST_REFUSED(ctx, JS_VALUE_GET_OBJ(ctx->global_obj))) {\n        JS_FreeValue(ctx, val);\n        return -1;\n    }\n    /* no exotic behavior is possible in global_var_obj */\n",
    },
    Patch {
        why: "changes of such objects ask first (9: how many frames an error shows)",
        from: "    ctx->error_stack_trace_limit = js_dup(value);\n",
        to: "    if (HOST_REFUSED(ctx, JS_VALUE_GET_OBJ(ctx->global_obj)))\n        return JS_EXCEPTION;\n    JS_FreeValue(ctx, ctx->error_stack_trace_limit);\n    ctx->error_stack_trace_limit = js_dup(value);\n",
    },
    Patch {
        why: "changes of such objects ask first (10: how an error shows its frames)",
        from: "    JS_FreeValue(ctx, ctx->error_prepare_stack);\n    ctx->error_prepare_stack = js_dup(value);\n",
        to: "    if (HOST_REFUSED(ctx, JS_VALUE_GET_OBJ(ctx->global_obj)))\n        return JS_EXCEPTION;\n    JS_FreeValue(ctx, ctx->error_prepare_stack);\n    ctx->error_prepare_stack = js_dup(value);\n",
    },
    Patch {
        why: "what such an object makes when it is first asked is as common as itself",
        from: "    if (JS_IsException(val))\n        return -1;\n    pr->u.value = val;\n    return 0;\n}\n\nstatic JSValue JS_GetPropertyInternal(",
        to: "    if (JS_IsException(val))\n        return -1;\n    if (unlikely(p->host_shared))\n        host_share(ctx, val);\n    pr->u.value = val;\n    return 0;\n}\n\nstatic JSValue JS_GetPropertyInternal(",
    },
    Patch {
        why: "JSON of servers is parsed by json.rs",
        from: "    } else {\n        obj = JS_ParseJSON_internal(ctx, str, len, \"<input>\", NULL);\n    }\n",
        to: "    } else {\n        obj = host_parse_json(ctx, str, len);\n    }\n",
    },
    Patch {
        why: "a function's module is its user's instance",
        from: "    m = js_find_loaded_module_by_name(ctx, filename);\n    JS_FreeAtom(ctx, filename);\n    if (!m) {\n    fail:\n        JS_ThrowTypeError(ctx, \"import.meta",
        to: "    m = host_module_of_user(ctx, filename);\n    JS_FreeAtom(ctx, filename);\n    if (!m) {\n    fail:\n        JS_ThrowTypeError(ctx, \"import.meta",
    },
    Patch {
        why: "a module's imports are found when it is linked, as each user has instances of its own",
        from: "            *pm = js_host_resolve_imported_module_atom(s->ctx, m->module_name,\n                                                       rme->module_name,\n                                                       rme->attributes);\n            if (!*pm)\n                goto fail;\n",
        to: "            *pm = NULL;\n",
    },
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build/words.rs");
    println!("cargo:rerun-if-changed=csrc/host.c");
    println!("cargo:rerun-if-changed=csrc/host.h");
    println!("cargo:rerun-if-changed=csrc/words.c");
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // The version of the source is pinned there.
    println!("cargo:rerun-if-changed=Cargo.toml");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));

    let source = quickjs_source(&manifest);
    let engine = read(&source.join("quickjs.c"));
    fs::write(out.join("quickjs-host.c"), patch(&engine)).expect("OUT_DIR is writable");
    fs::write(out.join("words.inc"), words::table(&engine)).expect("OUT_DIR is writable");

    // An unoptimised build should be quick: -O1 takes a third of the time of -O2 to compile.
    let is_unoptimised = env::var("OPT_LEVEL").is_ok_and(|level| level == "0");
    let mut build = cc::Build::new();
    build
        .file("csrc/host.c")
        .include(&out)
        .include("csrc")
        .include(&source)
        .define("_GNU_SOURCE", None)
        .std("c11")
        .opt_level(if is_unoptimised { 1 } else { 2 })
        .flag_if_supported("-fwrapv")
        .flag_if_supported("-funsigned-char")
        .warnings(false)
        .extra_warnings(false);
    // Keep QuickJS's own leak checks and assertions where ours are on.
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_none() {
        build.define("NDEBUG", None);
    }
    build.compile("loadline_quickjs");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn patch(source: &str) -> String {
    let mut text = source.to_owned();
    for patch in PATCHES.iter().chain(words::WORDS) {
        let found = text.matches(patch.from).count();
        assert!(
            found == 1,
            "quickjs.c has changed: the text to replace so that {:?} was found {found} times",
            patch.why
        );
        text = text.replacen(patch.from, patch.to, 1);
    }
    text
}

/// The directory with `quickjs.c` of the locked `rquickjs-sys`. Asks without the
/// network first, so that a fetched tree builds offline.
fn quickjs_source(manifest: &Path) -> PathBuf {
    let cargo = env::var_os("CARGO").expect("cargo sets it");
    let mut errors = String::new();
    for offline in [true, false] {
        let mut command = Command::new(&cargo);
        command
            .args([
                "metadata",
                "--format-version",
                "1",
                "--locked",
                "--manifest-path",
            ])
            .arg(manifest.join("Cargo.toml"));
        if offline {
            command.arg("--offline");
        }
        let output = command
            .output()
            .expect("cargo runs build scripts, so it can be started");
        if !output.status.success() {
            errors.push_str(&String::from_utf8_lossy(&output.stderr));
            continue;
        }
        let metadata: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
        let package = metadata["packages"]
            .as_array()
            .and_then(|packages| packages.iter().find(|p| p["name"] == "rquickjs-sys"))
            .expect("rquickjs-sys is a dependency of this crate");
        let package = package["manifest_path"]
            .as_str()
            .expect("cargo metadata gives each manifest");
        return Path::new(package).with_file_name("quickjs");
    }
    panic!(
        "cargo metadata could not find the QuickJS source (run `cargo fetch` once while online):\n{errors}"
    );
}
