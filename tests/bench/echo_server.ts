/**
 * A WebSocket server that sends every frame back. Prints its port.
 *
 *     deno run -A tests/bench/echo_server.ts
 */
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen({ port }) {
    // deno-lint-ignore no-console -- the program that started it reads the port
    console.log(port);
  },
}, (request) => {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) => socket.send(data);
  return response;
});
await server.finished;
