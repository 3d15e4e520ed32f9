from bench_sdk import Flow

flow = Flow("json-path-queries")
flow.call(
    "a",
    "GET /a",
    extract={
        "every": "$..id",
        "slice": "$.items[1:5:2]",
        "last": "$.items[-1].name",
        "some": "$.items[?@.price < 10 && @.stock].name",
        "named": "$['first name'][\"last\"]",
        "several": "$.items[0,2]['id','name']",
    },
    assert_=[
        "$.items[*].id contains 7",
        "$.items[?@.name == 'a b'] != null",
        "$ exists",
    ],
)
