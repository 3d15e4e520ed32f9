from bench_sdk import Flow, profile

flow = Flow(
    "profile-load",
    profile=profile(
        mode="load",
        vus=20,
        hold="2m",
        iterations=1000,
        arrival_cap="50/s",
        thresholds=[
            "p95(latency) < 300ms",
            "avg(latency) <= 0.1s",
            "max(latency) < 2s",
            "min(latency) > 1us",
            "error_rate < 1%",
            "throttle_rate < 0.02",
        ],
    ),
)
flow.call("a", "GET /")
