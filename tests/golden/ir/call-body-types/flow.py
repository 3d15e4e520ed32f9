from bench_sdk import Flow

flow = Flow("call-body")
flow.call(
    "create",
    "POST /items",
    body={
        "z": "last",
        "a": [1, -2.5, 100, 31, None, None, True, "true"],
        "nested": {"empty": {}, "none": [], "text": ""},
        "unicode": "é ☃ 😀",
        "block": "two\nlines\n",
        "folded": "one line",
    },
)
flow.call("scalar", "PUT /items/1", body="just text")
flow.call("null", "PATCH /items/1", body=None)
flow.call("list", "POST /bulk", body=[1, 2])
