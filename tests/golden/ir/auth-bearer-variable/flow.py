from bench_sdk import Flow, bearer, no_auth

flow = Flow("auth-variable", auth=bearer(token="{{ token }}"))
flow.call("login", "POST /login", auth=no_auth(), extract={"token": "$.token"})
flow.call("act", "GET /me")
