from bench_sdk import Flow

flow = Flow("data-json", data="../users.JSON")
flow.call("a", "GET /{{ user.id }}")
