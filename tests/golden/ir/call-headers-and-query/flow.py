from bench_sdk import Flow

flow = Flow("call-headers")
flow.call(
    "list",
    "GET /items",
    headers={
        "X-Version": "1.10",
        "X-Debug": True,
        "X-Zip": "01234",
        "User-Agent": "",
        "X-Quoted": "7",
    },
    query={
        "page": 2,
        "ratio": "1e3",
        "price": 10.0,
        "spans": [0.0, 2.5],
        "tag": ["a", "b c", 3],
        "flag": False,
    },
)
