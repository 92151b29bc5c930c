extension Migration {
    /// The tables and indices that there are after all migrations.
    static let relations = [
        "catalogue", "catalogue_pkey",
        "device", "device_by_expiry", "device_by_owner", "device_by_room", "device_pkey", "device_platform_push_token_key",
        "member", "member_pkey", "member_room_token_hash_key",
        "migration", "migration_pkey",
        "opening", "opening_by_expiry", "opening_pkey",
        "pin_claim", "pin_claim_by_expiry", "pin_claim_pkey",
        "push_message", "push_message_by_due", "push_message_pkey",
        "push_notice", "push_notice_by_expiry", "push_notice_pkey", "push_notice_to_look_up",
        "receipt", "receipt_by_expiry", "receipt_pkey",
        "removed", "removed_pkey",
        "result", "result_pkey",
        "room", "room_by_due", "room_by_expiry", "room_pkey",
        "room_receipt", "room_receipt_by_expiry", "room_receipt_pkey",
        "submission", "submission_pkey",
        "token_key", "token_key_pkey",
        "trial",
    ]

    /// Those that are there; of tables, the ones too that are spread over many servers.
    static let relationsThere: SQL = """
        SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'i', 'I') ORDER BY relname::text COLLATE "C"
        """
}
