from bench_sdk import Flow

flow = Flow("template-brackets", data="users.csv")
flow.call(
    "first",
    "GET /{{user['first name']}}/{{ user[\"name\"] }}",
    extract={"o": "$.o"},
)
flow.call(
    "second",
    "POST /",
    body=["{{o['a.b'][\"it's\"].c}}", "{{ o.a['b'] }}"],
    assert_=["$.a == {{ o['a.b'] }}"],
)
