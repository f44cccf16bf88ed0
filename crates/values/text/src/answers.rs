//! How the answers of a run compare with those of runs before.

use crate::message::declare_messages;

declare_messages! {
    /// A difference: a value.
    "answers-value" => answers_value(path, was, is);
    /// A difference: what varies has another form.
    "answers-form" => answers_form(path, was, is);
    /// A difference: a member is missing.
    "answers-missing" => answers_missing(path, was);
    /// A difference: a member was added.
    "answers-added" => answers_added(path, is);
    /// A difference: the number of elements.
    "answers-length" => answers_length(path, was, is);
    /// A difference: the order of a list.
    "answers-order" => answers_order(path, was, is);
    /// A difference: the status.
    "answers-status" => answers_status(was, is);
    /// A difference: the media type.
    "answers-media-type" => answers_media_type(was, is);
    /// A difference: where an answer points.
    "answers-location" => answers_location(was, is);
    /// A difference: a line of a text.
    "answers-line" => answers_line(line, was, is);
    /// A difference: a body that is no text.
    "answers-binary" => answers_binary(was, is);
    /// A difference of an endpoint.
    "answers-of-endpoint" => answers_of_endpoint(endpoint, difference);
    /// Behind a difference: in how many requests of the endpoint.
    "answers-of-requests" => answers_of_requests(differing, compared);
    /// Behind a difference: it may vary by itself.
    "answers-seen-once" => answers_seen_once();
    /// No difference.
    "answers-same" => answers_same(reference, compared);
    /// There are differences.
    "answers-differ" => answers_differ(reference, differing, compared);
    /// Nothing could be compared.
    "answers-none" => answers_none(reference, before, now);
    /// Few requests are common.
    "answers-few" => answers_few(compared, before);
    /// How many requests say how much.
    "answers-counts" => answers_counts(seen_once, not_seen, new);
    /// Of some answers only the beginning was compared.
    "answers-cut" => answers_cut(cut);
    /// What varies by itself.
    "answers-uncompared" => answers_uncompared(endpoint, parts);
    /// A part that varies: an order.
    "answers-part-order" => answers_part_order(path);
    /// A part that varies: elements.
    "answers-part-elements" => answers_part_elements(path);
    /// A part that varies: a member.
    "answers-part-presence" => answers_part_presence(path);
    /// A part that varies: words of a line.
    "answers-part-line" => answers_part_line(line);
    /// A part that varies: the rest of a text.
    "answers-part-rest" => answers_part_rest(line);
    /// A part that varies: a body that is no text.
    "answers-part-binary" => answers_part_binary();
    /// A part that varies: where answers point.
    "answers-part-location" => answers_part_location();
    /// A part that varies: the media type.
    "answers-part-media-type" => answers_part_media_type();
    /// Answers were kept.
    "answers-kept" => answers_kept(requests, seen_once, name);
    /// No answers were kept.
    "answers-kept-none" => answers_kept_none();
    /// There were more requests than are kept.
    "answers-kept-full" => answers_kept_full();
    /// The goal of a run that is held to others.
    "answers-goal" => answers_goal(reference);
    /// What was found of that goal.
    "answers-goal-found" => answers_goal_found(differing, compared);
    /// The title of a report's section.
    "answers-section" => answers_section();
    /// A column: the first difference.
    "answers-column-difference" => answers_column_difference();
}
