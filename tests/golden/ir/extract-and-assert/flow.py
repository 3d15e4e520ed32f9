from bench_sdk import Flow

flow = Flow("checks")
flow.call(
    "login",
    "POST /login",
    extract={
        "token": "$.token",
        "first-item": "$.items[0]['the id']",
        "_all": "$.items[*].id",
    },
    assert_=[
        "status == 201",
        "latency < 1.5s",
        "header.Content-Type contains json",
        "$.items[0].price >= 9.5",
        "$.name == \"ada\"",
        "$.name != ada",
        "$.note matches ^a: b$",
        "$.gone == null",
        "$.gone not_exists",
        "$.here exists",
        "$.ok == true",
        "$.tags contains \"a\"",
        "token != null",
    ],
)
flow.call("next", "GET /next", assert_=["token.part == x"])
