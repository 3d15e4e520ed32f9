import { openLibc } from "./libc.ts";

/** Numbers of the system's calls, by the machine's kind. */
const CALLS = {
  x86_64: { set: 314n, get: 315n },
  aarch64: { set: 274n, get: 275n },
};

/** `struct sched_attr` of `sched_setattr(2)`, in its first version. */
const ATTRIBUTES_BYTES = 48;
const POLICY_AT = 4;
const RUNTIME_AT = 24;
/** Of `sched(7)`. */
const SCHED_OTHER = 0;
/** The shortest there is: 0.1 ms. */
const SLICE_NS = 100_000n;

/**
 * Lets this thread have its share of a core in short turns, so that it has the core as
 * soon as it wakes, and not only when the compiler's threads have had a turn of theirs.
 * On Linux, from 6.12 on. Where it is not possible nothing changes.
 * docs/decisions/110-short-time-slices.md
 */
export function shortenTimeSlice(): void {
  if (Deno.build.os !== "linux") return;
  const libc = openLibc({
    syscall: {
      parameters: ["i64", "i64", "buffer", "i64", "i64"],
      result: "i64",
    },
  });
  if (!libc) return;
  const { set, get } = CALLS[Deno.build.arch];
  const bytes = new Uint8Array(ATTRIBUTES_BYTES);
  const attributes = new DataView(bytes.buffer);
  const { syscall } = libc.symbols;
  const isKnown = syscall(get, 0n, bytes, BigInt(ATTRIBUTES_BYTES), 0n) === 0n;
  if (isKnown && attributes.getUint32(POLICY_AT, true) === SCHED_OTHER) {
    attributes.setBigUint64(RUNTIME_AT, SLICE_NS, true);
    syscall(set, 0n, bytes, 0n, 0n);
  }
  libc.close();
}
