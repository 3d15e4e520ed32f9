from bench_sdk import Flow, no_auth

flow = Flow("auth-none-flow", auth=no_auth())
flow.call("a", "GET /a")
