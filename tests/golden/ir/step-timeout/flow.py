from bench_sdk import Flow

flow = Flow("step-timeout")
flow.call("a", "GET /a", timeout="500ms")
flow.graphql("b", "{ b }", url="/graphql", timeout="2s")
