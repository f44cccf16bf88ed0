//! What the web pages say, and what is printed when they are served.

#![expect(
    missing_docs,
    reason = "a message's key and its text say what it is: nothing is left to add"
)]

use crate::message::declare_messages;

declare_messages! {
    "pages-rounds-needed" => rounds_needed(most);
    "pages-nav-rounds" => nav_rounds();
    "pages-rounds-of" => rounds_of();
    "pages-rounds-goal" => rounds_goal();
    "pages-rounds-title" => rounds_title();
    "pages-rounds-show" => rounds_show();
    "pages-rounds-hint" => rounds_hint();
    "pages-rounds-chosen" => rounds_chosen();
    "pages-nav" => nav();
    "pages-nav-runs" => nav_runs();
    "pages-nav-new" => nav_new();
    "pages-nav-compare" => nav_compare();
    "pages-nav-plan" => nav_plan();
    "pages-skip" => skip();
    "pages-light" => light();
    "pages-dark" => dark();
    "pages-no-page" => no_page();
    "pages-loading" => loading();
    "pages-failed" => failed();
    "pages-retry" => retry();
    "pages-stale" => stale();
    "pages-no-runs" => no_runs();
    "pages-no-runs-hint" => no_runs_hint();
    "pages-no-match" => no_match();
    "pages-search" => search();
    "pages-tag" => tag();
    "pages-all" => all();
    "pages-verdict" => verdict();
    "pages-test" => test();
    "pages-started" => started();
    "pages-length" => length();
    "pages-rate" => rate();
    "pages-errors" => errors();
    "pages-choose" => choose();
    "pages-choose-two" => choose_two();
    "pages-compare-chosen" => compare_chosen();
    "pages-more-rows" => more_rows();
    "pages-compare" => compare();
    "pages-compare-hint" => compare_hint();
    "pages-before" => before();
    "pages-after" => after();
    "pages-goals" => goals();
    "pages-goal" => goal();
    "pages-result" => result();
    "pages-measured" => measured();
    "pages-time" => time();
    "pages-chart-empty" => chart_empty();
    "pages-endpoint" => endpoint();
    "pages-requests" => requests();
    "pages-recent-title" => recent_title();
    "pages-recent" => recent();
    "pages-total" => total();
    "pages-stop" => stop();
    "pages-hold" => hold();
    "pages-resume" => resume();
    "pages-annotate" => annotate();
    "pages-add" => add();
    "pages-done" => done();
    "pages-add-tag" => add_tag();
    "pages-remove-tag" => remove_tag();
    "pages-note" => note();
    "pages-add-note" => add_note();
    "pages-save" => save();
    "pages-save-html" => save_html();
    "pages-again" => again();
    "pages-remove" => remove();
    "pages-remove-sure" => remove_sure();
    "pages-what" => what();
    "pages-file" => file();
    "pages-url" => url();
    "pages-file-path" => file_path();
    "pages-file-choose" => file_choose();
    "pages-load" => load();
    "pages-load-rate" => load_rate();
    "pages-load-users" => load_users();
    "pages-per-second" => per_second();
    "pages-users" => users();
    "pages-duration" => duration();
    "pages-warm-up" => warm_up();
    "pages-warm-up-short" => warm_up_short();
    /// The warm-up leaves nothing to be counted.
    "pages-warm-up-long" => warm_up_long();
    /// One iteration of each scenario went well.
    "pages-validated" => validated();
    "pages-preview" => preview();
    "pages-preview-show" => preview_show();
    "pages-preview-hint" => preview_hint();
    "pages-goals-input" => goals_input();
    "pages-more" => more();
    "pages-options" => options();
    "pages-command" => command();
    "pages-start" => start();
    "pages-once" => once();
    "pages-test-missing" => test_missing();
    "pages-starting" => starting();
    "pages-ended-with" => ended_with();
    "pages-plan-incomplete" => plan_incomplete();
    "pages-plan-dau" => plan_dau();
    "pages-plan-requests-per-user" => plan_requests_per_user();
    "pages-plan-peak-factor" => plan_peak_factor();
    "pages-plan-think-time" => plan_think_time();
    "pages-plan-response-time" => plan_response_time();
    "pages-plan-try" => plan_try();
    /// When the server starts.
    "pages-serve-at" => serve_at(address);
    /// When the server starts.
    "pages-serve-again" => serve_again(hours, command);
    /// When the server starts.
    "pages-serve-scripts" => serve_scripts(command);
    /// When the server starts.
    "pages-serve-store" => serve_store(path);
    "pages-error-no-run" => error_no_run();
    "pages-error-ambiguous" => error_ambiguous();
    "pages-error-store" => error_store();
    "pages-error-running" => error_running();
    "pages-error-not-steerable" => error_not_steerable();
    "pages-error-not-told" => error_not_told();
    "pages-error-away" => error_away();
    "pages-error-link" => error_link();
    "pages-error-role" => error_role();
    /// For those who bring no token.
    "pages-closed-title" => closed_title();
    /// For those who bring no token.
    "pages-closed-text" => closed_text(hours);
    "pages-nav-studies" => nav_studies();
    "pages-no-studies" => no_studies();
    "pages-no-studies-hint" => no_studies_hint();
    "pages-study" => study();
    "pages-trials" => trials();
    "pages-answer" => answer();
    "pages-remove-study-sure" => remove_study_sure();
    "pages-start-at" => start_at();
    "pages-scheduled" => scheduled();
    "pages-scheduled-hint" => scheduled_hint();
    "pages-take-back" => take_back();
    "pages-waits-until" => waits_until();
}
