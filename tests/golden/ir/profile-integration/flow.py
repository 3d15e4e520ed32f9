from bench_sdk import Flow, profile

flow = Flow(
    "profile-integration",
    profile=profile(mode="system", vus=4, thresholds=["error_rate <= 5%"]),
)
flow.call("a", "GET /")
