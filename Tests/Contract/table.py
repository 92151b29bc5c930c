"""People who play against the server that is under test."""

import http.client
import io
import itertools
import os
import socket
from urllib.parse import urlsplit

import requests

URL = os.environ["CONTRACT_URL"]
numbers = itertools.count(1)
session = requests.Session()


def device():
    """A device that nobody has used."""
    return f"device-token-of-number-{next(numbers)}"


def send(method, path, token=None, json=None, headers=(), **more):
    # Wrong PINs are counted by address; only the test of that comes from the same one again and again (`--trust-proxy`).
    number = next(numbers)
    fields = {"X-Forwarded-For": f"10.0.{number >> 8 & 255}.{number & 255}", "Accept-Language": "en", **dict(headers)}
    if token:
        fields["Authorization"] = f"Bearer {token}"
    return session.request(method, URL + path, json=json, headers=fields, timeout=60, **more)


def send_raw(head):
    """Sends the bytes of a head, and returns the status, the headers and the body of the answer."""
    address = urlsplit(URL)
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        connection.sendall(head)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    line, _, rest = answer.partition(b"\r\n")
    content = io.BytesIO(rest)
    headers = http.client.parse_headers(content)
    return int(line.split()[1]), headers, content.read()


class Room:
    """A room with its host and one more member."""

    def __init__(self, host=None, **wish):
        self.host = host or device()
        answer = send("POST", "/v1/rooms", self.host, {"nickname": "민지", **wish})
        assert answer.status_code == 201, answer.text
        self.pin = answer.json()["pin"]
        self.member = device()
        self.menus = []
        self.send("PUT", "/members/me", self.member)

    def send(self, method, path="", token=None, json=None, **more):
        answer = send(method, f"/v1/rooms/{self.pin}{path}", token or self.host, json, **more)
        assert answer.status_code < 300, answer.text
        return answer

    def submit(self, token=None):
        self.send("PUT", "/submission", token, {"answers": {"hangover": "like", "staple": ["soup"]}})
        return self

    def reveal(self):
        """Lets host and member submit, and reveals."""
        self.submit().submit(self.member)
        self.menus = [menu["id"] for menu in self.send("POST", "/reveal").json()["menus"]]
        return self

    def decide(self, menu):
        self.send("POST", "/decision", json={"menuId": menu})
        return self


class LegacyRoom(Room):
    """A room that the shipped app has opened, with one more member."""

    def __init__(self):
        self.host = device()
        answer = send("POST", f"/group?token={self.host}")
        assert answer.status_code == 201, answer.text
        self.pin = str(answer.json())
        self.member = device()
        self.send("PUT", "/members/me", self.member)
        self.menus = []
