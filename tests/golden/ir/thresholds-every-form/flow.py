from bench_sdk import Flow, profile

flow = Flow(
    "thresholds",
    profile=profile(
        mode="load",
        iterations=10,
        thresholds=[
            "p1(latency) < 1ms",
            "p100(latency) <= 1.5s",
            "p99(latency) > 0us",
            "error_rate <= 1.1%",
            "error_rate < 0.011",
            "throttle_rate >= 0",
            "throttle_rate < .5",
            "error_rate <= 100%",
        ],
    ),
)
flow.call("a", "GET /")
