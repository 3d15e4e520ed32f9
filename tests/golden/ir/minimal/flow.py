from bench_sdk import Flow

flow = Flow("minimal")
flow.call("home", "GET /")
