/*
 * The runtime's scheduler lets one turn of an event loop read 128 sockets. What is
 * ready beyond that it puts off, in reverse order at every turn, so that of
 * thousands of busy connections those in the middle are never served. When it takes
 * fewer sockets than that from the system at a time, the others wait there, first
 * come, first served. docs/decisions/010-what-a-request-costs.md
 */
const VARIABLE = "DENO_TOKIO_MAX_IO_EVENTS_PER_TICK";
const SOCKETS_A_TURN = "64";

/** The assignment with which the environment of a program says so from its start. */
export const EVEN_START = `${VARIABLE}=${SOCKETS_A_TURN}`;

/** More connections than this on one thread need `serveEvenly`. */
export const MOST_A_TURN = 128;

let setHere = false;

/** Whether the main thread began with it, as the packed program does. */
export function mainThreadServesEvenly(): boolean {
  return isSettable() && isSet() && !setHere;
}

/** Threads that are started from now on serve their sockets evenly. */
export function serveEvenly(): void {
  if (!isSettable() || isSet()) return;
  Deno.env.set(VARIABLE, SOCKETS_A_TURN);
  setHere = true;
}

/** A program that embeds `bench` may keep the environment from it, and must not be asked. */
function isSettable(): boolean {
  const env = { name: "env", variable: VARIABLE } as const;
  return Deno.permissions.querySync(env).state === "granted";
}

function isSet(): boolean {
  return Deno.env.get(VARIABLE) !== undefined;
}
