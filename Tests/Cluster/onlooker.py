#!/usr/bin/env python3
"""Looks at one room through several nodes for as long as it is told to: whether reads are ever refused, and streams ever closed.

    onlooker.py PIN TOKEN STREAMS PORT…

A process of its own, so that what it feels is the servers and not the load of whoever drives them. Says "ready" once every stream has its
first event. On a line of standard input, `sequence N`, it waits until every stream has come so far. Then, or when the line is empty, it
prints what it has seen, one JSON object, and ends.
"""

import json
import re
import selectors
import socket
import sys
import threading
import time

HOST = "127.0.0.1"
PATIENCE = 15
IDS = re.compile(rb"^id: (\d+)\r?\n", re.MULTILINE)


class Streams(threading.Thread):
    """Event streams of one node."""

    def __init__(self, port, pin, count):
        super().__init__(daemon=True)
        self.selector = selectors.DefaultSelector()
        self.faults = []
        self.sequences = [0] * count
        self.rests = [b""] * count
        #: Of the first stream: (moment, sequence) of each event.
        self.events = []
        for number in range(count):
            stream = socket.create_connection((HOST, port), PATIENCE)
            stream.sendall(f"GET /v1/rooms/{pin}/events HTTP/1.1\r\nHost: hansang\r\nX-Forwarded-For: 10.253.0.{number}\r\n\r\n".encode())
            self.selector.register(stream, selectors.EVENT_READ, number)

    def run(self):
        while True:
            for key, _ in self.selector.select():
                number = key.data
                try:
                    piece = key.fileobj.recv(1 << 16)
                except OSError:
                    piece = b""
                if not piece:
                    self.faults.append("a stream was closed")
                    self.selector.unregister(key.fileobj)
                    continue
                text = self.rests[number] + piece
                for found in IDS.findall(text):
                    sequence = int(found)
                    if sequence < self.sequences[number]:
                        self.faults.append(f"after sequence {self.sequences[number]} an event with {sequence}")
                    self.sequences[number] = sequence
                    if number == 0:
                        self.events.append((time.monotonic(), sequence))
                # An id is a line of its own; one that is cut comes whole with the next piece.
                self.rests[number] = text[text.rfind(b"\n") + 1:]


class Reader(threading.Thread):
    """Reads the room again and again."""

    def __init__(self, port, pin, token):
        super().__init__(daemon=True)
        self.port = port
        self.request = (
            f"GET /v1/rooms/{pin} HTTP/1.1\r\nHost: hansang\r\nX-Forwarded-For: 10.252.0.1\r\nAuthorization: Bearer {token}\r\n\r\n").encode()
        self.faults = []
        #: (moment, seconds) of each.
        self.times = []
        self.is_over = threading.Event()

    def run(self):
        try:
            with socket.create_connection((HOST, self.port), PATIENCE) as connection:
                while not self.is_over.wait(0.005):
                    began = time.monotonic()
                    connection.sendall(self.request)
                    head = self.answer(connection)
                    self.times.append((began, time.monotonic() - began))
                    if not head.startswith(b"HTTP/1.1 200 "):
                        self.faults.append(f"a read is answered {head[:300].decode(errors='replace')}")
        except OSError as error:
            self.faults.append(f"a reader was cut off: {error}")

    @staticmethod
    def answer(connection):
        answer = b""
        while True:
            piece = connection.recv(1 << 16)
            if not piece:
                raise OSError("closed")
            answer += piece
            head, end, content = answer.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            if end and length and len(content) >= int(length.group(1)):
                return answer


def main():
    pin, token, count, *ports = sys.argv[1:]
    streams = {port: Streams(int(port), pin, int(count)) for port in ports}
    readers = {port: Reader(int(port), pin, token) for port in ports}
    for thread in [*streams.values(), *readers.values()]:
        thread.start()
    wait(lambda: all(min(each.sequences) > 0 for each in streams.values()))
    print("ready", flush=True)
    words = sys.stdin.readline().split()
    if words:
        wait(lambda: all(min(each.sequences) >= int(words[1]) for each in streams.values()))
    for reader in readers.values():
        reader.is_over.set()
        reader.join()
    print(json.dumps({
        port: {"faults": streams[port].faults + readers[port].faults, "reads": readers[port].times, "events": streams[port].events,
               "behind": min(streams[port].sequences)} for port in ports}), flush=True)


def wait(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)


if __name__ == "__main__":
    main()
