from bench_sdk import Flow, profile, stage

flow = Flow(
    "evening",
    profile=profile(
        "load",
        iterations=5000,
        stages=[
            stage(vus=50, over="30s"),
            stage(over="2m"),
            stage(vus=80, over="0s"),
            stage(vus=0, over="1.5m"),
        ],
    ),
)
flow.call("a", "GET /")
