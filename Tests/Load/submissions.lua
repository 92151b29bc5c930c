-- PUT /v1/rooms/{pin}/submission, each with another token and other answers than the one before.
--
-- wrk … -s submissions.lua URL -- MEMBERS ANSWERS START [SHARES]
--   MEMBERS  a file with "PIN TOKEN" a line
--   ANSWERS  a file with a JSON body a line; their number must not divide that of the members, so that nobody gets the same again
--   START    where to begin, so that no two rounds send the same; each further thread begins somewhere else
--   SHARES   into how many the rooms are divided, by their PINs; a thread has one of them, and all have all of one
dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "report.lua")

local heads, tails, turn = {}, {}, 0

function init(arguments)
    local shares = tonumber(arguments[4] or 1)
    for line in io.lines(arguments[1]) do
        local pin, token = line:match("^(%S+) (%S+)$")
        if tonumber(pin) % shares == number % shares then heads[#heads + 1] = "PUT /v1/rooms/" .. pin .. "/submission HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
            "\r\nAuthorization: Bearer " .. token .. "\r\nContent-Type: application/json\r\n" end
    end
    for line in io.lines(arguments[2]) do
        tails[#tails + 1] = "Content-Length: " .. #line .. "\r\n\r\n" .. line
    end
    turn = tonumber(arguments[3]) + number * 500009
end

function request()
    turn = turn + 1
    return heads[turn % #heads + 1] .. tails[turn % #tails + 1]
end
