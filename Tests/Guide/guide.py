#!/usr/bin/env python3
"""`make test-guide`: every command of the operator's guide, in its order, in a Debian with systemd of its own.

That Debian is made by debootstrap, once, into .build/debian-systemd; each run works on a copy that only it sees, with processes, a network
and a systemd of its own. Meanwhile somebody plays there, and the upgrade must not cost them a request.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILD = PROJECT / ".build"
TEMPLATE = BUILD / "debian-systemd"
GUIDE = PROJECT / "docker/README.md"
#: What the guide installs and what it takes for granted; there is no network inside to get it from.
PACKAGES = ["systemd", "dbus", "sudo", "curl", "nginx-light", "openssl", "prometheus", "postgresql", "procps", "iproute2", "ca-certificates"]


def main():
    if os.geteuid():
        raise SystemExit("make test-guide needs root: it starts a systemd of its own")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    deb = max(BUILD.glob("hansang_*.deb"), key=lambda path: path.stat().st_mtime)
    make_template(deb)
    with tempfile.TemporaryDirectory(prefix="guide-", dir=BUILD) as folder:
        shutil.copy(deb, folder)
        with Machine(Path(folder)) as machine:
            machine.run(f"cp /deb/{deb.name} /root")
            for heading, commands in blocks():
                if heading == "Upgrade":
                    # All players are one address here.
                    machine.run("echo 'rooms-per-hour = 1000000' >>/etc/hansang/hansang.conf; systemctl restart hansang")
                    with machine.playing():
                        machine.run(commands)
                else:
                    machine.run(commands)
                expect_what(machine, heading, commands)
            # What the service itself says; libdispatch has a way of its own to the journal.
            machine.run("! journalctl -o cat --no-pager _SYSTEMD_UNIT=hansang.service _TRANSPORT=stdout | grep -v '^{'")
            count = sum(len(commands.splitlines()) for _, commands in blocks())
    print(f"guide: all {count} lines of commands work")


def blocks():
    """The commands by the headings that they stand under, and each block by itself."""
    heading = None
    for part in re.finditer(r"^## ([^\n]*)$|^```sh\n(.*?)^```$", GUIDE.read_text(), re.M | re.S):
        if part[1]:
            heading = part[1]
        else:
            yield heading, part[2]


def expect_what(machine, heading, commands):
    """What a stranger would look for, beside that no command failed."""
    if heading == "TLS in front" and "/readyz" in commands:
        machine.run("curl -fsS --insecure --resolve eat.example:443:127.0.0.1 https://eat.example/v1/game >/dev/null")
        machine.run("curl -sS --insecure --resolve eat.example:443:127.0.0.1 'https://eat.example/group/1?token=a-token-of-the-app' >/dev/null")
        machine.run("grep -rq /v1/game /var/log/nginx && ! grep -r a-token-of-the-app /var/log/nginx")
    if heading == "Watch it":
        # It scrapes every 15 s.
        machine.eventually("curl -fsS 'http://127.0.0.1:9090/api/v1/query?query=up' | grep -q '\"1\"'")
    if heading == "Move to PostgreSQL":
        machine.run("hansang load --games 2 --members 3")
        machine.run("sudo -u postgres psql -Atc 'SELECT count(*) FROM migration' hansang | grep -q '^[1-9]'")


class Machine:
    """A systemd, and all that it has started, in namespaces of their own: all of it ends with its first process."""

    BOOT = """
        set -e
        mount -t tmpfs tmpfs "$0/upper"
        mkdir -p "$0/upper/changes" "$0/upper/work" "$0/root"
        mount -t overlay -o "lowerdir=$1,upperdir=$0/upper/changes,workdir=$0/upper/work" overlay "$0/root"
        cd "$0/root"
        mount -t proc proc proc
        mount -t sysfs sys sys
        mount -t tmpfs tmpfs run
        mount -t tmpfs tmpfs tmp
        mount -t tmpfs tmpfs sys/fs/cgroup
        mount -t cgroup2 cgroup2 sys/fs/cgroup
        mount -t tmpfs tmpfs dev
        for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
        mkdir -p dev/shm dev/pts deb old
        mount -t tmpfs tmpfs dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
        ln -s pts/ptmx dev/ptmx
        ln -s /proc/self/fd dev/fd
        mount --bind "$0" deb
        echo "127.0.0.1 localhost $(hostname)" >etc/hosts
        ip link set lo up
        # Not chroot: services have namespaces of their own, which are made of the root of this one.
        pivot_root . old
        cd /
        umount -l old
        exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --show-status=0 --log-level=warning
    """

    def __init__(self, folder):
        self.folder = folder
        (folder / "upper").mkdir()

    def __enter__(self):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--uts", "--ipc", "--net", "--cgroup",
             "--propagation=private", "sh", "-c", self.BOOT, self.folder, TEMPLATE],
            stdin=subprocess.DEVNULL, stdout=open(self.folder / "boot.log", "wb"), stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while True:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split() if self.process.poll() is None else []
            if children:
                self.systemd = children[0]
                # Before it is there the process is still a shell outside, which has no systemd either.
                if self.inside("systemctl is-system-running").stdout.strip() in ("running", "degraded"):
                    break
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"guide: no systemd can be started here:\n{(self.folder / 'boot.log').read_text()[-2000:]}")
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def inside(self, commands, limit=180):
        return subprocess.run(self.command(commands), capture_output=True, text=True, timeout=limit)

    def command(self, commands):
        # Whoever follows the guide is somebody who may use sudo, in the folder where the package is.
        return ["nsenter", f"--target={self.systemd}", "--all", "--root", "--wd", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME=/root", "DEBIAN_FRONTEND=noninteractive", "bash", "-euo", "pipefail", "-c", f"cd /root\n{commands}"]

    def run(self, commands):
        done = self.inside(commands)
        if done.returncode:
            log = self.inside("journalctl -u hansang -o cat --no-pager | tail -n 5; systemctl --failed --no-pager").stdout
            raise SystemExit(f"guide: this ended with {done.returncode}:\n{commands}\n{done.stdout[-1500:]}{done.stderr[-1500:]}\n{log}")

    def eventually(self, condition):
        deadline = time.monotonic() + 60
        while self.inside(condition).returncode:
            if time.monotonic() > deadline:
                raise SystemExit(f"guide: this does not come true:\n{condition}")
            time.sleep(0.5)

    def playing(self):
        return Playing(self)


class Playing:
    """Games that go on while something is done, and of which none may go wrong."""

    def __init__(self, machine):
        self.machine = machine

    def __enter__(self):
        self.process = subprocess.Popen(
            self.machine.command("while [ ! -e /tmp/enough ]; do hansang load --games 20 --members 4 --connections 4 || exit 1; done"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        time.sleep(1)

    def __exit__(self, kind, *_):
        if kind:
            return self.process.kill()
        self.machine.run("sleep 1; touch /tmp/enough")
        said, _ = self.process.communicate(timeout=120)
        if self.process.returncode:
            raise SystemExit(f"guide: games went wrong during the upgrade:\n{said[-1500:]}")


def make_template(deb):
    draft = BUILD / "debian-systemd-draft"
    needed = subprocess.run(["dpkg-deb", "-f", deb, "Depends"], capture_output=True, text=True, check=True).stdout
    names = PACKAGES + [part.split("(")[0].strip() for part in needed.split(",")]
    # Another version of the package, or of the guide, may need others.
    made_of = TEMPLATE.with_suffix(".packages")
    if made_of.exists() and made_of.read_text() == " ".join(names):
        return
    for folder in (draft, TEMPLATE):
        shutil.rmtree(folder, ignore_errors=True)
    release = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release") if "=" in line)["VERSION_CODENAME"].strip('"')
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(names)}", release, draft], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"guide: debootstrap failed:\n{done.stdout[-2000:]}{done.stderr[-1000:]}")
    shutil.rmtree(draft / "var/cache/apt")
    draft.rename(TEMPLATE)
    made_of.write_text(" ".join(names))


if __name__ == "__main__":
    main()
