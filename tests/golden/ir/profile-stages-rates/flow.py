from bench_sdk import Flow, profile, stage

flow = Flow(
    "spike",
    profile=profile(
        "stress",
        vus=200,
        stages=[
            stage(arrival="10/s", over="0s"),
            stage(over="30s"),
            stage(arrival="5000/s", over="0s"),
            stage(over="1s"),
            stage(arrival="0/s", over="10s"),
        ],
    ),
)
flow.call("a", "GET /")
