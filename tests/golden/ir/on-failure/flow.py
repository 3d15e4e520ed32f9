from bench_sdk import Flow

flow = Flow("on-failure")
flow.call("default", "GET /a")
flow.call("flow", "GET /b", on_failure="abort_flow")
flow.call("run", "GET /c", on_failure="abort_run")
flow.wait("record", "1ms", on_failure="record")
