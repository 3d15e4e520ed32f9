from bench_sdk import Flow

flow = Flow("unicode")
flow.call(
    "a",
    "GET /café/{{ env.X }}",
    headers={"X-Name": "Zoë"},
    body={"kéy": "\t tab \" quote \\ back", "€": 1},
)
