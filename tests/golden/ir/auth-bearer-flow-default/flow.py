from bench_sdk import Flow, bearer, cookie, no_auth

flow = Flow("auth-default", auth=bearer(token="{{env.API_TOKEN}}"))
flow.call("inherits", "GET /a")
flow.call("out", "GET /b", auth=no_auth())
flow.call("own", "GET /c", auth=cookie(name="sid", value="{{ env.SESSION }}"))
flow.wait("pause", "1s")
flow.poll("polls", "GET /d", until=["status == 200"], interval="1s", timeout="5s")
