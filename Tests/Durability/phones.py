"""Services that take messages to phones, so that the server has that to write down, too: without a sync, between what has to be synced."""

import http.client
import json
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from server import ROOT, Failure


@contextmanager
def phones(folder, world):
    """The flags of a server that tells phones, while the services (Tests/Push) are there; hosts of new rooms are to be told. That they were is
    seen to at the end."""
    files = Path(tempfile.mkdtemp(prefix="phones-", dir=folder))
    services = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", "--", ROOT / "Tests/Push/stand-in.sh", files], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        ports = json.loads(services.stdout.readline())
        origin = f"https://localhost:{ports['port']}"
        world.has_phones = True
        yield [
            "--push-apns-key", files / "key.p8", "--push-apns-key-id", "ABC123DEFG", "--push-apns-team", "TEAM123456", "--push-apns-topic",
            "com.example.hansang", "--push-apns-url", origin, "--push-ca", files / "authority.pem",
        ]
        control = http.client.HTTPConnection("127.0.0.1", ports["control"])
        control.request("POST", "/", '{"limit":0}', {"Content-Length": "11"})
        told = json.loads(control.getresponse().read())["acceptedCount"]
        if not told:
            raise Failure("no phone was told of anything, so nothing was tried")
        world.counts["messages to phones"] += told
    finally:
        world.has_phones = False
        services.terminate()
        services.wait()
