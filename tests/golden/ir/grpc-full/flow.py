from bench_sdk import Flow, bearer, retry, throttle

flow = Flow("shop", auth=bearer(token="{{env.TOKEN}}"), data="users.csv")
flow.grpc(
    "place",
    "shop.v1.Orders/Place",
    proto="protos/shop.proto",
    import_paths=["protos", "../vendor"],
    endpoint="grpcs://api.example.com:443",
    message={
        "item_id": 7,
        "amount": "9007199254740993",
        "note": "for {{user.name}}",
        "tags": ["a", "{{ user.tag }}"],
    },
    headers={"X-Tenant": "{{ env.TENANT }}", "X-Try": 1},
    extract={"order": "$.id"},
    assert_=["status == OK", "$.total > 0"],
    retry=retry(on_status=[503], backoff="honor_retry_after", max_attempts=3),
    throttle=throttle(statuses=[503], as_error=False),
)
