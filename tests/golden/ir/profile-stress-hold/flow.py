from bench_sdk import Flow, profile, ramp

flow = Flow(
    "profile-stress",
    profile=profile(mode="stress", vus=ramp(100, 0, "250ms"), hold="1us", iterations=7),
)
flow.call("a", "GET /")
