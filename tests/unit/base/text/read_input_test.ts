import { deepEqual, equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { readInput } from "../../../../lib/base/text/read_input.ts";

function inFolder(test: (at: (name: string) => string) => void): () => void {
  return () => {
    const folder = Deno.makeTempDirSync({ prefix: "bench-test-" });
    try {
      test((name) => join(folder, name));
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

Deno.test(
  "readInput() gives a file up to the bound, and one by a link",
  inFolder((at) => {
    const bytes = new TextEncoder().encode("0123456789");
    Deno.writeFileSync(at("file"), bytes);
    Deno.symlinkSync("file", at("link"));
    deepEqual(readInput(at("file"), 10), bytes);
    deepEqual(readInput(at("link"), 1_000), bytes);
    Deno.writeFileSync(at("file"), new Uint8Array(0));
    equal(readInput(at("file"), 10).length, 0);
  }),
);

Deno.test(
  "readInput() asks for the size first: a sparse file is not read",
  inFolder((at) => {
    Deno.writeTextFileSync(at("sparse"), "");
    Deno.truncateSync(at("sparse"), 2 ** 40);
    throws(
      () => readInput(at("sparse"), 1_000),
      /^UnreadInput: it has 1099511627776 bytes, but at most 1000 are read$/,
    );
  }),
);

Deno.test("readInput() stops at the bound in a file that says it is empty", () => {
  equal(Deno.statSync("/proc/self/status").size, 0);
  throws(
    () => readInput("/proc/self/status", 100),
    /it has more than 100 bytes, but at most 100 are read/,
  );
  equal(readInput("/proc/self/status", 100_000).length > 100, true);
});

Deno.test(
  "readInput() says what there is in place of a file",
  inFolder((at) => {
    Deno.symlinkSync("/dev/zero", at("zero"));
    new Deno.Command("mkfifo", { args: [at("pipe")] }).outputSync();
    using _ = Deno.listen({ transport: "unix", path: at("socket") });
    Deno.mkdirSync(at("folder"));
    for (
      const [name, kind] of [
        ["zero", "a device"],
        ["pipe", "a named pipe"],
        ["socket", "a socket"],
        ["folder", "a directory"],
      ] as const
    ) {
      throws(
        () => readInput(at(name), 100, true),
        { code: "not-a-file", message: `it is ${kind}, not a file` },
      );
    }
  }),
);

Deno.test(
  "readInput() throws what the system says of a file that is not there",
  inFolder((at) => {
    throws(() => readInput(at("none"), 100), Deno.errors.NotFound);
  }),
);
