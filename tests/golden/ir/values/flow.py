from bench_sdk import Flow, draw

flow = Flow(
    "values",
    data="users.csv",
    values={
        "order": draw.uuid(),
        "session": draw.uuid(7),
        "quantity": draw.int(1, 9),
        "change": draw.int(-5, 5),
        "price": draw.decimal("0.50", "99.99"),
        "degrees": draw.decimal("-1.5", 2),
        "colour": draw.choice(["red", "green", "blue"], weights=[5, 3, 2]),
        "address": draw.choice([{"city": "Bern"}, {"city": "Basel"}]),
        "number": draw.counter(),
        "code": draw.hex(16),
        "today": draw.now("date"),
        "yesterday": draw.now("rfc3339", offset="-24h"),
        "later": draw.now("unix_ms", offset="1.5s"),
        "email": draw.text("load-{{ number }}-{{ user.name }}@{{ env.DOMAIN }}"),
    },
)
flow.call(
    "order",
    "POST /orders/{{ order }}",
    body={"quantity": "{{ quantity }}", "to": "{{ address.city }}", "by": "{{ email }}"},
    assert_=["$.quantity == {{ quantity }}", "quantity >= 1"],
)
