"""One connection to a server, and what is asked and answered on it."""

import json
import socket

HOST = "127.0.0.1"


class Lost(Exception):
    """The connection ended before there was an answer."""


class Answered:
    def __init__(self, status, fields, content):
        self.status = status
        self.fields = fields
        self.content = content

    @property
    def body(self):
        return json.loads(self.content) if self.content else None


class Connection:
    """One connection that stays open."""

    def __init__(self, port, address="10.0.0.1", patience=60):
        self.address = address
        try:
            self.socket = socket.create_connection((HOST, port), patience)
        except OSError as error:
            raise Lost(str(error)) from None
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""

    def ask(self, method, path, token=None, body=None, fields=()):
        head = [f"{method} {path} HTTP/1.1", "Host: hansang", f"X-Forwarded-For: {self.address}"]
        if token is not None:
            head.append(f"Authorization: Bearer {token}")
        content = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            head += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        head += [f"{name}: {value}" for name, value in fields]
        try:
            self.socket.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + content)
            return self.answer()
        except OSError as error:
            raise Lost(str(error)) from None

    def answer(self):
        while b"\r\n\r\n" not in self.bytes:
            self.read()
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:])
        length = int(fields.get("Content-Length", 0))
        while len(self.bytes) < length:
            self.read()
        content, self.bytes = self.bytes[:length], self.bytes[length:]
        return Answered(int(lines[0].split()[1]), fields, content)

    def read(self):
        more = self.socket.recv(65536)
        if not more:
            raise Lost("closed")
        self.bytes += more

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
