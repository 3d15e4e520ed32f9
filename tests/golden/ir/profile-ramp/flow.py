from bench_sdk import Flow, profile, ramp

flow = Flow(
    "profile-ramp",
    profile=profile(mode="stress", vus=ramp(1, 100, "1.5m", hold="30s"), arrival_cap="120/m"),
)
flow.call("a", "GET /")
