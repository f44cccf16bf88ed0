//! What the waiting room's page and command say.

use crate::message::declare_messages;

declare_messages! {
    /// The first key, once.
    "gate-first-key" => first_key(key);
    /// The first key, in a file.
    "gate-first-key-file" => first_key_file(file);
    /// Another root key was made.
    "gate-recovered" => recovered(key);
    /// Another root key was made, in a file.
    "gate-recovered-in" => recovered_in(file);
    /// Others can read a file with a secret.
    "gate-secret-exposed" => secret_exposed(file, mode);
    /// A password was typed.
    "gate-redis-password-typed" => redis_password_typed();
    /// Where visitors reach it.
    "gate-public" => public(address);
    /// Where owners reach it.
    "gate-admin" => admin(address);
    /// Where its state is kept.
    "gate-store" => store(place);
    /// Its state is kept in Redis.
    "gate-store-redis" => store_redis(place);
    /// It is about to end.
    "gate-ending" => ending();
    /// It ended.
    "gate-ended" => ended(cut);
    /// A figure was imported.
    "gate-imported" => imported(queue, rate, cap, session, run, safety);
    /// What was imported is only a lower bound.
    "gate-import-bound" => import_bound();
    /// What was imported is of a search that was stopped.
    "gate-import-stopped" => import_stopped();
    /// What was imported is of a table.
    "gate-import-table" => import_table();
    /// What an import's cap comes to when nobody reports who leaves.
    "gate-import-idle" => import_idle(idle, slower, rate);

    /// Page: title of the window.
    "gate-page-waiting" => page_waiting();
    /// Page: how many are before.
    "gate-page-ahead" => page_ahead(ahead);
    /// Page: nobody is before.
    "gate-page-next" => page_next();
    /// Page: how many wait in all.
    "gate-page-total" => page_total(total);
    /// Page: how long, as a range.
    "gate-page-wait" => page_wait(from, to);
    /// Page: how long, when both ends of the range read the same.
    "gate-page-wait-about" => page_wait_about(time);
    /// Page: how long, nobody can tell.
    "gate-page-wait-unknown" => page_wait_unknown();
    /// Page: the queue stands still.
    "gate-page-held" => page_held();
    /// Page: what the visitor has to do, nothing.
    "gate-page-stay" => page_stay();
    /// Page: name of the bar.
    "gate-page-progress" => page_progress();
    /// Page: your turn.
    "gate-page-ready" => page_ready();
    /// Page: how long the turn is kept.
    "gate-page-ready-left" => page_ready_left(left);
    /// Page: button to come in.
    "gate-page-enter" => page_enter();
    /// Page: already inside.
    "gate-page-inside" => page_inside();
    /// Page: button to the service for somebody inside.
    "gate-page-go-on" => page_go_on();
    /// Page: the code of this link was used.
    "gate-page-code-used" => page_code_used();
    /// Page: the code of this link is wrong or too old.
    "gate-page-code-over" => page_code_over();
    /// Page: link to the waiting room.
    "gate-page-to-room" => page_to_room();
    /// Page: the browser keeps no cookies.
    "gate-page-cookies" => page_cookies();
    /// Page: a form of another site was refused.
    "gate-page-foreign-form" => page_foreign_form();
    /// Page: for link previews, which get no place.
    "gate-page-preview" => page_preview();
    /// Page: no such address.
    "gate-page-nothing" => page_nothing();
    /// Page: refused by the owner.
    "gate-page-blocked" => page_blocked();
    /// Page: why.
    "gate-page-reason" => page_reason(reason);
    /// Page: the ticket no longer counts.
    "gate-page-gone" => page_gone();
    /// Page: button to queue again.
    "gate-page-again" => page_again();
    /// Page: no room for another ticket.
    "gate-page-full" => page_full();
    /// Page: no tickets.
    "gate-page-closed" => page_closed();
    /// Page: joined through the service only.
    "gate-page-through-service" => page_through_service();
    /// Page: too many joins from one address.
    "gate-page-limit" => page_limit();
    /// Page: the store is away.
    "gate-page-away" => page_away();
    /// Page: the address to return to is not one of the service's.
    "gate-page-bad-address" => page_bad_address();
    /// Page: no such queue.
    "gate-page-no-queue" => page_no_queue();
    /// Page: button to give the place up.
    "gate-page-leave" => page_leave();
    /// Page: what giving up means.
    "gate-page-leave-sure" => page_leave_sure();
    /// Page: button that gives up.
    "gate-page-leave-yes" => page_leave_yes();
    /// Page: the gate cannot be reached from the browser.
    "gate-page-lost" => page_lost();
    /// Page: link to the service.
    "gate-page-to-service" => page_to_service();
    /// Page: given up.
    "gate-page-left" => page_left();
    /// A length of time: seconds.
    "gate-seconds" => seconds(n);
    /// A length of time: minutes.
    "gate-minutes" => minutes(n);
    /// A length of time: hours and minutes.
    "gate-hours" => hours(h, m);

    /// Owners' page: waiting rooms.
    "gate-owner-title" => owner_title();
    /// Owners' page: key.
    "gate-owner-key" => owner_key();
    /// Owners' page: open.
    "gate-owner-open" => owner_open();
    /// Owners' page: forget the key.
    "gate-owner-forget" => owner_forget();
    /// Owners' page: the key was refused.
    "gate-owner-refused" => owner_refused();
    /// Owners' page: refused, since something is there by that name.
    "gate-owner-no-exists" => owner_no_exists();
    /// Owners' page: refused, since the address cannot be used.
    "gate-owner-no-address-not-allowed" => owner_no_address_not_allowed();
    /// Owners' page: refused, since somebody else changed it meanwhile.
    "gate-owner-no-version-changed" => owner_no_version_changed();
    /// Owners' page: refused, since the key may not do that.
    "gate-owner-no-scope-missing" => owner_no_scope_missing();
    /// Owners' page: refused, since the tenant has as many as it may.
    "gate-owner-no-over-quota" => owner_no_over_quota();
    /// Owners' page: refused, since the store is away.
    "gate-owner-no-store-away" => owner_no_store_away();
    /// Owners' page: refused, since the answer says why it cannot be done.
    "gate-owner-no-bad-request" => owner_no_bad_request(reason);
    /// Owners' page: refused, since the file is no logo.
    "gate-owner-no-picture" => owner_no_picture();
    /// Owners' page: the gate cannot be reached. the figures are old.
    "gate-owner-unreachable" => owner_unreachable();
    /// Owners' page: there are no queues that this key may see.
    "gate-owner-none" => owner_none();
    /// Owners' page: queues.
    "gate-owner-queues" => owner_queues();
    /// Owners' page: queue.
    "gate-owner-queue" => owner_queue();
    /// Owners' page: mode.
    "gate-owner-mode" => owner_mode();
    /// Owners' page: waiting.
    "gate-owner-waiting" => owner_waiting();
    /// Owners' page: ready.
    "gate-owner-ready" => owner_ready();
    /// Owners' page: inside.
    "gate-owner-inside" => owner_inside();
    /// Owners' page: away.
    "gate-owner-away" => owner_away();
    /// Owners' page: let in per second.
    "gate-owner-admitted" => owner_admitted();
    /// Owners' page: rate per second.
    "gate-owner-rate" => owner_rate();
    /// Owners' page: cap.
    "gate-owner-cap" => owner_cap();
    /// Owners' page: set.
    "gate-owner-set" => owner_set();
    /// Owners' page: done.
    "gate-owner-done" => owner_done();
    /// Owners' page: measured in run.
    "gate-owner-figure" => owner_figure(run, date, low, high, safety);
    /// Owners' page: rate and cap were set by hand.
    "gate-owner-by-hand" => owner_by_hand();
    /// Owners' page: find a person.
    "gate-owner-person" => owner_person();
    /// Owners' page: user id, or wid: and 32 digits.
    "gate-owner-person-hint" => owner_person_hint();
    /// Owners' page: find.
    "gate-owner-find" => owner_find();
    /// Owners' page: reason.
    "gate-owner-reason" => owner_reason();
    /// Owners' page: block.
    "gate-owner-block" => owner_block();
    /// Owners' page: lift the block.
    "gate-owner-unblock" => owner_unblock();
    /// Owners' page: let past the line.
    "gate-owner-pass" => owner_pass();
    /// Owners' page: no longer past the line.
    "gate-owner-end-pass" => owner_end_pass();
    /// Owners' page: let in now.
    "gate-owner-let-in" => owner_let_in();
    /// Owners' page: let so many in.
    "gate-owner-admit" => owner_admit();
    /// Owners' page: how many.
    "gate-owner-count" => owner_count();
    /// Owners' page: so many came in.
    "gate-owner-admitted-now" => owner_admitted_now(admitted);
    /// Owners' page: hold all queues.
    "gate-owner-hold-all" => owner_hold_all();
    /// Owners' page: whether to hold all queues.
    "gate-owner-hold-all-sure" => owner_hold_all_sure(queues);
    /// Owners' page: what was done.
    "gate-owner-audit" => owner_audit();
    /// Owners' page: when.
    "gate-owner-when" => owner_when();
    /// Owners' page: key.
    "gate-owner-who" => owner_who();
    /// Owners' page: what.
    "gate-owner-what" => owner_what();
    /// Owners' page: so many of the line were let in by hand.
    "gate-owner-deed-admitted-count" => owner_deed_admitted_count(asked, admitted);
    /// Owners' page: certain people were let in by hand.
    "gate-owner-deed-admitted-people" => owner_deed_admitted_people(asked, admitted);
    /// Owners' page: the cap was set aside.
    "gate-owner-deed-force" => owner_deed_force();
    /// Owners' page: somebody was blocked.
    "gate-owner-deed-blocked" => owner_deed_blocked(person, length, reason);
    /// Owners' page: a block was lifted.
    "gate-owner-deed-unblocked" => owner_deed_unblocked(person);
    /// Owners' page: somebody may pass the line.
    "gate-owner-deed-bypass" => owner_deed_bypass(person, length);
    /// Owners' page: somebody may no longer pass the line.
    "gate-owner-deed-bypass-ended" => owner_deed_bypass_ended(person);
    /// Owners' page: the rules were changed.
    "gate-owner-deed-configured" => owner_deed_configured(mode, rate, cap, run);
    /// Owners' page: a one-time code was shown twice.
    "gate-owner-deed-code-replayed" => owner_deed_code_replayed(person);
    /// Owners' page: without an end.
    "gate-owner-for-good" => owner_for_good();
    /// Owners' page: so many seconds.
    "gate-owner-for-seconds" => owner_for_seconds(seconds);
    /// Owners' page: mode auto.
    "gate-owner-mode-auto" => owner_mode_auto();
    /// Owners' page: mode hold.
    "gate-owner-mode-hold" => owner_mode_hold();
    /// Owners' page: mode drain.
    "gate-owner-mode-drain" => owner_mode_drain();
    /// Owners' page: mode open.
    "gate-owner-mode-open" => owner_mode_open();
    /// Owners' page: mode closed.
    "gate-owner-mode-closed" => owner_mode_closed();
    /// Owners' page: a person waits.
    "gate-owner-state-waiting" => owner_state_waiting();
    /// Owners' page: a person may come in.
    "gate-owner-state-ready" => owner_state_ready();
    /// Owners' page: a person is inside.
    "gate-owner-state-inside" => owner_state_inside();
    /// Owners' page: a person is away.
    "gate-owner-state-away" => owner_state_away();
    /// Owners' page: a person is blocked.
    "gate-owner-state-blocked" => owner_state_blocked();
    /// Owners' page: a person holds nothing.
    "gate-owner-state-gone" => owner_state_gone();
    /// Owners' page: the part with tenants, queues and keys.
    "gate-owner-settings" => owner_settings();
    /// Owners' page: whose queues and keys.
    "gate-owner-tenant" => owner_tenant();
    /// Owners' page: a tenant to make.
    "gate-owner-new-tenant" => owner_new_tenant();
    /// Owners' page: a queue to make.
    "gate-owner-new-queue" => owner_new_queue();
    /// Owners' page: a queue's short name.
    "gate-owner-slug" => owner_slug();
    /// Owners' page: where the service is.
    "gate-owner-service" => owner_service();
    /// Owners' page: makes it.
    "gate-owner-make" => owner_make();
    /// Owners' page: a queue was made.
    "gate-owner-queue-made" => owner_queue_made(address);
    /// Owners' page: texts of the visitors' page.
    "gate-owner-looks" => owner_looks();
    /// Owners' page: English title.
    "gate-owner-title-en" => owner_title_en();
    /// Owners' page: Korean title.
    "gate-owner-title-ko" => owner_title_ko();
    /// Owners' page: English notice.
    "gate-owner-notice-en" => owner_notice_en();
    /// Owners' page: Korean notice.
    "gate-owner-notice-ko" => owner_notice_ko();
    /// Owners' page: colour of the visitors' page.
    "gate-owner-accent" => owner_accent();
    /// Owners' page: picture above the visitors' page.
    "gate-owner-logo" => owner_logo();
    /// Owners' page: that page is to have no picture.
    "gate-owner-no-logo" => owner_no_logo();
    /// Owners' page: origins whose pages may call.
    "gate-owner-cors" => owner_cors();
    /// Owners' page: puts a queue away.
    "gate-owner-archive" => owner_archive();
    /// Owners' page: asked before a queue is put away.
    "gate-owner-archive-sure" => owner_archive_sure(queue);
    /// Owners' page: queues put away.
    "gate-owner-archived" => owner_archived();
    /// Owners' page: opens a queue again.
    "gate-owner-restore" => owner_restore();
    /// Owners' page: keys of a tenant.
    "gate-owner-keys" => owner_keys();
    /// Owners' page: what a key is for.
    "gate-owner-label" => owner_label();
    /// Owners' page: what a key may do.
    "gate-owner-scopes" => owner_scopes();
    /// Owners' page: when a key ends.
    "gate-owner-ends" => owner_ends();
    /// Owners' page: after how many days a key ends.
    "gate-owner-ends-days" => owner_ends_days();
    /// Owners' page: without an end.
    "gate-owner-never" => owner_never();
    /// Owners' page: scope register.
    "gate-owner-scope-register" => owner_scope_register();
    /// Owners' page: scope read.
    "gate-owner-scope-read" => owner_scope_read();
    /// Owners' page: scope admit.
    "gate-owner-scope-admit" => owner_scope_admit();
    /// Owners' page: scope admin.
    "gate-owner-scope-admin" => owner_scope_admin();
    /// Owners' page: makes a key.
    "gate-owner-new-key" => owner_new_key();
    /// Owners' page: a key was made.
    "gate-owner-key-made" => owner_key_made();
    /// Owners' page: revokes a key.
    "gate-owner-revoke" => owner_revoke();
    /// Owners' page: asked before a key is revoked.
    "gate-owner-revoke-sure" => owner_revoke_sure(key);
    /// Owners' page: new signing keys.
    "gate-owner-rotate" => owner_rotate();
    /// Owners' page: asked before keys are rotated.
    "gate-owner-rotate-sure" => owner_rotate_sure();
    /// Owners' page: the record of changes.
    "gate-owner-changes" => owner_changes();
    /// Owners' page: a tenant was made.
    "gate-owner-deed-tenant-added" => owner_deed_tenant_added(name);
    /// Owners' page: a key was made.
    "gate-owner-deed-key-added" => owner_deed_key_added(label, key);
    /// Owners' page: a key was revoked.
    "gate-owner-deed-key-revoked" => owner_deed_key_revoked(label, key);
    /// Owners' page: signing keys were rotated.
    "gate-owner-deed-keys-rotated" => owner_deed_keys_rotated(rotation);
    /// Owners' page: a queue was made.
    "gate-owner-deed-queue-added" => owner_deed_queue_added(queue);
    /// Owners' page: a queue was changed.
    "gate-owner-deed-queue-changed" => owner_deed_queue_changed(queue, before, after);
    /// Owners' page: a queue was put away.
    "gate-owner-deed-queue-archived" => owner_deed_queue_archived(queue);
    /// Owners' page: a queue was opened again.
    "gate-owner-deed-queue-restored" => owner_deed_queue_restored(queue);
    /// Owners' page: a queue was forgotten.
    "gate-owner-deed-queue-deleted" => owner_deed_queue_deleted(queue);
    /// Owners' page: quotas were set.
    "gate-owner-deed-quotas-set" => owner_deed_quotas_set(before, after);
}
