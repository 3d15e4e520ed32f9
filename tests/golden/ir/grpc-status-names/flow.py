from bench_sdk import Flow

flow = Flow("shop")
flow.grpc(
    "names",
    "shop.v1.Catalog/GetItem",
    proto="shop.proto",
    message={},
    headers={},
    assert_=["status == OK", "status == 0", "status != NOT_FOUND", "status <= 5"],
)
