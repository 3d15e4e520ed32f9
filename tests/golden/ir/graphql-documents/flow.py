from bench_sdk import Flow

flow = Flow("documents")
flow.graphql(
    "literal",
    "# A comment stays.\nquery {\n  me {\n    name   # so do spaces\n  }\n}\n",
    url="/graphql",
)
flow.graphql("stripped", "{ me { name } }", url="/graphql")
flow.graphql("folded", "{ me { name } }\n", url="/graphql")
flow.graphql(
    "braces",
    "{a(in:{b:{c:{d:\"\\\"é\\\" } }\"}}}){e}}",
    url="/graphql",
    on_errors="ignore",
)
