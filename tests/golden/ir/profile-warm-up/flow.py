from bench_sdk import Flow, profile

flow = Flow("warm", profile=profile("load", vus=20, hold="5m", warm_up="30s"))
flow.call("a", "GET /")
