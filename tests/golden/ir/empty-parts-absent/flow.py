from bench_sdk import Flow

flow = Flow("empty-parts")
flow.call("a", "GET /a", headers={}, query={}, extract={}, assert_=[])
