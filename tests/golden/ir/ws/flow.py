from bench_sdk import Flow, bearer, throttle

flow = Flow("ws")
flow.call("login", "POST /login", extract={"token": "$.token"})
flow.ws(
    "open",
    endpoint="/chat?room={{  token }}",
    session="chat",
    subprotocols=["v2.chat", "v1.chat"],
    headers={"X-Trace": "yes", "Accept-Language": "en"},
    auth=bearer(token="{{token}}"),
)
flow.ws(
    "ask",
    session="chat",
    send={
        "type": "ask",
        "id": "{{ token }}",
        "list": [1, None, 1.5],
        "text": "for {{token}}",
    },
    receive={"match": "$.type   ==  \"answer\"", "timeout": "1.5s"},
    extract={"answer": "$.text"},
    assert_=["latency < 1s", "answer exists"],
    throttle=throttle(as_error=True),
)
flow.ws("both", session="chat", receive={"match": ["$.type == note", "$.id > 3"]})
flow.ws("next", session="chat", receive=True)
flow.ws("unnamed", url="wss://feed.example.com/", session="", receive={})
flow.ws("nothing", send=None, on_failure="record")
