# What there is to do here; the README names what one begins with. Each does all the set-up it needs on a Debian machine with the Swift toolchain.
.PHONY: run build test check conformance contract test-browser test-package test-guide durability cluster soak upgrades docs fuzz sanitize bench bench-peers bench-cluster bench-streams bench-size bench-memory bench-push slow package format deps bench-deps stream-server

# The C libraries that Hansang stands on, and what finds them.
PACKAGES := libsqlite3-dev libpq-dev libjansson-dev libutf8proc-dev libqrencode-dev libssl-dev libcurl4-openssl-dev pkg-config curl
# The PostgreSQL server that the tests start for themselves (that of the package is left alone), and what reads metrics.
TEST_PACKAGES := postgresql python3 python3-venv prometheus
# The proxies that `make conformance` puts in front of the engine.
CONFORMANCE_PACKAGES := nginx-light haproxy python3
# What `make contract` makes its own Python of.
CONTRACT_PACKAGES := python3-venv
# Whom `make test-browser` lets play; the fonts are for the screenshots.
BROWSER_PACKAGES := chromium chromium-driver fonts-noto-cjk fonts-noto-color-emoji python3-venv
# What `make bench` measures with and against.
BENCH_PACKAGES := nginx-light redis-server redis-tools wrk strace python3
# What `make cluster` has nodes stand on and behind.
CLUSTER_PACKAGES := postgresql pgbouncer nginx-light openssl python3 python3-yaml
# Whom `make bench-peers` compares with besides.
PEERS_PACKAGES := golang-go golang-github-mattn-go-sqlite3-dev gcc libc6-dev python3-venv
# Who decides which server is the primary, in `make soak`.
PATRONI_PACKAGES := patroni etcd-server python3-etcd
# What `make durability` breaks things with.
DURABILITY_PACKAGES := python3 python3-venv strace gcc libc6-dev xfsprogs e2fsprogs mount

# What `make package` builds with, and what it is tried in.
PACKAGE_PACKAGES := dpkg-dev binutils
PACKAGE_TEST_PACKAGES := debootstrap debian-archive-keyring systemd python3 util-linux

run: build
	.build/release/hansang serve

build: deps
	swift build -c release --product hansang

test: deps
	@docker/install-packages $(TEST_PACKAGES)
	swift test --disable-xctest
	$(MAKE) test-browser BROWSER=short

# What keeps the tree as it is: formatting, and no import that a target does not declare.
check: deps
	swift format lint -r --strict Package.swift Sources Tests
	swift build --build-tests --explicit-target-dependency-import-check error
	Tests/check_tree.sh
	Tests/readme.sh

# The raw HTTP cases through proxies; without any, and cut at every byte, they are part of `make test`.
conformance: deps
	@docker/install-packages $(CONFORMANCE_PACKAGES)
	swift build --product echo-server
	Tests/Conformance/proxies.sh

# The document of the API against the server, and the server against it.
contract: build
	@docker/install-packages $(CONTRACT_PACKAGES)
	Tests/Contract/contract.sh

# The web client in Chromium: all of it, or BROWSER=short for what has to hold before each change.
test-browser: build
	@docker/install-packages $(BROWSER_PACKAGES)
	Tests/Browser/browser.sh $(BROWSER)

# The page for people of the document for machines.
docs:
	@docker/install-packages $(CONTRACT_PACKAGES)
	Tests/Contract/contract.sh docs

# Bytes that no one thought of: FUZZ_SECONDS (60) for each target in Tests/Fuzz.
fuzz: deps
	@docker/install-packages python3
	Tests/Fuzz/fuzz.sh

# Races among threads: the tests with live servers, built apart and run under thread sanitizer.
sanitize: deps
	Tests/Sanitizer/sanitize.sh

# Whatever happens to the server or its disk, nothing that it acknowledged is lost: a sample of every kind, then all of it.
durability: build
	@docker/install-packages $(DURABILITY_PACKAGES)
	Tests/Durability/durability.py $(DURABILITY)

# A hundred upgrades of a server under load, each way: `make test` does a few.
upgrades: deps
	UPGRADES=100 swift test --disable-xctest --filter hansangTests.UpgradeTests

# Several nodes at one PostgreSQL: its primary is killed and its standby promoted, nodes are killed meanwhile, and all of it behind the proxy.
cluster: build
	@docker/install-packages $(CLUSTER_PACKAGES)
	Tests/Cluster/cluster.py $(CLUSTER)

soak: build
	@docker/install-packages $(DURABILITY_PACKAGES) $(CLUSTER_PACKAGES) $(PATRONI_PACKAGES)
	Tests/Durability/durability.py --soak $(DURABILITY)
	Tests/Cluster/cluster.py --soak $(CLUSTER)

bench: build bench-deps
	python3 Tests/Load/bench.py $(BENCH)

# The same work on nginx, Redis, FastAPI and Go: a table and a picture in .build/.
bench-peers: build bench-deps
	@docker/install-packages $(PEERS_PACKAGES)
	python3 Tests/Load/peers.py $(BENCH)

# Many open streams: their memory, and how long news takes to reach them.
bench-streams: stream-server
	@docker/install-packages python3
	python3 Tests/Load/streams.py

# What rooms, members, connections and streams take of memory.
bench-memory: build bench-deps
	python3 Tests/Load/memory.py

# A store of a million submissions: what starting, loading and expiry cost.
bench-size: build bench-deps
	python3 Tests/Load/size.py

# One, two and four nodes at one PostgreSQL, beside one that keeps its rooms in a file.
bench-cluster: build bench-deps
	@docker/install-packages postgresql
	python3 Tests/Load/cluster.py $(BENCH_CLUSTER)

# Ten thousand phones to be told at one reveal, by stand-ins for the services, and what others notice of it.
bench-push: build
	@docker/install-packages python3-venv util-linux nghttp2-client
	python3 Tests/Load/push.py $(BENCH)

# Slow clients, in their thousands.
slow: stream-server
	@docker/install-packages python3 slowhttptest
	python3 Tests/Load/slow.py

stream-server:
	swift build -c release --product stream-server

# A Debian package in .build/, and whether it can be installed, played with and removed.
package: deps
	@docker/install-packages $(PACKAGE_PACKAGES)
	docker/debian/build-deb

test-package: package
	@docker/install-packages $(PACKAGE_TEST_PACKAGES)
	python3 Tests/Package/package.py

# Every command of the operator's guide, in a Debian with systemd.
test-guide: package
	@docker/install-packages $(PACKAGE_TEST_PACKAGES)
	python3 Tests/Guide/guide.py

format:
	swift format -i -r Package.swift Sources Tests

deps:
	@docker/install-packages $(PACKAGES)

bench-deps:
	@docker/install-packages $(BENCH_PACKAGES)
