#!/usr/bin/env python3
"""proxies.py NAME PORT BACKEND_LOG PROXY_LOG: the raw cases through a proxy in front of `echo-server --log`, one after another.

After each case the client asks for something else on the same connection, and another client for something else again; both have to
get their own answers. At the end, the requests that the proxy says it forwarded and those that the server has seen are compared, case
by case: one more on the server's side, or another, is one that was smuggled. Loopback only.

Each line of PROXY_LOG is `METHOD target` of a request that was forwarded; each of BACKEND_LOG `METHOD target bytes`, or `REFUSED status`.
"""
import json, pathlib, socket, sys, time

name, port, backend_log, proxy_log = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
cases = json.load(open(pathlib.Path(__file__).with_name("cases.json")))


class Connection:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.closed = b"", False

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # refused before it was whole; what was answered can still be read

    def fill(self, wait):
        self.socket.settimeout(wait)
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            return False
        except OSError:
            data = b""
        self.closed = not data
        self.buffer += data
        return bool(data)

    def answer(self, wait, head=False):
        """(status, body) of the next final answer; None where none comes."""
        while True:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                if self.closed or not self.fill(wait):
                    return None
                continue
            lines = self.buffer[:end].split(b"\r\n")
            status = int(lines[0].split(b" ")[1])
            fields = dict(line.lower().split(b": ", 1) for line in lines[1:])
            length = 0 if head or status < 200 or status in (204, 304) else int(fields[b"content-length"])
            if len(self.buffer) < end + 4 + length:
                if self.closed or not self.fill(wait):
                    return None
                continue
            body, self.buffer = self.buffer[end + 4 : end + 4 + length], self.buffer[end + 4 + length :]
            if status >= 200:
                return status, body


def ask(connection, path):
    connection.send(f"GET {path} HTTP/1.1\r\nHost: t.example\r\n\r\n".encode())
    return connection.answer(5)


def try_case(number, case):
    """What is wrong with the answers to one case."""
    raw, expect, problems = case["raw"].encode("latin-1"), case["expect"], []
    connection = Connection()
    connection.send(raw)
    if case.get("half_close"):
        connection.socket.shutdown(socket.SHUT_WR)
    answers, most = [], expect["responses"] or 2
    while len(answers) < most and (answer := connection.answer(0.5, head=raw.startswith(b"HEAD"))):
        answers.append(answer)
    first = answers[0][0] if answers else None
    if first and 200 <= first < 300 and expect.get("body") is not None and answers[0][1] != expect["body"].encode("latin-1"):
        problems.append(f"the echo is {answers[0][1]!r}")
    if not connection.closed and not case.get("half_close"):
        answer = ask(connection, f"/same/{number}")
        while answer and answer[1] != f"/same/{number}".encode():
            answers.append(answer)
            answer = connection.answer(0.5)
        if first and 200 <= first < 300 and expect["must_close"] is False and not answer:
            problems.append("a further request on the connection got no answer of its own")
    if expect["responses"] is not None and len(answers) > most:
        problems.append(f"{len(answers)} answers, at most {most}")
    connection.socket.close()
    answer = ask(Connection(), f"/other/{number}")
    if answer != (404, f"/other/{number}".encode()):
        problems.append(f"another client got {answer} for /other/{number}")
    return problems, first


def by_case(log):
    """The requests of each case, which end with that of the other client."""
    groups, group = [], []
    for line in open(log):
        if line.strip().isdigit():
            continue  # the port
        method, target = line.split()[:2]
        group.append((method, target.removeprefix("http://t.example")))
        if target.startswith("/other/"):
            groups.append(group)
            group = []
    return groups + ([group] if group else [])


def is_same(case, forwarded, seen):
    """Whether the server has seen these requests, in their order, and no others; one that it refused may be any.

    Where the client cuts its request off, or the request is one to be refused, the proxy may give it up on the way: it need not arrive
    then, or arrives in part. What follows every case has to arrive whole.
    """
    expect = case["expect"]
    if not case.get("half_close") and "2xx" in (expect.get("demand") or expect["status"]):
        return len(forwarded) == len(seen) and all(b[0] == "REFUSED" or a == b for a, b in zip(forwarded, seen))
    accepted = [request for request in seen if request[0] != "REFUSED"]
    rest = iter(forwarded)
    in_order = all(any(request == other for other in rest) for request in accepted)
    may_be_refused = max(len(forwarded) - len(accepted), 1 if case.get("half_close") else 0)
    return in_order and forwarded[-1:] == accepted[-1:] and len(seen) - len(accepted) <= may_be_refused


def compare():
    forwarded, seen = by_case(proxy_log), by_case(backend_log)
    if len(forwarded) != len(cases) or len(seen) != len(cases):
        return [f"{len(forwarded)} and {len(seen)} cases in the logs"], seen
    pairs = zip(cases, forwarded, seen)
    return [f"{case['name']}: forwarded {a}, seen {b}" for case, a, b in pairs if not is_same(case, a, b)], seen


failures, accepted = [], 0
for number, case in enumerate(cases):
    problems, first = try_case(number, case)
    accepted += first is not None and first < 300
    failures += [f"{case['name']}: {problem}" for problem in problems]
deadline = time.monotonic() + 5
while (compared := compare())[0] and time.monotonic() < deadline:
    time.sleep(0.1)  # a proxy may write its log a little later
failures += compared[0]
for failure in failures:
    print(f"FAIL {name} {failure}")
requests = [request for group in compared[1] for request in group]
through = sum(request[0] == "REFUSED" for request in requests)
print(
    f"{name}: {len(cases)} cases, {accepted} answered 2xx; {len(requests)} requests reached the server, which refused {through} of them;"
    f" {len(failures)} problems"
)
sys.exit(bool(failures))
