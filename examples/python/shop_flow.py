"""A customer logs in and finds a product.

    bench demo --serve
    bench run examples/python/shop_flow.py --target examples/targets/demo.yaml
"""

from bench_sdk import Flow, bearer, no_auth

flow = Flow("shop_python", auth=bearer("{{ token }}"), data="users.csv")
flow.call(
    "login",
    "POST /login",
    auth=no_auth(),
    body={"user": "{{ user.name }}", "password": "{{ user.password }}"},
    extract={"token": "$.token"},
    assert_=["status == 200"],
)
flow.call("search", "GET /products", query={"q": "wire"}, assert_=["$.count >= 1"])
