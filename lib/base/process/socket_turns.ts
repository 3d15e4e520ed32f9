/*
 * The runtime's scheduler lets one turn of an event loop read 128 sockets. What is
 * ready beyond that it puts off, in reverse order at every turn, so that of
 * thousands of busy connections those in the middle are never served. When it takes
 * fewer sockets than that from the system at a time, the others wait there, first
 * come, first served. docs/decisions/010-what-a-request-costs.md
 */
const SETTINGS = {
  DENO_TOKIO_MAX_IO_EVENTS_PER_TICK: "64",
  /*
   * It asks the system for more after every turn, not after 61 of them: a burst is
   * read before its responses are looked at (lib/wire/net/hand_over.ts).
   */
  DENO_TOKIO_EVENT_INTERVAL: "1",
};
const ALL = Object.entries(SETTINGS);

/** The assignments with which the environment of a program says so from its start. */
export const EVEN_START = ALL.map(([name, value]) => `${name}=${value}`)
  .join(" ");

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
  for (const [name, value] of ALL) Deno.env.set(name, value);
  setHere = true;
}

/** A program that embeds `bench` may keep the environment from it, and must not be asked. */
function isSettable(): boolean {
  return ALL.every(([variable]) =>
    Deno.permissions.querySync({ name: "env", variable }).state === "granted"
  );
}

function isSet(): boolean {
  return ALL.every(([name]) => Deno.env.get(name) !== undefined);
}
