import HTTPServer
import Testing

@Suite("Server")
struct ServerTests {}
