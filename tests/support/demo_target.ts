import { type DemoTarget, startDemoTarget } from "../../cli/demo/server.ts";

/** The demo target on a free port of this machine, until the end of the block. */
export async function demoTarget(): Promise<DemoTarget & AsyncDisposable> {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  return { ...target, [Symbol.asyncDispose]: () => target.close() };
}
