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
    /// Preflight: the weakest part does not stand the plan.
    "preflight-weakest" => preflight_weakest(part, rate, planned);
    /// The same of a part that does not answer.
    "preflight-weakest-silent" => preflight_weakest_silent(part);
    /// The same of a part that fails.
    "preflight-weakest-failing" => preflight_weakest_failing(part, share);
    /// Preflight: all parts stand the plan.
    "preflight-ready" => preflight_ready(planned, part, rate, times);
    /// The same, and none of them reached its limit.
    "preflight-ready-all" => preflight_ready_all(planned);
    /// Preflight was interrupted.
    "preflight-interrupted" => preflight_interrupted(part, rate, planned);
    /// The same before anything was known.
    "preflight-interrupted-early" => preflight_interrupted_early();
    /// A rate that is not the limit.
    "preflight-at-least" => preflight_at_least(rate);
    /// A part: the generator.
    "preflight-part-generator" => preflight_part_generator();
    /// A part: an outside server.
    "preflight-part-outside" => preflight_part_outside(url);
    /// A part: the network.
    "preflight-part-network" => preflight_part_network();
    /// A part: the test's users.
    "preflight-part-users" => preflight_part_users();
    /// A part: the target.
    "preflight-part-target" => preflight_part_target();
    /// What is being tried.
    "preflight-trying" => preflight_trying(part, planned);
    /// The same of a stand-in.
    "preflight-trying-stand-in" => preflight_trying_stand_in(url);
    /// Column: part.
    "preflight-column-part" => preflight_column_part();
    /// Column: the planned rate.
    "preflight-column-planned" => preflight_column_planned();
    /// Column: what it carries.
    "preflight-column-carries" => preflight_column_carries();
    /// Column: headroom.
    "preflight-column-headroom" => preflight_column_headroom();
    /// Column: p95 at the low rate.
    "preflight-column-p95-low" => preflight_column_p95_low();
    /// Column: p95 at the planned rate.
    "preflight-column-p95" => preflight_column_p95();
    /// Column: result.
    "preflight-column-result" => preflight_column_result();
    /// Result: holds.
    "preflight-result-holds" => preflight_result_holds();
    /// Result: weak.
    "preflight-result-weak" => preflight_result_weak();
    /// Result: not known.
    "preflight-result-not-known" => preflight_result_not_known();
    /// Result: not tried.
    "preflight-result-not-tried" => preflight_result_not_tried();
    /// The document's title.
    "preflight-heading" => preflight_heading(test);
    /// A section: the parts.
    "preflight-section-parts" => preflight_section_parts();
    /// A section: what was seen.
    "preflight-section-seen" => preflight_section_seen();
    /// A section: stand-ins.
    "preflight-section-stand-ins" => preflight_section_stand_ins();
    /// A section: sources of signals.
    "preflight-section-sources" => preflight_section_sources();
    /// All sources answer.
    "preflight-sources" => preflight_sources(answering, all);
    /// Not all do.
    "preflight-sources-fail" => preflight_sources_fail(answering, all);
    /// None is named.
    "preflight-no-sources" => preflight_no_sources();
    /// The generator's CPU.
    "preflight-cpu" => preflight_cpu(cpu);
    /// Above this the generator is not healthy.
    "preflight-unhealthy" => preflight_unhealthy(rate, reasons);
    /// A part does not answer.
    "preflight-no-answer" => preflight_no_answer(part);
    /// A part gives way.
    "preflight-gives-way" => preflight_gives_way(part, answered, offered, p95);
    /// A part fails requests.
    "preflight-fails" => preflight_fails(part, share);
    /// A part slows down.
    "preflight-slows" => preflight_slows(part, planned, before, after);
    /// Why requests to a part failed.
    "preflight-failures" => preflight_failures(part, reasons);
    /// A part was not tried, for the generator is too weak.
    "preflight-not-tried-generator" => preflight_not_tried_generator(part);
    /// A part was not tried, for another is too weak.
    "preflight-not-tried-weak" => preflight_not_tried_weak(part);
    /// A part was not tried, for a person interrupted it.
    "preflight-not-tried-interrupted" => preflight_not_tried_interrupted(part);
    /// The target's limit was not looked for.
    "preflight-target-not-known" => preflight_target_not_known();
    /// The network: what connecting takes.
    "preflight-network-connect" => preflight_network_connect(connect);
    /// The network: what the plan needs, and what was reached.
    "preflight-network-bytes" => preflight_network_bytes(each, needed, reached);
    /// The network: what the plan needs; what it gives is not known.
    "preflight-network-not-known" => preflight_network_not_known(each, needed);
    /// The network gives way: reading answers takes most of the time.
    "preflight-network-weak" => preflight_network_weak();
    /// Preflight: iteration.
    "preflight-iteration" => preflight_iteration(requests, failed, response, think);
    /// Preflight: iteration failed.
    "preflight-iteration-failed" => preflight_iteration_failed();
    /// Preflight: ceiling.
    "preflight-ceiling" => preflight_ceiling(formula, rate, best);
    /// Preflight: ceiling low.
    "preflight-ceiling-low" => preflight_ceiling_low(rate);
    /// A stand-in is proposed.
    "preflight-stand-in" => preflight_stand_in(url, answers);
    /// It was tried and is strong enough.
    "preflight-stand-in-holds" => preflight_stand_in_holds(planned, p95);
    /// It was tried and is not.
    "preflight-stand-in-weak" => preflight_stand_in_weak(planned, answered, p95);
    /// How the target comes to use it.
    "preflight-stand-in-use" => preflight_stand_in_use(address, url, path);
    /// Stand-ins were written to a file.
    "preflight-mock-written" => preflight_mock_written(path);
    /// No server answered, so that there is nothing to write.
    "preflight-mock-not-written" => preflight_mock_not_written(path);
    /// Who wrote a mock file.
    "preflight-mock-by" => preflight_mock_by();
    /// Data: a table is loaded.
    "data-table" => data_table(table, rows);
    /// Data: all is loaded.
    "data-loaded" => data_loaded(rows);
    /// Data: rows were written to files.
    "data-written" => data_written(rows, path);
    /// Data: a payload file was written.
    "data-payload" => data_payload(path, rows);
}
