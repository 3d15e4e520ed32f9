from bench_sdk import Flow

flow = Flow("assertion-values")
flow.call(
    "a",
    "GET /a",
    extract={"v": "$.v"},
    assert_=[
        "$.s == 'single quoted'",
        "$.s == \"with \\\"escapes\\\" \\u00e9\"",
        "$.n == -1.50e2",
        "$.n > 0.1",
        "$.big == \"12345678901234567890\"",
        "$.round == 1e20",
        "$.list == [1, \"two\", null, {\"b\": 1, \"a\": 2}]",
        "$.map == {\"z\": true, \"a\": []}",
        "$.word == true-ish",
        "$.yes == false",
        "$.code matches \"^\\d{3}$\"",
        "header.X-Trace matches ^[0-9a-f]+$",
        "header.ETag exists",
        "header.Age > 3",
        "latency exists",
        "latency <= 250us",
        "status != 500",
        "status >= 200",
        "$.id == {{v}}",
        "$.id == \"{{  v.x }}\"",
        "$.key == {{ env.KEY }}",
    ],
)
