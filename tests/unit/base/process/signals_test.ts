import { equal } from "node:assert/strict";
import { workspace } from "../../../support/bench.ts";

const SIGNALS = new URL(
  "../../../../lib/base/process/signals.ts",
  import.meta.url,
);

Deno.test({
  name: "a write beyond `ulimit -f` fails, and does not end the process",
  ignore: Deno.build.os === "windows",
  async fn() {
    using folder = workspace({
      "main.ts": `import { onStopSignal } from "${SIGNALS}";
const release = onStopSignal(() => {});
try {
  Deno.writeFileSync("long", new Uint8Array(4 << 20));
} catch (error) {
  console.log(/os error 27/.test(String(error)));
}
release();
// As the program ends: the runtime would take its listeners away before a late signal.
Deno.exit(0);
`,
    });
    const program =
      `"${Deno.execPath()}" run -A --no-config --no-check main.ts`;
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", `ulimit -f 4096; exec ${program}`],
      cwd: folder.path,
      // Its caches have to be short, too.
      env: { DENO_DIR: `${folder.path}/cache` },
    }).output();
    const text = new TextDecoder();
    equal(text.decode(stdout), "true\n", text.decode(stderr));
    equal(code, 0);
  },
});
