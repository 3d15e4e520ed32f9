from bench_sdk import Flow

flow = Flow("spacing")
flow.call(
    "a",
    "GET /",
    assert_=["status == 200", "status   ==   200", "  status == 200  ", "status==200"],
)
