-- Whole games, one after the other on each connection: a host opens a room, three join, four submit, the host reveals, four read the result.
--
-- wrk -tN -cN … -s games.lua URL -- ANSWERS START
--   As many threads as connections: then what a thread was answered last is what its connection was.
--   ANSWERS  a file with a JSON body a line
--   START    a number that no other round has: it is in every token
dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "report.lua")

local PLAYERS = 4
local answers, start, step, pin, game = {}, 0, 0, nil, 0
games = 0

function init(arguments)
    for line in io.lines(arguments[1]) do answers[#answers + 1] = line end
    start = arguments[2]
end

local function ask(method, path, player, body)
    body = body or ""
    return method .. " /v1/rooms" .. path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port ..
        "\r\nAuthorization: Bearer game-" .. start .. "-" .. number .. "-" .. game .. "-player-" .. player ..
        "\r\nContent-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
end

-- The steps of a game, in order.
local function request_of(step)
    if step == 0 then return ask("POST", "", 1) end
    if step < PLAYERS then return ask("PUT", "/" .. pin .. "/members/me", step + 1, "{}") end
    if step < 2 * PLAYERS then
        return ask("PUT", "/" .. pin .. "/submission", step - PLAYERS + 1, answers[(game * PLAYERS + step + number * 101) % #answers + 1])
    end
    if step == 2 * PLAYERS then return ask("POST", "/" .. pin .. "/reveal", 1) end
    return ask("GET", "/" .. pin .. "/result", step - 2 * PLAYERS)
end

function request() return request_of(step) end

function response(status, _, body)
    if status >= 300 then return end
    if step == 0 then pin = body:match('"pin":"(%d+)"') end
    step = step + 1
    if step > 3 * PLAYERS then
        step, games, game = 0, games + 1, game + 1
    end
end
