from bench_sdk import Flow, between

flow = Flow("wait-between")
flow.wait("think", between("1s", "2.5s"))
flow.wait("pause", "500ms")
