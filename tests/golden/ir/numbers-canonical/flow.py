from bench_sdk import Flow

flow = Flow("numbers")
flow.call(
    "a",
    "POST /a",
    body=[0, -0.0, 1.0, 1e21, 1e20, 1e-6, 1e-7, 0.1, 123456789.125, 9007199254740991, -1.5e-9],
)
