from bench_sdk import Flow, api_key, profile, retry, throttle

flow = Flow(
    "every-key",
    profile=profile(mode="integration"),
    auth=api_key(name="X-Key", value="{{ env.KEY }}", in_="header"),
    data="rows.json",
)
flow.call(
    "every",
    "DELETE https://example.com/a/{{ user.id }}?x=1#part",
    headers={"X-A": "{{ user.a }}", "X-Empty": ""},
    query={"q": ["{{ user.q }}", "two"], "n": 3},
    body={"deep": [{"open": "{{ user.json }}"}]},
    extract={"got": "$.got"},
    assert_=["status == 200", "got != null"],
    retry=retry(on_status=[502], backoff="fixed", max_attempts=2, base_delay="1us"),
    throttle=throttle(statuses=[503], as_error=True),
    auth=api_key(name="key", value="{{ env.OTHER }}", in_="query"),
    on_failure="record",
)
