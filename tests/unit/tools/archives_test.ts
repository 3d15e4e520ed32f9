import { deepStrictEqual, equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { tarGz } from "../../../tools/tar.ts";
import { zipOf } from "../../../tools/zip.ts";
import { workspace } from "../../support/bench.ts";

const TIME = new Date("2026-11-20T21:03:04Z");
const FILES = [
  {
    path: "a/run",
    bytes: new TextEncoder().encode("#!/bin/sh\n"),
    executable: true,
  },
  {
    path: "a/b/größe.txt",
    bytes: new Uint8Array(100_000).fill(65),
    executable: false,
  },
  { path: "a/b/empty", bytes: new Uint8Array(), executable: false },
];

/** Mode, time and size of every file that came out, by path. */
function facts(folder: string): unknown[] {
  return FILES.map(({ path }) => {
    const { mode, mtime, size } = Deno.statSync(join(folder, path));
    return [path, (mode! & 0o777).toString(8), mtime!.toISOString(), size];
  });
}

const EXPECTED = [
  ["a/run", "755", "2026-11-20T21:03:04.000Z", 10],
  ["a/b/größe.txt", "644", "2026-11-20T21:03:04.000Z", 100_000],
  ["a/b/empty", "644", "2026-11-20T21:03:04.000Z", 0],
];

Deno.test("tarGz writes what tar unpacks: names, modes, time, owner", async () => {
  using folder = workspace({});
  Deno.writeFileSync(join(folder.path, "a.tar.gz"), tarGz(FILES, TIME));
  await run("tar", ["-xpzf", "a.tar.gz"], folder.path);
  deepStrictEqual(facts(folder.path), EXPECTED);
  const listing = await run(
    "tar",
    ["--numeric-owner", "-tvzf", "a.tar.gz"],
    folder.path,
  );
  equal(listing.match(/ 0\/0 /g)?.length, 3);
});

Deno.test("zipOf writes what Python's zipfile and unzip take: names, modes, time, checksums", async () => {
  using folder = workspace({});
  Deno.writeFileSync(join(folder.path, "a.zip"), zipOf(FILES, TIME));
  const listed = await run("python3", ["-c", LIST], folder.path);
  deepStrictEqual(JSON.parse(listed), {
    broken: null,
    files: EXPECTED.toSorted().map(([path, mode, time, size]) => [
      path,
      mode,
      `${time}`.slice(0, 19),
      size,
    ]),
  });
});

const LIST = `
import json, zipfile
with zipfile.ZipFile("a.zip") as archive:
    print(json.dumps({"broken": archive.testzip(), "files": [
        [each.filename, "%o" % (each.external_attr >> 16 & 0o777),
         "%04d-%02d-%02dT%02d:%02d:%02d" % each.date_time, each.file_size]
        for each in archive.infolist()]}))`;

Deno.test("archives of the same files are the same bytes, whatever their order", () => {
  for (const archive of [tarGz, zipOf]) {
    deepStrictEqual(
      archive(FILES.toReversed(), TIME),
      archive(FILES, TIME),
    );
  }
});

Deno.test("tarGz refuses a path that its field cannot hold", () => {
  const path = "a".repeat(101);
  throws(
    () => tarGz([{ path, bytes: new Uint8Array(), executable: false }], TIME),
    /too long a path/,
  );
});

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { TZ: "UTC" },
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
