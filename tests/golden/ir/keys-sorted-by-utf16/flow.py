from bench_sdk import Flow

flow = Flow("keys")
flow.call(
    "a",
    "POST /a",
    headers={"b": "1", "a": "2", "A-1": "4"},
    body={"1": 4, "€": 1, "\r": 2, "דּ": 3, "😀": 5, "ö": 6, "": 7, "__proto__": 8},
)
