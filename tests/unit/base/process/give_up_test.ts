import { equal, match } from "node:assert/strict";
import { join } from "node:path";
import { workspace } from "../../../support/bench.ts";
import { follow } from "../../../support/live_command.ts";
import { ROOT } from "../../../support/program.ts";

/** Starts a program of the checkout that says on SIGUSR2 what it may do. */
function start(main: string, ...args: string[]) {
  return follow(
    new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", "--no-prompt"],
        `--preload=${join(ROOT, "tests/support/report_permissions.ts")}`,
        ...[join(ROOT, main), ...args],
      ],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
}

/** Waits for the address, looks at `path`, asks what is granted, and ends it. */
async function grantedWhileServing(
  program: ReturnType<typeof start>,
  path: string,
): Promise<string> {
  const [, port] = await program.printed(/:(\d+)/);
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`).then(
    async (response) => (await response.body?.cancel(), response),
  );
  equal(status, 200);
  program.process.kill("SIGUSR2");
  await program.said("granted: ");
  program.process.kill("SIGTERM");
  const { code, stderr } = await program.ended();
  equal(code, 0, stderr);
  return /granted: \[(.*)\]/.exec(stderr)![1]!;
}

Deno.test(
  "bench-agent may do nothing once it listens, and still reads the machine",
  {
    ignore: Deno.build.os !== "linux",
  },
  async () => {
    const agent = start("agent/main.ts", "--addr", "127.0.0.1:0");
    equal(await grantedWhileServing(agent, "/metrics"), "");
  },
);

Deno.test("bench serve may only read and listen once it serves", async () => {
  using folder = workspace({});
  const args = ["--store", folder.path, "--addr", "127.0.0.1:0"];
  equal(
    await grantedWhileServing(start("main.ts", "serve", ...args), "/"),
    "read,net",
  );
});

Deno.test("bench serve keeps what reading a store in /dev/shm takes", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const store = await Deno.makeTempDir({ dir: "/dev/shm" });
  try {
    const args = ["--store", store, "--addr", "127.0.0.1:0"];
    match(
      await grantedWhileServing(start("main.ts", "serve", ...args), "/"),
      /write/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});
