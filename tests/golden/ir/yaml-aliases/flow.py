from bench_sdk import Flow

flow = Flow("aliases")
flow.call("a", "GET /a", headers={"Accept": "application/json", "X-N": 1})
flow.call(
    "b",
    "GET /b",
    headers={"Accept": "application/json", "X-N": 1},
    body={"n": 1},
)
