#!/usr/bin/env bash
# Plays in a real browser: `browser.sh short` what has to hold before each change, `browser.sh` all of it. More goes to pytest.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=$PWD/.build/browser
requirements=Tests/Browser/requirements.txt
# Made anew whenever it is to have something else in it.
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    mkdir -p .build
    python3 -m venv "$venv"
    # The list is complete. One of them is there for the axe-core in it, and would bring another browser along.
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$requirements"
    cp "$requirements" "$venv/requirements.txt"
fi
export PYTHONDONTWRITEBYTECODE=1 HANSANG=${HANSANG:-$PWD/.build/release/hansang} SCREENSHOTS=$PWD/.build/screenshots
which=()
if [ "${1:-}" = short ]; then
    which=(-m "not long")
    shift
fi
cd Tests/Browser
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider -c pytest.ini "${which[@]}" "$@"
