extension Migration {
    /// Who sends a message is no longer written down: whoever has the file has it alone, and knows (`Leases`).
    static let leasesInMemory = Migration(
        number: 4, name: "push leases in memory",
        script: """
            UPDATE push_message SET due_at = 0 WHERE leased IS NOT NULL;
            ALTER TABLE push_message DROP COLUMN leased;
            """)
}
