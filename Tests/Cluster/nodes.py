"""Servers of Hansang at one database, each a process of its own."""

import threading

from server import Failure, Server, check_at


class Node(Server):
    """`hansang serve` at a database, with the key that all nodes share; on a port that was free where none is given."""

    def __init__(self, folder, name, uri, **options):
        super().__init__(folder / name, environment={**store(folder, uri), "HANSANG_LOG_LEVEL": "info,http=error"}, **options)

    def location(self):
        return []


def store(folder, uri):
    # Its address has a password in it, which a command line would show to everybody.
    return {"HANSANG_STORE": uri, "HANSANG_TOKEN_KEY": str(folder / "token.key")}


class Nodes:
    """- ports: one each, where they have to be known beforehand."""

    def __init__(self, folder, uri, count, ports=None):
        self.folder = folder
        self.uri = uri
        self.all = [None] * count
        self.ports = ports or [0] * count
        #: Set while the database cannot be asked: then nodes show what they have in memory.
        self.is_out = threading.Event()

    def start(self, number):
        self.all[number] = node = Node(self.folder, f"node-{number}", self.uri, port=self.ports[number])
        if not node.wait_until_it_serves():
            raise Failure(f"node {number} does not start: {node.words()}")
        return node

    def kill(self, number):
        self.all[number].kill()

    def check(self):
        """What `hansang check` finds at their database: how many rooms there are."""
        return check_at(store(self.folder, self.uri))

    @property
    def running(self):
        return [node for node in self.all if node.port and node.process.poll() is None]

    def __enter__(self):
        try:
            for number in range(len(self.all)):
                self.start(number)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for node in self.all:
            if node is not None:
                node.kill()
