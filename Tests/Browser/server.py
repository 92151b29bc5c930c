"""The program itself, and members of its rooms who have no browser."""

import itertools
import json
import os
import subprocess
import tempfile
import urllib.request
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
numbers = itertools.count(1)


class Server:
    """`hansang serve` with a store of its own. Killed and started again, it is at the same address with the same rooms."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.port = 0
        self.start()

    def start(self, catalogue=None):
        named = {"HANSANG_CATALOGUE": str(catalogue)} if catalogue else {}
        environment = os.environ | named | {
            "HANSANG_PORT": str(self.port), "HANSANG_STORE": f"sqlite:{self.folder.name}/hansang.sqlite",
            # Everybody here comes from one machine.
            "HANSANG_ROOMS_PER_HOUR": "1000000"}
        self.process = subprocess.Popen([os.environ["HANSANG"], "serve"], stderr=subprocess.PIPE, env=environment, text=True)
        for line in self.process.stderr:
            entry = json.loads(line) if line.startswith("{") else {}
            if entry.get("event") == "started":
                self.port = entry["port"]
                break
        assert self.port and self.process.poll() is None, "the server does not start"
        # Nobody reads the rest, and the server is not to wait for anybody who does.
        self.drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        self.process.stderr.close()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.drain.wait()

    def close(self):
        self.kill()
        self.folder.cleanup()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def send(self, method, path, token, body=None):
        """Sends a request as the device with this token, and returns the JSON of the answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None


class Guest:
    """A member of a room who plays without a browser."""

    def __init__(self, server, pin, nickname=None):
        self.server, self.path, self.token = server, f"/v1/rooms/{pin}", f"device-token-of-guest-{next(numbers)}"
        self.send("PUT", "/members/me", {"nickname": nickname})

    def send(self, method, path="", body=None):
        return self.server.send(method, self.path + path, self.token, body)

    def submit(self, **answers):
        return self.send("PUT", "/submission", {"answers": answers or {"spicy": "like", "staple": ["soup"]}})
