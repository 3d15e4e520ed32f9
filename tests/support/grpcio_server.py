"""A gRPC server of Python's grpcio; prints its port. Messages are bytes."""

import sys
import time
from concurrent import futures

import grpc


def ask(request, context):
    metadata = dict(context.invocation_metadata())
    wish = metadata.get("x-wish", "")
    if wish == "refuse":
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "caf\u00e9: 50%")
    if wish == "busy":
        context.set_trailing_metadata((("grpc-retry-pushback-ms", "1500"),))
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "busy")
    if wish == "slow":
        time.sleep(0.6)
    if wish == "large":
        return b"\x0a" + b"\x80\x89\x7a" + b"x" * 2_000_000
    if wish == "gzip":
        context.set_compression(grpc.Compression.Gzip)
        return b"\x0a\x80\x10" + b"y" * 2_048
    context.send_initial_metadata((("x-early", "1"), ("x-raw-bin", b"\x00\xff")))
    context.set_trailing_metadata((("x-late", "2"),))
    return request


handler = grpc.method_handlers_generic_handler(
    "desk.v1.Desk", {"Ask": grpc.unary_unary_rpc_method_handler(ask)}
)
server = grpc.server(
    futures.ThreadPoolExecutor(max_workers=4),
    options=[("grpc.max_send_message_length", -1)],
)
server.add_generic_rpc_handlers((handler,))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(port, flush=True)
sys.stdin.read()
server.stop(0).wait()
