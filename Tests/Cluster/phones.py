"""Clients of the proxy, by TLS."""

import http.client
import json
import re
import threading
import time

from server import Failure


class Client:
    """Asks the proxy as phones do: by TLS, from an address of its own."""

    def __init__(self, tls, port):
        self.tls = tls
        self.port = port

    def connect(self, source="127.0.0.9"):
        return http.client.HTTPSConnection("localhost", self.port, context=self.tls, timeout=30, source_address=(source, 0))

    def ask(self, connection, method, path, token=None, body=None, fields=()):
        """(status, JSON or nothing, fields)"""
        head = dict(fields)
        if token:
            head["Authorization"] = f"Bearer {token}"
        if body is not None:
            head["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), head)
        response = connection.getresponse()
        content = response.read()
        return response.status, json.loads(content) if content else None, response

    def expect(self, status, connection, *request, **more):
        found, body, _ = self.ask(connection, *request, **more)
        if found != status:
            raise Failure(f"{request[0]} {request[1]} is answered {found} {body}, not {status}")
        return body


class Stream:
    """One event stream: the sequences that came, each with its moment."""

    def __init__(self, client, path, last=None):
        self.events = []
        self.is_open = True
        self.connection = client.connect()
        self.connection.request("GET", f"{path}/events", headers={"Last-Event-ID": str(last)} if last else {})
        self.response = self.connection.getresponse()
        if self.response.status != 200:
            raise Failure(f"a stream is answered {self.response.status}")
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while line := self.response.readline():
                if found := re.match(rb"id: (\d+)", line):
                    self.events.append((time.monotonic(), int(found.group(1))))
        except (OSError, http.client.HTTPException):
            pass
        self.is_open = False

    def wait_for(self, sequence):
        deadline = time.monotonic() + 20
        while not self.events or self.events[-1][1] < sequence:
            if time.monotonic() > deadline:
                raise Failure(f"sequence {sequence} does not come through the proxy: {self.events[-3:]}, open: {self.is_open}")
            time.sleep(0.001)
        return next(at for at, number in self.events if number >= sequence)
