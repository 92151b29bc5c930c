extension Migration {
    /// When the clock has something to do with a room (its reveal at the deadline), and who sees to it.
    static let dueRooms = Migration(
        number: 2, name: "due rooms",
        script: """
            ALTER TABLE room ADD COLUMN due_at INTEGER;
            ALTER TABLE room ADD COLUMN leased_until INTEGER;
            CREATE INDEX room_by_due ON room (due_at) WHERE due_at IS NOT NULL;

            -- A deadline before which nobody has submitted is spent.
            UPDATE room SET due_at = deadline_at
            WHERE reveal_at_deadline = 1 AND deadline_at IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM result WHERE result.room = room.key AND result.round = room.round)
              AND EXISTS (
                SELECT 1 FROM submission WHERE submission.room = room.key AND submission.submitted_at < room.deadline_at);
            """)
}
