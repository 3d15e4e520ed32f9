import { deepStrictEqual, equal, ok, throws } from "node:assert/strict";
import {
  holdFiles,
  readHost,
} from "../../../../lib/results/samples/host_reading.ts";
import { READING } from "../../../support/agent_reading.ts";
import { join } from "node:path";
import { workspace } from "../../../support/bench.ts";

const FILES: Readonly<Record<string, string>> = {
  "stat": "cpu  100 0 100 700 0 0 0 0 0 0\ncpu0 100 0 100 700 0 0 0 0 0 0\n",
  "meminfo": "MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable: 40 kB\n",
  "net/dev": " eth0: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n",
  "sys/fs/file-nr": "697\t0\t9\n",
  "loadavg": "0.50 0.40 0.30 1/100 4242\n",
};

/** A machine whose /proc has these files. */
function over(files: Readonly<Record<string, string>>) {
  return (path: string) => {
    const text = files[path.replace("/p/", "")];
    if (text === undefined) throw new Deno.errors.NotFound(path);
    return text;
  };
}

Deno.test("readHost: one reading out of five files", () => {
  deepStrictEqual(readHost(42, "/p", over(FILES)), READING);
});

Deno.test("readHost: a file that is missing or odd leaves nulls, and the rest is reported", () => {
  const { "sys/fs/file-nr": _, ...rest } = FILES;
  deepStrictEqual(
    readHost(42, "/p", over({ ...rest, stat: "no such thing" })),
    { ...READING, cpu_seconds_total: null, cpu_cores: null, open_fds: null },
  );
});

Deno.test("readHost: a mounted /proc has its interfaces with the first process", () => {
  const { "net/dev": net, ...rest } = FILES;
  deepStrictEqual(
    readHost(42, "/p", over({ ...rest, "1/net/dev": net! })),
    READING,
  );
});

Deno.test("readHost: a directory without any of the files is an error that names it", () => {
  throws(() => readHost(42, "/p", over({})), {
    name: "HostReadingError",
    message: /no file under `\/p`/,
  });
});

Deno.test({
  name: "readHost: the machine this runs on has every figure",
  ignore: Deno.build.os !== "linux",
  fn() {
    const reading = readHost(42, "/proc");
    for (const [field, value] of Object.entries(reading)) {
      ok(value !== null && value >= 0, field);
    }
    ok(reading.cpu_seconds_total! > 0 && reading.mem_used_bytes! > 0);
    ok(reading.mem_used_bytes! < reading.mem_total_bytes!);
  },
});

Deno.test("holdFiles: a held file is read from its start each time, as it is by then", () => {
  const long = "é".repeat(20_001);
  using folder = workspace({ "stat": "one" });
  const path = join(folder.path, "stat");
  const read = holdFiles([path]);
  equal(read(path), "one");
  Deno.writeTextFileSync(path, long);
  equal(read(path), long);
  Deno.writeTextFileSync(path, "");
  equal(read(path), "");
});

Deno.test("holdFiles: a file that was not there, or is not held, is missing", () => {
  using folder = workspace({ "other": "" });
  const path = join(folder.path, "stat");
  const read = holdFiles([path]);
  Deno.writeTextFileSync(path, "late");
  throws(() => read(path), Deno.errors.NotFound);
  throws(() => read(join(folder.path, "other")), Deno.errors.NotFound);
});
