from bench_sdk import Flow, oauth2_client_credentials

flow = Flow(
    "auth-oauth2",
    auth=oauth2_client_credentials(
        token_url="https://id.example.com/token",
        client_id="{{ env.CLIENT_ID }}",
        client_secret="{{ env.CLIENT_SECRET }}",
        scopes=["read", "write"],
    ),
)
flow.call("list", "GET /a")
flow.call(
    "one",
    "GET /b",
    auth=oauth2_client_credentials(
        token_url="{{ env.TOKEN_URL }}",
        client_id="bench",
        client_secret="{{ env.CLIENT_SECRET }}",
        scopes="read",
    ),
)
