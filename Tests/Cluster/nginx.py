"""docker/proxy/nginx.conf, run by Debian's nginx on this machine."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager

from server import ROOT, Failure

CONFIGURATION = ROOT / "docker/proxy/nginx.conf"
HOST = "127.0.0.1"


@contextmanager
def nginx(place, ports):
    """Runs it with our addresses in place of the containers'; what trusts its certificate."""
    tls = place / "tls"
    _certify(tls)
    text = CONFIGURATION.read_text()
    for old, new in {
        "listen 80;": f"listen {HOST}:{ports[2]};", "listen [::]:80;": "",
        "listen 443 ssl http2;": f"listen {HOST}:{ports[3]} ssl http2;", "listen [::]:443 ssl http2;": "",
        "server hansang-1:8080": f"server {HOST}:{ports[0]}", "server hansang-2:8080": f"server {HOST}:{ports[1]}",
        "https://$host$request_uri": f"https://$host:{ports[3]}$request_uri",
        "/etc/nginx/tls/": f"{tls}/", "worker_rlimit_nofile 65536;": "", "worker_connections 20000": "worker_connections 1000",
        "http {": "http {\n" + "".join(f"{kind}_temp_path {place}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")),
    }.items():
        if old not in text:
            raise Failure(f"nginx.conf does not say '{old}' any more")
        text = text.replace(old, new)
    file = place / "nginx.conf"
    file.write_text(text)
    if os.geteuid() == 0:
        # Its workers are somebody else.
        for path in (place, place.parent):
            path.chmod(0o711)
    path = f"{os.environ['PATH']}:/usr/sbin"
    with open(place / "nginx.log", "ab") as log:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "--", shutil.which("nginx", path=path), "-p", place, "-c", file, "-e", "stderr",
             "-g", f"daemon off; pid {place}/nginx.pid;"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 20
        while True:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"nginx does not start: {(place / 'nginx.log').read_text()}")
            try:
                socket.create_connection((HOST, ports[3]), 1).close()
                break
            except OSError:
                time.sleep(0.02)
        _redirect(ports)
        yield ssl.create_default_context(cafile=tls / "ca.pem")
    finally:
        process.terminate()
        process.wait()


def _certify(tls):
    """A CA of our own, and a certificate by it for this machine."""
    tls.mkdir()
    (tls / "names").write_text(f"subjectAltName=DNS:localhost,IP:{HOST}\n")
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for command in [
        ["req", "-x509", *new, "-days", "2", "-subj", "/CN=Hansang test CA", "-keyout", "ca.key", "-out", "ca.pem"],
        ["req", *new, "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem"],
        ["x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names",
         "-out", "certificate.pem"],
    ]:
        done = subprocess.run(["openssl", *command], cwd=tls, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"openssl {command[0]}: {done.stderr}")


def _redirect(ports):
    connection = http.client.HTTPConnection(HOST, ports[2], timeout=10)
    connection.request("GET", "/v1/game?x=1", headers={"Host": "localhost"})
    response = connection.getresponse()
    if (response.status, response.getheader("Location")) != (308, f"https://localhost:{ports[3]}/v1/game?x=1"):
        raise Failure(f"HTTP leads to {response.status} {response.getheader('Location')}")
