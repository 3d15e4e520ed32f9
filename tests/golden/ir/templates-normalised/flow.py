from bench_sdk import Flow

flow = Flow("templates", data="users.csv")
flow.call(
    "login",
    "POST /login/{{user.id}}",
    headers={"X-Tenant": "{{   env.TENANT   }}"},
    query={"q": "a {{user.name}} b {{ env.X }}"},
    body={"whole": "{{user.profile}}", "part": "Dear {{  user.name }}!"},
    extract={"session": "$.session"},
)
flow.call("use", "GET /items/{{ session.items.0.id }}")
