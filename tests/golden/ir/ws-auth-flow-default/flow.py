from bench_sdk import Flow, bearer, no_auth

flow = Flow("ws-auth", auth=bearer(token="{{ env.TOKEN }}"))
flow.ws("open", url="/chat")
flow.ws("join", send={"a": 1}, receive=True)
flow.ws("open_bare", url="/other", session="other", auth=no_auth())
