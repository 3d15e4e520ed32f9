"""An echo server of Python's websockets; prints its port. `close 4001` closes."""

import asyncio
import sys

import websockets


async def echo(socket, path=""):
    async for message in socket:
        if isinstance(message, str) and message.startswith("close "):
            await socket.close(int(message[6:]), "as you say")
            return
        if message == "ping":
            await asyncio.wait_for(await socket.ping(b"still there?"), 5)
            await socket.send("pong came")
        elif message == "fragments":
            await socket.send(["one ", "two ", "thr\u00e9\u00e9"])
        else:
            await socket.send(message)


async def main():
    server = await websockets.serve(
        echo, "127.0.0.1", 0, max_size=None, subprotocols=["chat"]
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()
    await server.wait_closed()


asyncio.run(main())
