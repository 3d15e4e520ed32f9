from bench_sdk import Flow, from_path

flow = Flow("digits")
body = [9007199254740993, -12345678901234567890, 9007199254740993, 0xFFFFFFFFFFFFFFFF, 100000000000000000000, 1e20, 42]
flow.call("send", "POST /items", body=body, extract={"order": from_path("$.order", default=9007199254740993)})
flow.graphql("ask", "query ($id: ID!) { item(id: $id) }", url="/g", variables={"id": 1234567890123456789})
