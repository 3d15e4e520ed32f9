from bench_sdk import Flow

flow = Flow("poll")
flow.poll(
    "done",
    "POST /jobs/1",
    headers={"Accept": "application/json"},
    query={"wait": 1},
    body={"probe": True},
    until=["status == 200"],
    interval="1s",
    max_attempts=3,
)
flow.poll(
    "mixed",
    "POST /jobs/1",
    query={"wait": "{{ env.WAIT }}"},
    body=1,
    until=["status == 200"],
    interval="1s",
    max_attempts=3,
)
