from bench_sdk import Flow, Mix, bearer, draw, profile

browse = Flow("browse", data="users.csv")
browse.call("search", "GET /search?name={{ user.name }}")

buy = Flow(
    "buy",
    cookies="vu",
    auth=bearer("{{ env.TOKEN }}"),
    values={"order": draw.uuid()},
)
buy.call("order", "POST /orders", body={"id": "{{ order }}"}, extract={"total": "$.total"})
buy.call("pay", "POST /pay", body={"total": "{{ total }}"})

evening = Mix(
    "evening",
    profile=profile(
        "load",
        vus=5,
        hold="1m",
        thresholds=[
            "error_rate < 1%",
            "browse: throttle_rate < 5%",
            "buy/pay: p95(latency) < 200ms",
        ],
    ),
).add(browse, 70).add(buy, 30)
