from bench_sdk import Flow

flow = Flow("step-timeout")
flow.call("a", "GET /a", timeout="500ms")
flow.graphql("b", "{ b }", url="/graphql", timeout="2s")
flow.ws("c", url="/c", timeout="1s")
flow.poll("d", "GET /d", until=["status == 200"], interval="1s", timeout="10s", attempt_timeout="3s")
flow.wait("e", "5ms", capture="none")
