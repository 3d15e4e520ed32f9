from bench_sdk import Flow, basic, no_auth

flow = Flow("auth-none", auth=basic(username="ada", password="{{ env.PASSWORD }}"))
flow.call("inherits", "GET /a")
flow.call("opts-out", "GET /b", auth=no_auth())
flow.wait("waits", "1s")
flow.poll("polls", "GET /c", until=["status == 200"], interval="1s", timeout="10s")
