"""Servers of Hansang at one database, each a process of its own."""

import threading

from server import Failure, Server


class Node(Server):
    """`hansang serve` at a database, with the key that all nodes share."""

    def __init__(self, folder, name, uri, **options):
        # Its address has a password in it, which a command line would show to everybody.
        environment = {"HANSANG_STORE": uri, "HANSANG_TOKEN_KEY": str(folder / "token.key"), "HANSANG_LOG_LEVEL": "info,http=error"}
        super().__init__(folder / name, environment=environment, **options)

    def location(self):
        return []


class Nodes:
    def __init__(self, folder, uri, count):
        self.folder = folder
        self.uri = uri
        self.all = [None] * count
        #: Set while the database cannot be asked: then nodes show what they have in memory.
        self.is_out = threading.Event()

    def start(self, number):
        self.all[number] = node = Node(self.folder, f"node-{number}", self.uri)
        if not node.wait_until_it_serves():
            raise Failure(f"node {number} does not start: {node.words()}")
        return node

    def kill(self, number):
        self.all[number].kill()

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
