from bench_sdk import Flow, throttle

flow = Flow("poll")
flow.call("start", "POST /jobs", extract={"job": "$.id"})
flow.poll(
    "done",
    "GET /jobs/{{ job }}",
    headers={"Accept": "application/json"},
    query={"wait": 1},
    body={"probe": True},
    until=["$.state == done", "job != null"],
    interval="500ms",
    timeout="1m",
    max_attempts=20,
    extract={"result": "$.result"},
    assert_=["status == 200"],
    throttle=throttle(statuses=[503]),
)
flow.poll("bounded", "GET /x", until=["status == 200"], interval="1s", max_attempts=3)
