"""The shims, which are built when they are needed, and the page by which the one for faults is steered."""

import mmap
import shutil
import struct
import subprocess
from pathlib import Path

from report import Skipped

HERE = Path(__file__).parent
SHORT = -1
#: As in faults.c.
KINDS = ["open", "pwrite", "pread", "fdatasync", "fsync", "ftruncate", "mmap", "unlink", "lock"]


def shim(folder, name):
    """The shared object of `name`.c."""
    compiler = next((command for command in ("cc", "gcc", "clang") if shutil.which(command)), None)
    if compiler is None:
        raise Skipped("there is no C compiler")
    built = folder / f"{name}.so"
    if not built.exists():
        subprocess.run([compiler, "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", built, HERE / f"{name}.c", "-ldl"], check=True)
    return built


class Faults:
    """Faults for the server whose store is in `folder`, now or later."""

    def __init__(self, folder, store):
        self.path = folder / "faults.control"
        self.path.write_bytes(bytes(4096))
        self.library = shim(folder, "faults")
        self.folder = f"{Path(store).parent}/"
        with open(self.path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 4096)

    @property
    def environment(self):
        return {"LD_PRELOAD": str(self.library), "FAULTS_FOLDER": self.folder, "FAULTS_CONTROL": str(self.path)}

    def reset(self):
        """Nothing fails, and calls are counted from one."""
        self.page[:] = bytes(4096)

    def arm(self, kind, error, first, times, place=0):
        """The `first` call of a kind and those after it, `times` in all, fail with an errno, or do half of what they should.

        - place: of two that there are for faults at the same time.
        """
        self._write(5 * place + 1, first, times, error, 0)
        self._write(5 * place, KINDS.index(kind))

    def clear(self, place=0):
        self._write(5 * place + 2, 0)

    def delay(self, microseconds):
        """Every sync takes so much longer."""
        self._write(10, microseconds)

    def hits(self, place=0):
        return self._read(5 * place + 4)

    def count(self, kind):
        return self._read(11 + KINDS.index(kind))

    def _write(self, place, *numbers):
        struct.pack_into(f"{len(numbers)}q", self.page, 8 * place, *numbers)

    def _read(self, place):
        return struct.unpack_from("q", self.page, 8 * place)[0]
