from bench_sdk import Flow, hmac

flow = Flow(
    "auth-hmac-default",
    auth=hmac(secret="{{ env.KEY }}", key_id="{{ user.key }}", timestamp_header="X-Time"),
    data="users.csv",
)
flow.call("a", "POST /a", body={"n": 1})
flow.graphql("b", "{ me { id } }", url="/graphql")
