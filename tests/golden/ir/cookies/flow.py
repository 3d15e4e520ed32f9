from bench_sdk import Flow

flow = Flow("cookies", cookies="vu")
flow.call("login", "POST /login")
