from bench_sdk import Flow

flow = Flow("call-headers")
flow.call(
    "list",
    "GET /items",
    headers={
        "X-Version": 1.1,
        "X-Debug": True,
        "X-Zip": 1234,
        "User-Agent": "",
        "X-Quoted": "7",
    },
    query={"page": 2, "ratio": 1000, "tag": ["a", "b c", 3], "flag": False},
)
