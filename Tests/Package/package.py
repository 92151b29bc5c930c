#!/usr/bin/env python3
"""`make test-package`: the Debian package is installed into a Debian of its own, played with, upgraded, removed and purged.

The Debian is made by debootstrap, once, into .build/debian; each run works on a copy. There is no systemd in it: the service is started as
its unit says, by hand.
"""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

PROJECT = Path(__file__).resolve().parents[2]
BUILD = PROJECT / ".build"
TEMPLATE = BUILD / "debian"
UNIT = PROJECT / "docker/debian/hansang.service"
#: The most that `systemd-analyze security` may have against the unit, in tenths: of 100, where below 20 is "safe".
EXPOSURE = 15
STARTS = 20


def main():
    if os.geteuid():
        raise SystemExit("make test-package needs root: it works in a chroot")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    debs = sorted(BUILD.glob("hansang_*.deb"), key=lambda path: path.stat().st_mtime)
    deb = debs[-1]
    check_unit()
    make_template()
    with tempfile.TemporaryDirectory(prefix="package-", dir=BUILD) as folder:
        root = Path(folder, "root")
        run("cp", "-a", "--reflink=auto", TEMPLATE, root)
        before = files(root)
        shutil.copy(deb, root / "hansang.deb")
        chroot(root, "dpkg", "-i", "/hansang.deb")
        check_files(root)
        play(root)
        starts(root)
        # An edited configuration stays when the package is installed again, and when it is removed.
        configuration = root / "etc/hansang/hansang.conf"
        configuration.write_text(configuration.read_text() + "room-hours = 5\n")
        chroot(root, "dpkg", "-i", "--force-confold", "/hansang.deb")
        expect("room-hours = 5" in configuration.read_text(), "an upgrade has overwritten the configuration")
        chroot(root, "dpkg", "-r", "hansang")
        expect(configuration.exists() and (root / "var/lib/hansang/hansang.sqlite").exists(), "removing has taken what only purging may")
        chroot(root, "dpkg", "--purge", "hansang")
        (root / "hansang.deb").unlink()
        left = files(root) - before - PUT_HERE
        expect(not left, f"purging leaves {sorted(left)[:5]}")
        lost = before - files(root)
        expect(not lost, f"purging has taken {sorted(lost)[:5]}")
    print(f"package: installed, played, upgraded, removed and purged; {deb.stat().st_size} bytes")


#: What dpkg itself and this test leave.
PUT_HERE = {"hansang.deb", "var/log/dpkg.log", "var/lib/dpkg/status-old", "var/lib/dpkg/lock", "var/lib/dpkg/lock-frontend",
            "var/lib/dpkg/triggers/Lock", "var/lib/dpkg/triggers/Unincorp", "var/lib/dpkg/info/format", "dev/null"}


def check_unit():
    """What systemd itself says of the unit, where it is there to be asked."""
    if not shutil.which("systemd-analyze"):
        print("package: no systemd-analyze here, so that the unit is not looked at")
        return
    # Of the program, which is not here, it says that it is not; anything else is a fault of the units.
    said = subprocess.run(["systemd-analyze", "verify", UNIT, UNIT.with_suffix(".socket")], capture_output=True, text=True).stderr
    faults = [line for line in said.splitlines() if "hansang" in line and "/usr/bin/hansang is not executable" not in line]
    expect(not faults, f"systemd-analyze verify: {faults}")
    said = run("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", "--no-pager", UNIT)
    print("package: " + next(line for line in said.splitlines() if "Overall" in line).strip("→ "))


def make_template():
    draft = BUILD / "debian-draft"
    control = run("dpkg-deb", "-f", sorted(BUILD.glob("hansang_*.deb"))[-1], "Depends")
    names = [part.split("(")[0].strip() for part in control.split(",")]
    # Another version of the package may need others.
    made_of = TEMPLATE.with_suffix(".packages")
    if made_of.exists() and made_of.read_text() == " ".join(names):
        return
    for folder in (draft, TEMPLATE):
        shutil.rmtree(folder, ignore_errors=True)
    release = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release") if "=" in line)["VERSION_CODENAME"].strip('"')
    run("debootstrap", "--variant=minbase", f"--include={','.join(names)}", release, draft)
    run("rm", "-rf", draft / "var/cache/apt", draft / "var/lib/apt/lists")
    draft.rename(TEMPLATE)
    made_of.write_text(" ".join(names))


def check_files(root):
    for path, mode in {"usr/bin/hansang": 0o755, "etc/hansang/hansang.conf": 0o644, "usr/share/hansang/catalogue.json": 0o644}.items():
        status = (root / path).stat()
        expect(status.st_mode & 0o777 == mode and status.st_uid == 0, f"/{path} has the wrong mode or owner")
    said = chroot(root, "/usr/bin/hansang", "config", "--config", "/etc/hansang/hansang.conf")
    expect("store = sqlite:/var/lib/hansang/hansang.sqlite" in said, "the configuration is not what it says")
    symbols = subprocess.run(["file", root / "usr/bin/hansang"], capture_output=True, text=True) if shutil.which("file") else None
    expect(symbols is None or ", stripped" in symbols.stdout, "the program is not stripped")


class Service:
    """The service as its unit starts it: with no rights, and the one folder that it may write."""

    def __init__(self, root):
        self.root = root
        self.port, self.admin = free_port(), free_port()
        unit = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and not line.startswith("#"))
        folder = root / "var/lib" / unit["StateDirectory"]
        folder.mkdir(mode=0o700, exist_ok=True)
        os.chown(folder, 65534, 65534)
        self.socket = tempfile.TemporaryDirectory(dir=root / "tmp")
        os.chmod(self.socket.name, 0o777)
        self.ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.ready.bind(f"{self.socket.name}/notify")
        os.chmod(f"{self.socket.name}/notify", 0o777)
        self.ready.settimeout(20)
        self.log = open(root.parent / "log", "ab")
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [*inside(root), "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig=TERM", "--no-new-privs", "--",
             *shlex.split(unit["ExecStart"])],
            env={"PATH": PATH, "HANSANG_PORT": str(self.port), "HANSANG_ADMIN": f"127.0.0.1:{self.admin}",
                 "NOTIFY_SOCKET": f"/tmp/{Path(self.socket.name).name}/notify"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        try:
            expect(self.ready.recv(64) == b"READY=1", "it does not say that it is ready")
        except TimeoutError:
            raise SystemExit(f"package: it does not start:\n{(root.parent / 'log').read_text()[-2000:]}") from None
        self.took = time.perf_counter() - began

    def stop(self):
        self.process.terminate()
        expect(self.process.wait(10) == 0, "it does not end as it should")
        expect(self.ready.recv(64) == b"STOPPING=1", "it does not say that it stops")

    def ask(self, method, path, token=None, body=None, port=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(
            f"http://127.0.0.1:{port or self.port}{path}", method=method, headers=headers, data=None if body is None else body.encode())
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read().decode()


def play(root):
    service = Service(root)
    tokens = [f"device-token-of-package-{number}" for number in range(3)]
    pin = json.loads(service.ask("POST", "/v1/rooms", tokens[0], "{}"))["pin"]
    for token in tokens:
        service.ask("PUT", f"/v1/rooms/{pin}/submission", token, '{"vetoes":["meat"]}')
    service.stop()
    service = Service(root)
    result = json.loads(service.ask("POST", f"/v1/rooms/{pin}/reveal", tokens[0]))
    expect(result["playerCount"] == 3 and len(result["menus"]) == 3, "the game went wrong")
    expect("hansang_rooms_live 1" in service.ask("GET", "/metrics", port=service.admin), "the figures are not there")
    expect("<html" in service.ask("GET", "/"), "the web client is not there")
    service.stop()
    for name in ("hansang.sqlite", "hansang.sqlite.key"):
        expect((root / "var/lib/hansang" / name).stat().st_mode & 0o077 == 0, f"others can read {name}")


def starts(root):
    """How long it takes from being started to being ready, with a small store."""
    took = []
    for _ in range(STARTS):
        service = Service(root)
        took.append(service.took * 1000)
        service.stop()
    print(f"package: ready {median(took):.0f} ms after it was started (the slowest of {STARTS}: {max(took):.0f} ms)")


def files(root):
    found = run("find", root, "-xdev", "(", "-type", "f", "-o", "-type", "l", ")", "-printf", "%P\\n")
    return {line for line in found.splitlines() if not line.startswith(("proc/", "sys/", "var/lib/dpkg/info/hansang."))}


PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def inside(root):
    """The beginning of a command in that Debian, whose /proc is there for as long as the command is: without it a program has no arguments."""
    script = 'mount -t proc proc "$0/proc" 2>/dev/null || mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"'
    return ["unshare", "--mount", "--propagation=private", "sh", "-c", script, str(root)]


def chroot(root, *command):
    # A package must not start anything in a chroot, nor find the systemd outside.
    return run(*inside(root), "env", "-i", f"PATH={PATH}", "DEBIAN_FRONTEND=noninteractive", *command)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"package: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def expect(condition, what):
    if not condition:
        raise SystemExit(f"package: {what}")


if __name__ == "__main__":
    main()
