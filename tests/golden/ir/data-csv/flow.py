from bench_sdk import Flow

flow = Flow("data-csv", data="fixtures/users.csv")
flow.call("a", "GET /{{ user.id }}")
