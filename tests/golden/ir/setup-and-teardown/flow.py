from bench_sdk import Flow, bearer, no_auth

flow = Flow("once", auth=bearer("{{ token }}"))
flow.setup.call("login", "POST /login", auth=no_auth(), extract={"token": "$.token"})
flow.call("item", "GET /items/1")
flow.teardown.call("logout", "POST /logout")
