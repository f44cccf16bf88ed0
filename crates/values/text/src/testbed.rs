//! What is said around a run: notices to others, stand-ins, preflight, test data.

use crate::message::declare_messages;

declare_messages! {
    /// Notice: load begins.
    "notice-start" => notice_start(test, host, load, length, vus);
    /// Notice: load begins, with a virtual user for each start.
    "notice-start-each" => notice_start_each(test, host, load, length);
    /// Notice: load is over.
    "notice-end" => notice_end(test, verdict);
    /// A test is over, and what limited it is known.
    "notice-end-limited" => notice_end_limited(test, verdict, limit);
    /// Expected load of an open model.
    "notice-load-rate" => notice_load_rate(starts);
    /// Expected load of a closed model.
    "notice-load-loop" => notice_load_loop();
    /// A notice could not be sent.
    "notice-failed" => notice_failed(reason);
    /// Question before what a found loadline.yaml orders is done.
    "project-ask" => project_ask(file, orders);
    /// What a found loadline.yaml orders is not done.
    "project-left-out" => project_left_out(file, orders);
    /// A found loadline.yaml is another user's.
    "project-foreign" => project_foreign(file, owner);
    /// Others may write a found loadline.yaml.
    "project-writable" => project_writable(file, mode);
    /// That a person confirmed the orders cannot be kept.
    "project-not-kept" => project_not_kept(reason);
    /// The orders of a file are confirmed.
    "project-trusted" => project_trusted(file, orders);
    /// A folder's code runs from now on.
    "code-trusted" => code_trusted(folder);
    /// A file has no orders.
    "project-no-orders" => project_no_orders(file);
    /// Question before load on a shared target.
    "shared-ask" => shared_ask(host, note, load, length);
    /// A mock's end: what it served.
    "mock-ending" => mock_ending(requests, held, connections);
    /// A mock's end: what it added itself.
    "mock-added" => mock_added(p50, p99, max, cpu, cores);
    /// A mock kept up.
    "mock-kept-up" => mock_kept_up();
    /// A mock did not keep up.
    "mock-was-bottleneck" => mock_was_bottleneck(reasons);
    /// Preflight: title.
    "preflight-title" => preflight_title(rate);
    /// All sources answer.
    "preflight-sources" => preflight_sources(answering, all);
    /// Not all do.
    "preflight-sources-fail" => preflight_sources_fail(answering, all);
    /// None is named.
    "preflight-no-sources" => preflight_no_sources();
    /// Preflight: generator.
    "preflight-generator" => preflight_generator(offered, answered, p95, cpu);
    /// Preflight: generator weak.
    "preflight-generator-weak" => preflight_generator_weak(offered, answered, p95, cpu);
    /// Preflight: low.
    "preflight-low" => preflight_low(url, offered, answered, p95);
    /// Preflight: planned.
    "preflight-planned" => preflight_planned(url, offered, answered, p95);
    /// Preflight: no answer.
    "preflight-no-answer" => preflight_no_answer(url, offered);
    /// Preflight: gives way.
    "preflight-gives-way" => preflight_gives_way(url, answered, offered, p95);
    /// Preflight: fails.
    "preflight-fails" => preflight_fails(url, share, offered);
    /// Preflight: slows.
    "preflight-slows" => preflight_slows(url, offered, before, after);
    /// Preflight: target untouched.
    "preflight-target-untouched" => preflight_target_untouched();
    /// Preflight: iteration.
    "preflight-iteration" => preflight_iteration(requests, failed, response, think);
    /// Preflight: iteration failed.
    "preflight-iteration-failed" => preflight_iteration_failed();
    /// Preflight: ceiling.
    "preflight-ceiling" => preflight_ceiling(formula, rate, best);
    /// Preflight: ceiling low.
    "preflight-ceiling-low" => preflight_ceiling_low(rate);
    /// Preflight: ready.
    "preflight-ready" => preflight_ready();
    /// Data: a table is loaded.
    "data-table" => data_table(table, rows);
    /// Data: all is loaded.
    "data-loaded" => data_loaded(rows);
    /// Data: rows were written to files.
    "data-written" => data_written(rows, path);
    /// Data: a payload file was written.
    "data-payload" => data_payload(path, rows);
}
