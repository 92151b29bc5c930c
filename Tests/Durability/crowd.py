"""Very many connections by one thread, each with one request under way."""

import selectors
import socket
import time

from wire import HOST


class Crowd:
    """- next_request: called with the number of a connection, gives the bytes of its next request, or `None` when it has done enough."""

    def __init__(self, port, connections, next_request):
        self.selector = selectors.DefaultSelector()
        self.next_request = next_request
        self.members = []
        for number in range(connections):
            connection = socket.create_connection((HOST, port), 30)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setblocking(False)
            self.members.append(connection)
        #: (number of the connection, status, head, content, seconds) of every answer.
        self.answers = []

    def run(self, patience=120):
        """Until every connection has done enough."""
        self.sent = [0.0] * len(self.members)
        self.bytes = [b""] * len(self.members)
        left = 0
        for number, connection in enumerate(self.members):
            self.selector.register(connection, selectors.EVENT_READ, number)
            left += self._send(number)
        deadline = time.monotonic() + patience
        while left and time.monotonic() < deadline:
            for key, _ in self.selector.select(1):
                number = key.data
                more = key.fileobj.recv(1 << 18)
                if not more:
                    raise ConnectionError("a connection was closed")
                self.bytes[number] += more
                left -= self._take(number)
        if left:
            raise ConnectionError(f"{left} requests were not answered")

    def close(self):
        for connection in self.members:
            connection.close()
        self.selector.close()

    def _send(self, number):
        request = self.next_request(number)
        if request is None:
            return 0
        self.sent[number] = time.monotonic()
        self.members[number].sendall(request)
        return 1

    def _take(self, number):
        """How many connections have done enough by what came in on this one: it, or none."""
        head, end, rest = self.bytes[number].partition(b"\r\n\r\n")
        if not end:
            return 0
        place = head.lower().find(b"content-length: ")
        length = int(head[place + 16:].split(b"\r\n", 1)[0]) if place >= 0 else 0
        if len(rest) < length:
            return 0
        self.answers.append((number, int(head[9:12]), head, rest[:length], time.monotonic() - self.sent[number]))
        self.bytes[number] = rest[length:]
        return 1 - self._send(number)


def request(method, path, token, body=b""):
    return (
        f"{method} {path} HTTP/1.1\r\nHost: hansang\r\nX-Forwarded-For: 10.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
