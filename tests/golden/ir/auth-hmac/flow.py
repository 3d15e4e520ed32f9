from bench_sdk import Flow, hmac

flow = Flow("auth-hmac")
flow.call("defaults", "POST /a", auth=hmac(secret="{{ env.SECRET }}"))
flow.call(
    "all",
    "POST /b",
    auth=hmac(
        secret="{{ env.SECRET }}",
        algorithm="sha512",
        encoding="base64",
        header="X-Sig",
        key_id="bench",
        key_id_header="X-Kid",
        timestamp_header="X-Time",
        sign="{method}|{path}?{query}|{body}|{key_id}",
    ),
)
