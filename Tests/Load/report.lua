-- Makes wrk end with one line of JSON, exact where its own text is rounded.
function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        'RESULT {"requests": %d, "microseconds": %d, "p50": %d, "p99": %d, "refused": %d, "broken": %d, "late": %d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
        errors.connect + errors.read + errors.write, errors.timeout))
end
