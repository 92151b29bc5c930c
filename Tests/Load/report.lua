-- Has wrk's threads ask the servers at PORTS in turn, and wrk end with one line of JSON, exact where its own text is rounded.
local threads = {}

function setup(thread)
    local ports = {}
    for port in (os.getenv("PORTS") or ""):gmatch("%d+") do ports[#ports + 1] = port end
    if #ports > 0 then thread.addr = wrk.lookup(wrk.host, ports[#threads % #ports + 1])[1] end
    thread:set("number", #threads)
    threads[#threads + 1] = thread
end

function done(summary, latency)
    local errors, games = summary.errors, 0
    for _, thread in ipairs(threads) do games = games + (thread:get("games") or 0) end
    io.write(string.format(
        'RESULT {"requests": %d, "microseconds": %d, "p50": %d, "p99": %d, "refused": %d, "broken": %d, "late": %d, "games": %d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
        errors.connect + errors.read + errors.write, errors.timeout, games))
end
