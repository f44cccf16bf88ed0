//! What the web pages say, and what is printed when they are served.

use crate::message::declare_messages;

declare_messages! {
    /// On a page.
    "pages-nav" => nav();
    /// On a page.
    "pages-nav-runs" => nav_runs();
    /// On a page.
    "pages-nav-new" => nav_new();
    /// On a page.
    "pages-nav-compare" => nav_compare();
    /// On a page.
    "pages-nav-plan" => nav_plan();
    /// On a page.
    "pages-skip" => skip();
    /// On a page.
    "pages-light" => light();
    /// On a page.
    "pages-dark" => dark();
    /// On a page.
    "pages-no-page" => no_page();
    /// On a page.
    "pages-loading" => loading();
    /// On a page.
    "pages-failed" => failed();
    /// On a page.
    "pages-retry" => retry();
    /// On a page.
    "pages-stale" => stale();
    /// On a page.
    "pages-no-runs" => no_runs();
    /// On a page.
    "pages-no-runs-hint" => no_runs_hint();
    /// On a page.
    "pages-no-match" => no_match();
    /// On a page.
    "pages-search" => search();
    /// On a page.
    "pages-tag" => tag();
    /// On a page.
    "pages-all" => all();
    /// On a page.
    "pages-verdict" => verdict();
    /// On a page.
    "pages-test" => test();
    /// On a page.
    "pages-started" => started();
    /// On a page.
    "pages-length" => length();
    /// On a page.
    "pages-rate" => rate();
    /// On a page.
    "pages-errors" => errors();
    /// On a page.
    "pages-choose" => choose();
    /// On a page.
    "pages-choose-two" => choose_two();
    /// On a page.
    "pages-compare-chosen" => compare_chosen();
    /// On a page.
    "pages-more-rows" => more_rows();
    /// On a page.
    "pages-compare" => compare();
    /// On a page.
    "pages-compare-hint" => compare_hint();
    /// On a page.
    "pages-before" => before();
    /// On a page.
    "pages-after" => after();
    /// On a page.
    "pages-goals" => goals();
    /// On a page.
    "pages-goal" => goal();
    /// On a page.
    "pages-result" => result();
    /// On a page.
    "pages-measured" => measured();
    /// On a page.
    "pages-time" => time();
    /// On a page.
    "pages-chart-empty" => chart_empty();
    /// On a page.
    "pages-endpoint" => endpoint();
    /// On a page.
    "pages-requests" => requests();
    /// On a page.
    "pages-recent-title" => recent_title();
    /// On a page.
    "pages-recent" => recent();
    /// On a page.
    "pages-total" => total();
    /// On a page.
    "pages-stop" => stop();
    /// On a page.
    "pages-hold" => hold();
    /// On a page.
    "pages-resume" => resume();
    /// On a page.
    "pages-annotate" => annotate();
    /// On a page.
    "pages-add" => add();
    /// On a page.
    "pages-done" => done();
    /// On a page.
    "pages-add-tag" => add_tag();
    /// On a page.
    "pages-remove-tag" => remove_tag();
    /// On a page.
    "pages-note" => note();
    /// On a page.
    "pages-add-note" => add_note();
    /// On a page.
    "pages-save" => save();
    /// On a page.
    "pages-cancel" => cancel();
    /// On a page.
    "pages-save-html" => save_html();
    /// On a page.
    "pages-again" => again();
    /// On a page.
    "pages-remove" => remove();
    /// On a page.
    "pages-remove-sure" => remove_sure();
    /// On a page.
    "pages-token-title" => token_title();
    /// On a page.
    "pages-token-hint" => token_hint();
    /// On a page.
    "pages-token" => token();
    /// On a page.
    "pages-go-on" => go_on();
    /// On a page.
    "pages-what" => what();
    /// On a page.
    "pages-file" => file();
    /// On a page.
    "pages-url" => url();
    /// On a page.
    "pages-file-path" => file_path();
    /// On a page.
    "pages-file-choose" => file_choose();
    /// On a page.
    "pages-load" => load();
    /// On a page.
    "pages-load-rate" => load_rate();
    /// On a page.
    "pages-load-users" => load_users();
    /// On a page.
    "pages-per-second" => per_second();
    /// On a page.
    "pages-users" => users();
    /// On a page.
    "pages-duration" => duration();
    /// On a page.
    "pages-warm-up" => warm_up();
    /// On a page.
    "pages-warm-up-short" => warm_up_short();
    /// The warm-up leaves nothing to be counted.
    "pages-warm-up-long" => warm_up_long();
    /// One iteration of each scenario went well.
    "pages-validated" => validated();
    /// On a page.
    "pages-preview" => preview();
    /// On a page.
    "pages-preview-show" => preview_show();
    /// On a page.
    "pages-preview-hint" => preview_hint();
    /// On a page.
    "pages-goals-input" => goals_input();
    /// On a page.
    "pages-more" => more();
    /// On a page.
    "pages-options" => options();
    /// On a page.
    "pages-command" => command();
    /// On a page.
    "pages-start" => start();
    /// On a page.
    "pages-once" => once();
    /// On a page.
    "pages-test-missing" => test_missing();
    /// On a page.
    "pages-starting" => starting();
    /// On a page.
    "pages-ended-with" => ended_with();
    /// On a page.
    "pages-plan-incomplete" => plan_incomplete();
    /// On a page.
    "pages-plan-dau" => plan_dau();
    /// On a page.
    "pages-plan-requests-per-user" => plan_requests_per_user();
    /// On a page.
    "pages-plan-peak-factor" => plan_peak_factor();
    /// On a page.
    "pages-plan-think-time" => plan_think_time();
    /// On a page.
    "pages-plan-response-time" => plan_response_time();
    /// On a page.
    "pages-plan-try" => plan_try();
    /// When the server starts.
    "pages-serve-at" => serve_at(address);
    /// When the server starts.
    "pages-serve-token" => serve_token(token);
    /// When the server starts.
    "pages-serve-store" => serve_store(path);
    /// On a page.
    "pages-error-no-run" => error_no_run();
    /// On a page.
    "pages-error-ambiguous" => error_ambiguous();
    /// On a page.
    "pages-error-store" => error_store();
    /// On a page.
    "pages-error-running" => error_running();
    /// On a page.
    "pages-error-not-steerable" => error_not_steerable();
    /// On a page.
    "pages-error-not-told" => error_not_told();
    /// On a page.
    "pages-error-away" => error_away();
    /// On a page.
    "pages-nav-studies" => nav_studies();
    /// On a page.
    "pages-no-studies" => no_studies();
    /// On a page.
    "pages-no-studies-hint" => no_studies_hint();
    /// On a page.
    "pages-study" => study();
    /// On a page.
    "pages-trials" => trials();
    /// On a page.
    "pages-answer" => answer();
    /// On a page.
    "pages-remove-study-sure" => remove_study_sure();
    /// On a page.
    "pages-start-at" => start_at();
    /// On a page.
    "pages-scheduled" => scheduled();
    /// On a page.
    "pages-scheduled-hint" => scheduled_hint();
    /// On a page.
    "pages-take-back" => take_back();
    /// On a page.
    "pages-waits-until" => waits_until();
}
