#!/usr/bin/env bash
# Holds the tree to what no compiler checks.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() {
    echo "check: $1" >&2
    exit 1
}

for folder in MenuGame HTTP HTTPServer SQLiteStore PostgresStore Push UseCases; do [ -d "Sources/$folder" ] || fail "Sources/$folder is missing"; done
# The domain and the protocol stand alone.
! grep -rnE '^\s*(public |package |internal |private |fileprivate )?import ' Sources/MenuGame Sources/HTTP || fail "MenuGame and HTTP import nothing"
# Adapters do not know one another.
! grep -rnE 'import (API|UseCases|MenuGame|SQLiteStore|PostgresStore)' Sources/HTTPServer || fail "HTTPServer knows nothing of the game"
! grep -rnE 'import (HTTP|HTTPServer|API)$' Sources/SQLiteStore Sources/PostgresStore Sources/UseCases || fail "stores and use cases know nothing of HTTP"
! grep -rn 'import PostgresStore' Sources/SQLiteStore Sources/UseCases || fail "a store is known to the executable alone"
! grep -rn 'import SQLiteStore' Sources/PostgresStore Sources/UseCases || fail "a store is known to the executable alone"
! grep -rnE 'import (HTTP|HTTPServer|API|SQLiteStore|PostgresStore|GameJSON)$' Sources/Push || fail "push knows the use cases alone"
! grep -rn 'import Push$' Sources/API Sources/HTTPServer Sources/SQLiteStore Sources/PostgresStore Sources/UseCases || fail "push is known to the executable alone"
# Nothing from outside may end the process.
! grep -rnE 'fatalError\(|try!|as!|TODO|FIXME' Sources || fail "left in the sources"

# The cases that the rule is held to are what its reference says.
python3 Tests/MenuGameTests/Fixtures/reference.py Tests/MenuGameTests/Fixtures/golden.json | grep -q ' 0 mismatches$' || fail "the reference disagrees"

# What is said to be shown by a test is shown by one.
for suite in $(grep -oE '`[A-Za-z]+(Tests|Contract)`' SECURITY.md | tr -d '`' | sort -u); do
    grep -rqE "struct $suite\\b" Tests --include='*.swift' || fail "SECURITY.md names $suite, which is no suite of tests"
done

# Without lists, as in a slim image, nobody knows which packages there are.
apt-cache show make >/dev/null 2>&1 || apt-get update -qq

# Every alert has a line in the guide, and no other has.
diff <(sed -n 's/^ *- alert: //p' docker/alerts.yaml | sort) <(sed -n 's/^| `\(Hansang[A-Za-z]*\)`.*/\1/p' docker/README.md | sort) \
    || fail "docker/README.md does not explain the alerts that there are"
for script in docker/debian/postinst docker/debian/prerm docker/debian/postrm docker/debian/build-deb; do bash -n "$script" || fail "$script is no script"; done

# Every package and path that docker/ and the Makefile name exists.
for package in $(sed -nE 's/^[A-Z_]*PACKAGES := //p' Makefile) $(sed -n 's/^RUN install-packages \([^\\]*\).*/\1/p' docker/Dockerfile); do
    apt-cache show "$package" >/dev/null 2>&1 || dpkg -s "$package" >/dev/null 2>&1 || fail "there is no Debian package $package"
done
for path in $(sed -nE 's/^COPY ([^-][^ ]*) .*/\1/p' docker/Dockerfile); do
    [ -e "$path" ] || fail "docker/Dockerfile copies $path, which is not there"
done
echo "check: the tree is as it should be"
