//! What the waiting room's page and command say.

use crate::message::declare_messages;

declare_messages! {
    /// The first key, once.
    "gate-first-key" => first_key(key);
    /// Where visitors reach it.
    "gate-public" => public(address);
    /// Where owners reach it.
    "gate-admin" => admin(address);
    /// Where its state is kept.
    "gate-store" => store(place);
    /// It is about to end.
    "gate-ending" => ending();
    /// It ended.
    "gate-ended" => ended(cut);
    /// A figure was imported.
    "gate-imported" => imported(queue, rate, cap, run, safety);
    /// No cap.
    "gate-no-cap" => no_cap();

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
    /// Page: given up.
    "gate-page-left" => page_left();
    /// A length of time: seconds.
    "gate-seconds" => seconds(n);
    /// A length of time: minutes.
    "gate-minutes" => minutes(n);
    /// A length of time: hours and minutes.
    "gate-hours" => hours(h, m);
}
