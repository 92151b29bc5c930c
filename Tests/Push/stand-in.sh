#!/usr/bin/env bash
# Runs the stand-ins for the push services in a Python of their own, which is made when it is first needed; `--prepare` makes no more than that.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=$PWD/.build/push
requirements=Tests/Push/requirements.txt
mkdir -p .build
# Made anew whenever it is to have something else in it, and by one at a time.
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
    exec 9>.build/push.lock
    flock 9
    if ! cmp -s "$requirements" "$venv/requirements.txt"; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2
        cp "$requirements" "$venv/requirements.txt"
    fi
    exec 9>&-
fi
[ "${1:-}" != --prepare ] || exit 0
export PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python" Tests/Push/stand_in.py "$@"
