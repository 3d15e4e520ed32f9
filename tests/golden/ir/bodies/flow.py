from bench_sdk import Flow

flow = Flow("bodies")
flow.call("form", "POST /form", form={"user": "ada", "tags": ["b", "{{ env.TAG }}", 3], "empty": ""})
flow.call(
    "multipart",
    "POST /parts",
    multipart={
        "title": "a title",
        "avatar": {"file": "a.png"},
        "notes": [
            {"file": "n.txt", "type": "text/markdown", "name": "note-{{ env.TAG }}.md"},
            {"text": "{}", "type": "application/json"},
        ],
    },
)
flow.call("text", "PUT /text", text="hello {{ env.TAG }}")
flow.poll("file", "PUT /file", file="a.png", until=["status == 200"], interval="1s", max_attempts=2)
