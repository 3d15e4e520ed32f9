from bench_sdk import Flow

flow = Flow("shop")
flow.grpc("get", "/shop.v1.Catalog/GetItem", proto="shop.proto")
