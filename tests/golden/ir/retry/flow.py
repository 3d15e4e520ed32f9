from bench_sdk import Flow, retry

flow = Flow("retry")
flow.call(
    "default-delay",
    "GET /a",
    retry=retry(on_status=[503, 429], backoff="honor_retry_after", max_attempts=3),
)
flow.call(
    "own-delay",
    "GET /b",
    retry=retry(on_status=[500], backoff="exponential", max_attempts=5, base_delay="0.25s"),
)
flow.call(
    "no-delay",
    "GET /c",
    retry=retry(on_status=[500], backoff="fixed", max_attempts=1, base_delay="0s"),
)
