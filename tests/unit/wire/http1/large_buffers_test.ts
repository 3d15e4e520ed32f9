import assert from "node:assert/strict";
import { LargeBuffers } from "../../../../lib/wire/http1/response_reader.ts";

const MIB = 1024 * 1024;

Deno.test("LargeBuffers gives the smallest that fits, and never one that is far too large", () => {
  const buffers = new LargeBuffers();
  const [small, middle, large] = [1, 3, 16].map((size) =>
    new Uint8Array(size * MIB)
  );
  for (const each of [large!, small!, middle!]) buffers.give(each);
  assert.equal(buffers.take(2 * MIB), middle);
  assert.equal(buffers.take(2 * MIB).length, 2 * MIB, "16 MiB is too large");
  assert.equal(buffers.take(MIB), small);
  assert.equal(buffers.take(5 * MIB), large);
  assert.equal(buffers.take(5 * MIB).length, 5 * MIB, "none is left");
});

Deno.test("LargeBuffers keeps no more than two of the longest", () => {
  const buffers = new LargeBuffers();
  const given = Array.from({ length: 6 }, () => new Uint8Array(16 * MIB));
  for (const each of given) buffers.give(each);
  assert.deepEqual(
    given.map(({ length }) => length / MIB),
    [16, 16, 0, 0, 0, 0],
    "the others are freed at once",
  );
  const taken = given.map(() => buffers.take(16 * MIB));
  assert.equal(taken.filter((each) => given.includes(each)).length, 2);
});
