#!/usr/bin/env bash
# Holds the server to Resources/openapi.yaml: its examples, its problems and its routes one by one, and then whatever schemathesis thinks of.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=$PWD/.build/contract
requirements=Tests/Contract/requirements.txt
# Made anew whenever it is to have something else in it.
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    mkdir -p .build
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$venv/requirements.txt"
fi
export PYTHONDONTWRITEBYTECODE=1
if [ "${1:-}" = docs ]; then exec "$venv/bin/python" Tests/Contract/docs.py; fi
"$venv/bin/python" Tests/Contract/docs.py --check

work=$(mktemp -d)
# Everybody here comes from one machine and with few tokens: what is limited for strangers is not for them.
HANSANG_PORT=0 HANSANG_STORE=sqlite:$work/hansang.sqlite HANSANG_LOG_LEVEL=info HANSANG_TRUST_PROXY=true HANSANG_LEGACY_API=true \
    HANSANG_ROOMS_PER_HOUR=1000000 HANSANG_ROOMS_PER_TOKEN=1000000 .build/release/hansang serve 2>"$work/log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true; rm -rf "$work"' EXIT
port=
for _ in $(seq 600); do
    port=$(sed -n 's/.*"event":"started".*"port":\([0-9]*\).*/\1/p' "$work/log")
    [ -z "$port" ] || break
    kill -0 $server 2>/dev/null || break
    sleep 0.1
done
[ -n "$port" ] || { cat "$work/log" >&2; exit 1; }

export CONTRACT_URL=http://127.0.0.1:$port
cd Tests/Contract
"$venv/bin/python" -m pytest -q -p no:cacheprovider
schemathesis() { "$venv/bin/schemathesis" run ../../Resources/openapi.yaml --url "$CONTRACT_URL" "$@"; }
schemathesis
# A walk from request to request ends as soon as the server says something else than when it was planned, which it does with every PIN that
# it draws; so there are several of them.
for seed in $(seq 2 9); do
    schemathesis --phases stateful --seed "$seed" >"$work/walk" 2>&1 || { cat "$work/walk"; exit 1; }
    grep "generated" "$work/walk"
done
