from bench_sdk import Flow

flow = Flow("graphql")
flow.graphql("me", "{ me { name } }", url="/graphql")
