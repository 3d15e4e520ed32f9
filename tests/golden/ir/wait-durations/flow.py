from bench_sdk import Flow

flow = Flow("waits")
flow.wait("us", "250us")
flow.wait("ms", "500ms")
flow.wait("s", "1.5s")
flow.wait("m", "10m")
flow.wait("h", "0.5h")
flow.wait("zero", "0s")
