"""Stand-ins for Firebase Cloud Messaging, Google's tokens and the Apple Push Notification service: HTTP/2 over TLS on one port of this machine,
told by the tests on another (HTTP/1.1) what to answer, and what they have accepted.

    stand_in.py FOLDER     writes certificates and keys there, then prints {"port": …, "control": …}

Scripts are for a device's token, for "token" (Google's) or for "*". Each answer of a script is given once: {"status": 503, "fields": {…}, "json":
{…}}, or {"do": "goaway" | "reset" | "close" | "hang"}, with "times" where it is to be given more often. It ends with whoever started it.
"""

import asyncio
import json
import logging
import os
import socket
import ssl
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

import keys
from services import Services


class Connection(asyncio.Protocol):
    """One client's HTTP/2 connection."""

    def __init__(self, world):
        self.world = world
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.requests = {}

    def connection_made(self, transport):
        self.transport = transport
        self.world.connections.add(self)
        self.world.opened += 1
        self.h2.initiate_connection()
        self.h2.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: self.world.streams})
        self.flush()

    def connection_lost(self, _):
        self.world.connections.discard(self)

    def data_received(self, data):
        try:
            for event in self.h2.receive_data(data):
                self.handle(event)
        except h2.exceptions.ProtocolError:
            self.world.faults += 1
        self.flush()

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.requests[event.stream_id] = (dict(event.headers), bytearray())
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id][1].extend(event.data)
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            fields, body = self.requests.pop(event.stream_id)
            self.world.respond(self, event.stream_id, fields, bytes(body))
        elif isinstance(event, h2.events.StreamReset):
            self.requests.pop(event.stream_id, None)

    def answer(self, stream, status, fields, body):
        data = b"" if body is None else json.dumps(body).encode()
        try:
            self.h2.send_headers(stream, [(":status", str(status)), *fields.items()], end_stream=not data)
            # Answers are far shorter than a window, but for those that are meant to be too long.
            if data:
                room = min(self.h2.local_flow_control_window(stream), 1 << 20)
                for at in range(0, min(len(data), room), 16384):
                    self.h2.send_data(stream, data[at : min(at + 16384, room)])
                self.h2.end_stream(stream)
        except h2.exceptions.ProtocolError:
            pass  # the stream was given up meanwhile
        self.flush()

    def go_away(self, stream):
        """Neither this request nor a later one was looked at (RFC 9113 §6.8)."""
        self.h2.close_connection(error_code=h2.errors.ErrorCodes.NO_ERROR, last_stream_id=max(stream - 2, 0))
        self.flush()
        self.transport.close()

    def reset(self, stream):
        self.h2.reset_stream(stream, error_code=h2.errors.ErrorCodes.INTERNAL_ERROR)
        self.flush()

    def flush(self):
        self.transport.write(self.h2.data_to_send())


class World:
    def __init__(self, folder):
        self.folder = folder
        self.connections = set()
        self.opened = self.faults = self.requests = 0
        self.streams = 100
        self.delay = 0
        self.scripts = {}
        self.last = {}
        self.listener = None

    async def start(self):
        # Holds the port, so that it is nobody else's while nobody listens.
        self.holder = self.bound(0)
        self.port = self.holder.getsockname()[1]
        self.services = Services(self.port, *keys.make(self.folder, self.port))
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(f"{self.folder}/server.pem")
        self.context.set_alpn_protocols(["h2"])
        await self.listen(True)

    @staticmethod
    def bound(port):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind(("127.0.0.1", port))
        return sock

    async def listen(self, wanted):
        if self.listener:
            self.listener.close()
            self.listener = None
            for connection in list(self.connections):
                connection.transport.abort()
        if wanted:
            self.listener = await asyncio.get_running_loop().create_server(
                lambda: Connection(self), sock=self.bound(self.port), ssl=self.context, backlog=128)

    def respond(self, connection, stream, fields, body):
        self.requests += 1
        if self.delay:
            asyncio.get_running_loop().call_later(self.delay, self.respond_now, connection, stream, fields, body)
        else:
            self.respond_now(connection, stream, fields, body)

    def respond_now(self, connection, stream, fields, body):
        script = self.script(fields[":path"], body)
        if not script:
            self.last[fields[":path"].split("/")[1]] = {"fields": fields, "body": body.decode()}
            connection.answer(stream, *self.services.answer(fields, body))
        elif script.get("do") == "goaway":
            connection.go_away(stream)
        elif script.get("do") == "reset":
            connection.reset(stream)
        elif script.get("do") == "close":
            connection.transport.abort()
        elif script.get("do") != "hang":
            answer = script.get("json")
            if "long" in script:
                answer = "x" * script["long"]
            connection.answer(stream, script["status"], script.get("fields", {}), answer)

    def script(self, path, body):
        """The next answer that a test has asked for; None where there is none."""
        if path == "/token":
            target = "token"
        elif path.startswith("/3/device/"):
            target = path.removeprefix("/3/device/")
        elif path.startswith("/v1/projects/"):
            target = json.loads(body)["message"]["token"]
        else:
            target = path
        for name in (target, "*") if target != "token" else (target,):
            answers = self.scripts.get(name)
            if answers:
                answers[0]["times"] = answers[0].get("times", 1) - 1
                return answers.pop(0) if answers[0]["times"] <= 0 else answers[0]
        return None

    async def control(self, command):
        services = self.services
        if "now" in command:
            services.clock = command["now"] / 1000
        for target, answers in command.get("scripts", {}).items():
            self.scripts.setdefault(target, []).extend(answers)
        if command.get("forget"):
            self.scripts.clear()
        if command.get("revoke"):
            services.access.clear()
        if command.get("forgetAccepted"):
            services.accepted.clear()
            services.ids.clear()
        if "delay" in command:
            self.delay = command["delay"]
        if "streams" in command:
            self.streams = command["streams"]
        if "listen" in command:
            await self.listen(command["listen"])
        first = command.get("after", 0)
        return {
            # The newest request of each kind that no script was for, so that somebody else can send the same.
            **({"last": self.last} if command.get("last") else {}),
            "accepted": services.accepted[first : first + command.get("limit", 100)],
            "acceptedCount": len(services.accepted),
            "distinct": len(services.ids),
            "requests": self.requests,
            "tokenRequests": services.token_requests,
            "providerTokens": len(services.provider_tokens),
            "connections": len(self.connections),
            "opened": self.opened,
            "faults": self.faults,
        }

    async def serve_control(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = next((int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length:")), 0)
                command = json.loads(await reader.readexactly(length) or b"{}")
                body = json.dumps(await self.control(command)).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def main():
    # That connections are cut is what it is for.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    parent = os.getppid()
    world = World(sys.argv[1])
    await world.start()
    control = await asyncio.start_server(world.serve_control, "127.0.0.1", 0)
    print(json.dumps({"port": world.port, "control": control.sockets[0].getsockname()[1]}), flush=True)
    while os.getppid() == parent:
        await asyncio.sleep(1)


asyncio.run(main())
