"""Disks of our own: file systems in files, mounted for as long as they are needed. All of it takes root."""

import os
import shutil
import subprocess
from contextlib import contextmanager

from report import Skipped


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


def require(*tools):
    # /usr/sbin is not on everybody's PATH.
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.geteuid() != 0:
        raise Skipped("file systems are mounted by root alone")
    for tool in tools:
        if not shutil.which(tool):
            raise Skipped(f"{tool} is missing")


@contextmanager
def mounted(*arguments, at):
    """A file system, as `mount` is told."""
    at.mkdir(exist_ok=True)
    run("mount", *arguments, at)
    try:
        yield at
    finally:
        # Also what somebody who broke off in the middle has left on it.
        devices = subprocess.run(["losetup", "--noheadings", "--list", "--output", "NAME,BACK-FILE"], capture_output=True, text=True)
        for line in devices.stdout.splitlines():
            device, file = line.split(maxsplit=1)
            if file.startswith(f"{at}/"):
                subprocess.run(["losetup", "--detach", device], capture_output=True)
        if subprocess.run(["umount", at], capture_output=True).returncode != 0:
            subprocess.run(["umount", "--lazy", at], capture_output=True)


@contextmanager
def loop(image, *options):
    """A block device that is a file."""
    device = run("losetup", "--find", "--show", *options, image)
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], capture_output=True)
