from bench_sdk import Flow, pool

flow = Flow(
    "pools",
    data="users.csv",
    pools=[
        pool("account", "data/accounts.json", distribution="round-robin", on_exhausted="cycle"),
        pool("item", "items.csv", format="csv"),
    ],
)
flow.call("list", "GET /items/{{ item.id }}?by={{ account.name }}", capture="headers")
