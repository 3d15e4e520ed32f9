from bench_sdk import Flow

# A YAML number keeps its text in a header; in Python that text is a string.
common = {"Accept": "application/json", "X-N": "1.0"}

flow = Flow("aliases")
flow.call("a", "GET /a", headers=common)
flow.call("b", "GET /b", headers=common, body={"n": 1.0})
