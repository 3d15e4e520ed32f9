/**
 * A target that sends no response for one second in every ten; what comes in that
 * second gets its response when it is over. Prints its port.
 *
 *     deno run -A tests/bench/stalling_server.ts
 */
const STALL_MS = 1_000;
const EVERY_MS = 10_000;
const headers = { "content-type": "application/json" };
const started = performance.now();

/** Milliseconds until the stall is over; 0 outside of it. It begins 3 s in. */
function stalledFor(): number {
  const at = (performance.now() - started + EVERY_MS - 3_000) % EVERY_MS;
  return Math.max(0, STALL_MS - at);
}

Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen({ port }) {
      // deno-lint-ignore no-console -- the program that started it reads the port
      console.log(port);
    },
  },
  async () => {
    const ms = stalledFor();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return new Response('{"id":42}', { headers });
  },
);
