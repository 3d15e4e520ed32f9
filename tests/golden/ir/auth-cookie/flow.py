from bench_sdk import Flow, cookie

flow = Flow("auth-cookie")
flow.call(
    "a",
    "GET /a",
    headers={"Cookie": "theme=dark"},
    auth=cookie(name="session", value="{{ env.SESSION }}"),
)
