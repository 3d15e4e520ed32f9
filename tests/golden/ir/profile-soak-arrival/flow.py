from bench_sdk import Flow, profile

flow = Flow("profile-soak", profile=profile(mode="soak", hold="1h", arrival_cap="3/250ms"))
flow.call("a", "GET /")
