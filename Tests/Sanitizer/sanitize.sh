#!/usr/bin/env bash
# The tests with live servers and many threads under thread sanitizer, after a proof that it sees a race and takes a mutex for what it is.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=.build/thread
mkdir -p $build
clang -O1 -Wall -Werror -shared -fPIC Tests/Sanitizer/mutex.c -o $build/mutex.so
swiftc -swift-version 6 -g -sanitize=thread Tests/Sanitizer/Proof.swift -o $build/proof

export LD_PRELOAD=$PWD/$build/mutex.so
$build/proof 2>$build/proof.log || {
    cat $build/proof.log >&2
    echo "sanitize: a mutex is reported as a race" >&2
    exit 1
}
if $build/proof race 2>$build/proof.log || ! grep -q 'WARNING: ThreadSanitizer' $build/proof.log; then
    echo "sanitize: a race is not reported" >&2
    exit 1
fi
# Not all at once: everything takes many times as long here, and who waits for somebody's turn would give up.
for tests in 'HTTPServerTests|ConformanceTests|PushTests' 'EventTests|ResumeTests|ClockTests|LongPollTests|StreamLimitTests' \
    UseCasesTests APITests PostgresStoreTests; do
    swift test --sanitize=thread --scratch-path $build --disable-xctest --filter "$tests"
done
