# The commands that the README names. Each does all the set-up it needs on a Debian machine with the Swift toolchain.
.PHONY: run test check bench bench-streams slow format deps bench-deps build stream-server readme-test

# The C libraries that Hansang stands on, and what finds them.
PACKAGES := libsqlite3-dev libjansson-dev libutf8proc-dev libssl-dev pkg-config curl
# What `make bench` measures with and against.
BENCH_PACKAGES := nginx-light wrk strace python3

run: build
	.build/release/hansang serve

build: deps
	swift build -c release --product hansang

test: deps
	swift test --disable-xctest

# What keeps the tree as it is: formatting, and no import that a target does not declare.
check: deps
	swift format lint -r --strict Package.swift Sources Tests
	swift build --build-tests --explicit-target-dependency-import-check error
	Tests/check_tree.sh
	Tests/readme.sh

bench: build bench-deps
	python3 Tests/Load/bench.py

# Many open streams: their memory, and how long news takes to reach them.
bench-streams: stream-server
	@docker/install-packages python3
	python3 Tests/Load/streams.py

# Slow clients, in their thousands.
slow: stream-server
	@docker/install-packages python3 slowhttptest
	python3 Tests/Load/slow.py

stream-server:
	swift build -c release --product stream-server

format:
	swift format -i -r Package.swift Sources Tests

deps:
	@docker/install-packages $(PACKAGES)

bench-deps:
	@docker/install-packages $(BENCH_PACKAGES)
