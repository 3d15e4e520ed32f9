from bench_sdk import Flow, throttle

flow = Flow("throttle")
flow.call("statuses", "GET /a", throttle=throttle(statuses=[503, 420]))
flow.call("flag", "GET /b", throttle=throttle(as_error=False))
flow.call("both", "GET /c", throttle=throttle(statuses=[503], as_error=True))
flow.call("nothing", "GET /d", throttle=throttle(statuses=[]))
