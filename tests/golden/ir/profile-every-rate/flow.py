from bench_sdk import Flow, profile

flow = Flow(
    "profile-rate",
    profile=profile(mode="load", vus=3, hold="90s", arrival_cap="100/h"),
)
flow.call("a", "GET /")
