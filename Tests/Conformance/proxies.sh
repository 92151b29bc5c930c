#!/usr/bin/env bash
# Runs the raw cases through nginx (which gathers bodies, or passes them on as they come) and HAProxy, each in front of an echo-server with
# which it shares connections, and fails if the server sees a request that the proxy did not forward.
set -euo pipefail
cd "$(dirname "$0")/../.."
echo_server=${1:-.build/debug/echo-server}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$work"' EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

wait_for() { # a port to listen on
    for _ in $(seq 100); do
        (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
        sleep 0.1
    done
    echo "nothing listens on port $1" >&2
    cat "$work"/*.err >&2
    exit 1
}

# Starts an echo-server of its own for a proxy; its port in $backend.
start_backend() {
    : >"$work/$1.backend"
    "$echo_server" --port 0 --log >>"$work/$1.backend" &
    until backend=$(head -1 "$work/$1.backend") && [ -n "$backend" ]; do sleep 0.05; done
}

start_nginx() { # name, whether it gathers bodies, port
    cat >"$work/$1.conf" <<EOF
daemon off;
worker_processes 1;
pid $work/$1.pid;
error_log $work/$1.err;
events {}
http {
    # What has an upstream status was forwarded.
    map \$upstream_status \$forwarded { ~^[0-9] 1; default 0; }
    log_format forwarded '\$request_method \$request_uri';
    access_log $work/$1.proxy forwarded if=\$forwarded;
    client_body_temp_path $work/$1.body;
    proxy_temp_path $work/$1.temp;
    fastcgi_temp_path $work/$1.fastcgi;
    uwsgi_temp_path $work/$1.uwsgi;
    scgi_temp_path $work/$1.scgi;
    upstream backend { server 127.0.0.1:$backend; keepalive 1; }
    server {
        listen 127.0.0.1:$3;
        location / {
            proxy_pass http://backend;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_request_buffering $2;
            proxy_next_upstream off;
        }
    }
}
EOF
    nginx -c "$work/$1.conf" 2>"$work/$1.start.err" &
}

start_haproxy() { # name, port
    cat >"$work/$1.conf" <<EOF
global
    log stdout format raw local0
    nbthread 1
defaults
    mode http
    log global
    timeout connect 2s
    timeout client 5s
    timeout server 5s
    retries 0
    http-reuse always
frontend front
    bind 127.0.0.1:$2
    log-format "%s %HM %HU"
    default_backend back
backend back
    server echo 127.0.0.1:$backend
EOF
    # Requests without a server were not forwarded.
    haproxy -f "$work/$1.conf" 2>"$work/$1.err" > >(sed -un 's/^echo //p' >"$work/$1.proxy") &
}

# try NAME PORT
try() {
    wait_for "$2"
    python3 Tests/Conformance/proxies.py "$1" "$2" "$work/$1.backend" "$work/$1.proxy"
}

status=0
for name in nginx nginx-unbuffered haproxy; do
    port=$(free_port)
    start_backend $name
    case $name in
    nginx) start_nginx $name on "$port" ;;
    nginx-unbuffered) start_nginx $name off "$port" ;;
    haproxy) start_haproxy $name "$port" ;;
    esac
    try $name "$port" || status=1
done
exit $status
