from bench_sdk import Flow, bearer, no_auth, retry, throttle

flow = Flow("graphql", auth=bearer(token="{{ env.TOKEN }}"), data="users.csv")
flow.graphql(
    "first",
    "query Search($text: String!, $page: Int, $deep: Filter) { search(text: $text) { id } }",
    endpoint="/{{env.TENANT}}/graphql",
    operation_name="Search",
    variables={
        "text": "{{user.text}}",
        "page": 2,
        "deep": {"tags": ["a", "{{ user.tag }}"], "exact": True, "none": None},
    },
    on_errors="allow_partial",
    headers={"X-Request": "{{ env.TENANT }}", "X-Version": 2},
    extract={"id": "$.data.search[0].id"},
    assert_=["$.errors not_exists"],
    retry=retry(on_status=[503], backoff="fixed", max_attempts=2),
    throttle=throttle(statuses=[503]),
)
flow.graphql(
    "empty-parts",
    "{ me { name } }",
    url="/graphql",
    variables={},
    on_errors="fail",
    headers={},
    auth=no_auth(),
)
