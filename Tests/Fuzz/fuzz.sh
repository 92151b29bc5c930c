#!/usr/bin/env bash
# Builds the fuzz targets and runs each for FUZZ_SECONDS (60). What they find lies in FUZZ_BUILD as crash-…, and running the target with
# such a file repeats it.
#
# The modules are compiled here one by one, since the whole of them has to be instrumented and the package's own build must not be.
set -euo pipefail
export SWIFT_BACKTRACE=enable=no  # the sanitizer reports crashes, and the two fall over one another
cd "$(dirname "$0")/../.."
build=${FUZZ_BUILD:-.build/fuzz}
seconds=${FUZZ_SECONDS:-60}
modules=(HTTP JSON MenuGame GameJSON UseCases API)
mkdir -p "$build"

mapfile -t features < <(sed -n 's/.*enableUpcomingFeature("\(.*\)").*/-enable-upcoming-feature\n\1/p' Package.swift)
compile=(swiftc -O -g -swift-version 6 "${features[@]}" -parse-as-library -enable-testing -sanitize=fuzzer,address
    -I "$build" -I Sources/CJansson -I Sources/CUTF8Proc -I Sources/CQREncode)

# With nothing built yet, find fails and everything is stale.
stale=$(find Package.swift Sources Tests/Fuzz -type f -newer "$build/built" -print -quit 2>/dev/null || echo all)
if [ -n "$stale" ]; then
    objects=()
    for module in "${modules[@]}"; do
        mapfile -t sources < <(find "Sources/$module" -name '*.swift')
        "${compile[@]}" -whole-module-optimization -module-name "$module" -emit-module -emit-module-path "$build/$module.swiftmodule" \
            -c "${sources[@]}" -o "$build/$module.o"
        objects+=("$build/$module.o")
    done
    for target in Tests/Fuzz/*Fuzz.swift; do
        name=$(basename "$target" .swift)
        "${compile[@]}" -module-name "$name" "$target" Tests/Fuzz/{Require,Cuts}.swift "${objects[@]}" \
            -use-ld=lld -ljansson -lutf8proc -lqrencode -o "$build/$name"
    done
    touch "$build/built"
fi

for target in Tests/Fuzz/*Fuzz.swift; do
    name=$(basename "$target" .swift)
    python3 Tests/Fuzz/seeds.py "$name" "$build/seeds-$name"
    mkdir -p "$build/corpus-$name"
    echo "$name: ${seconds} s"
    "$build/$name" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
        -artifact_prefix="$build/$name-" "$build/corpus-$name" "$build/seeds-$name" 2>"$build/$name.log" || {
        tail -40 "$build/$name.log" >&2
        exit 1
    }
    grep '^Done ' "$build/$name.log"
done
