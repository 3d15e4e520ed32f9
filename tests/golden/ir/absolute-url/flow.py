from bench_sdk import Flow

flow = Flow("absolute")
flow.call("other", "GET https://api.example.com:8443/v1/items?fixed=1")
