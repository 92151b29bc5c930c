#!/usr/bin/env bash
# Plays the README: starts the server as it says, runs its commands as they stand, kills the server in the middle.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
export HANSANG_PORT=${HANSANG_PORT:-18080} HANSANG_STORE=sqlite:$work/hansang.sqlite HANSANG_LOG_LEVEL=warning
export H=http://127.0.0.1:$HANSANG_PORT
server=
stop() {
    # The whole group: make and the server that it runs.
    [ -z "$server" ] || kill "-$1" -- "-$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    server=
}
trap 'stop TERM; rm -rf "$work"' EXIT

# The commands of the code blocks under one heading.
commands() { awk -v heading="## $1" '/^## /{ on = ($0 == heading) } /^```/{ code = on && /^```sh/; next } code' README.md; }

start() {
    set -m
    bash -c "$(commands 'Run it')" &
    server=$!
    set +m
    for _ in $(seq 600); do
        curl -fsS "$H/readyz" >/dev/null 2>&1 && return
        kill -0 "$server" || break
        sleep 0.5
    done
    echo "README: the server did not start" >&2
    exit 1
}

game=$(commands 'A first game')
before=${game%%# The host reveals*}
after=${game#"$before"}
[ -n "$after" ] && [ "$before" != "$game" ]

start
eval "$before" >"$work/before"
grep -q '"submissionCount":3' "$work/before"
stop KILL
start
eval "$after" >"$work/after"
# Three results, of the host, of a reader and of a solo diner, with three menus each.
[ "$(grep -o '"rank":' "$work/after" | wc -l)" = 9 ]
grep -q '"playerCount":3' "$work/after"

# What stands under the other headings is run by CI itself (make test, check, bench, format), but for these.
eval "$(commands 'Work on it' | grep '^\.build')" >/dev/null
echo "README: played"
