//! Words of the page's part with tenants, queues and keys.

use loadline_text::{Message, gate as words};

/// Their names in the page, and what they say; the script fills in what is in braces.
pub(super) fn words_of_settings() -> Vec<(&'static str, Message)> {
    vec![
        ("settings", words::owner_settings()),
        ("tenant", words::owner_tenant()),
        ("new-tenant", words::owner_new_tenant()),
        ("new-queue", words::owner_new_queue()),
        ("slug", words::owner_slug()),
        ("service", words::owner_service()),
        ("make", words::owner_make()),
        ("queue-made", words::owner_queue_made("{address}")),
        ("looks", words::owner_looks()),
        ("title-en", words::owner_title_en()),
        ("title-ko", words::owner_title_ko()),
        ("notice-en", words::owner_notice_en()),
        ("notice-ko", words::owner_notice_ko()),
        ("accent", words::owner_accent()),
        ("logo", words::owner_logo()),
        ("no-logo", words::owner_no_logo()),
        ("cors", words::owner_cors()),
        ("archive", words::owner_archive()),
        ("archive-sure", words::owner_archive_sure("{queue}")),
        ("archived", words::owner_archived()),
        ("restore", words::owner_restore()),
        ("keys", words::owner_keys()),
        ("label", words::owner_label()),
        ("scopes", words::owner_scopes()),
        ("ends", words::owner_ends()),
        ("ends-days", words::owner_ends_days()),
        ("never", words::owner_never()),
        ("scope-register", words::owner_scope_register()),
        ("scope-read", words::owner_scope_read()),
        ("scope-admit", words::owner_scope_admit()),
        ("scope-admin", words::owner_scope_admin()),
        ("new-key", words::owner_new_key()),
        ("key-made", words::owner_key_made()),
        ("revoke", words::owner_revoke()),
        ("revoke-sure", words::owner_revoke_sure("{key}")),
        ("rotate", words::owner_rotate()),
        ("rotate-sure", words::owner_rotate_sure()),
        ("changes", words::owner_changes()),
        ("tenant_added", words::owner_deed_tenant_added("{name}")),
        ("key_added", words::owner_deed_key_added("{label}", "{key}")),
        (
            "key_revoked",
            words::owner_deed_key_revoked("{label}", "{key}"),
        ),
        ("keys_rotated", words::owner_deed_keys_rotated("{rotation}")),
        ("queue_added", words::owner_deed_queue_added("{queue}")),
        (
            "queue_changed",
            words::owner_deed_queue_changed("{queue}", "{before}", "{after}"),
        ),
        (
            "queue_archived",
            words::owner_deed_queue_archived("{queue}"),
        ),
        (
            "queue_restored",
            words::owner_deed_queue_restored("{queue}"),
        ),
        ("queue_deleted", words::owner_deed_queue_deleted("{queue}")),
        (
            "quotas_set",
            words::owner_deed_quotas_set("{before}", "{after}"),
        ),
    ]
}
