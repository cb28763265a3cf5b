-- Path queries for wrk: random pairs of cells on an uploaded map. docs/server.md says how to run it.
-- Usage: wrk -t2 -c8 -d20s --latency -s paths.lua http://127.0.0.1:7878 -- MAP WIDTH HEIGHT
local map, width, height = "1", 256, 256

function setup(thread)
  thread:set("number", math.random(1, 1000000))
end

function init(arguments)
  map = arguments[1] or map
  width = tonumber(arguments[2] or width)
  height = tonumber(arguments[3] or height)
  math.randomseed(number)
end

function request()
  local body = string.format('{"map":"%s","from":[[%d,%d]],"to":[[%d,%d]]}', map,
    math.random(0, width - 1), math.random(0, height - 1), math.random(0, width - 1), math.random(0, height - 1))
  return wrk.format("POST", "/v1/path", { ["Content-Type"] = "application/json" }, body)
end
