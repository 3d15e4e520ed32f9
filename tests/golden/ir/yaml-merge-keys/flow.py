from bench_sdk import Flow, retry

flow = Flow("merged")
flow.call("list", "GET /items", headers={"X-A": "1", "X-B": "1"}, retry=retry(on_status=[503], backoff="fixed", max_attempts=3))
flow.call(
    "more",
    "POST /more",
    headers={"X-A": "1", "X-B": "2"},
    retry=retry(on_status=[503], backoff="fixed", max_attempts=5),
    body={"<<": "a key of this name", "a": 1, "b": 3, "first": 1},
)
