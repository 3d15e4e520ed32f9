from bench_sdk import Flow, basic, literal

flow = Flow("literal-braces")
flow.call(
    "render",
    "POST /render/" + literal("{{x"),
    headers={"X-Template": literal("{{ ") + "{{ env.NAME }}" + literal(" }}")},
    body={"template": literal("Dear {{ name }}"), "script": literal("{") + "{{ env.NAME }}}"},
    auth=basic(literal("{{"), "{{ env.PASSWORD }}"),
)
