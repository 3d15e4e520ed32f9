from bench_sdk import Flow, basic

flow = Flow("auth-basic")
flow.call("a", "GET /a", auth=basic(username="ada", password="{{ env.PASSWORD }}"))
