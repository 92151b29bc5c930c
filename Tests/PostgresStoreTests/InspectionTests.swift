import MenuGame
import TestSupport
import Testing

@testable import PostgresStore

@Suite("A look at all of a database", .sharesPostgres, .blocks) struct InspectionTests {
    @Test("finds a room without its PIN, and takes a PIN that a room has left behind for no fault") func claims() throws {
        let servers = try Servers(1)
        let first = try servers.room(1)
        _ = try servers.room(2)
        #expect(try PostgresInspection(uri: servers.schema.uri).faults().isEmpty)
        try servers.schema.run("DELETE FROM room WHERE id = 'r_2'")
        let inspection = try PostgresInspection(uri: servers.schema.uri)
        #expect(try inspection.faults().isEmpty)
        #expect(try inspection.pins() == [first.pin])
        try servers.schema.run("DELETE FROM pin_claim WHERE room = 'r_1'")
        #expect(try PostgresInspection(uri: servers.schema.uri).faults() == ["room r_1 does not have its PIN"])
    }
}
