from bench_sdk import Flow, from_body, from_cookie, from_css, from_header, from_path, from_status

flow = Flow("extractions")
flow.call(
    "login",
    "POST /login",
    extract={
        "place": from_header("Location"),
        "sid": from_cookie("Sid"),
        "code": from_status(),
        "id": from_header("Location", pattern=r"id=(\d+)"),
        "year": from_path("$.date", pattern=r"^\d{4}", group=0),
        "token": from_body('csrf: "([^"]+)"', default="none"),
        "field": from_css("input[name=csrf]", attribute="value"),
        "title": from_css("title", pattern=r"(\w+) shop", default=""),
        "next": from_path("$.next", default=0),
        "last": from_header("X-Last", default=True),
    },
)
