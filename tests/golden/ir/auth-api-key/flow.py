from bench_sdk import Flow, api_key

flow = Flow("auth-api-key")
flow.call("header", "GET /a", auth=api_key(name="X-Api-Key", value="{{ env.KEY }}"))
flow.call(
    "query",
    "GET /b",
    auth=api_key(name="key", value="{{ env.KEY }}", in_="query"),
)
