import { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
// @ts-types="@modelcontextprotocol/sdk/server/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as v from "valibot";
import { ErrorCodes, type Message } from "vscode-jsonrpc";
import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { readJson } from "../../lib/base/values/read_json.ts";
import { absolutePath } from "../../lib/base/values/paths.ts";
import { EXIT, Refused } from "../../lib/base/errors/bench_error.ts";
import { onStopSignal } from "../../lib/base/process/signals.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import type { JsonObject } from "../../lib/base/values/json.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { exitCode } from "../../lib/results/report/exit_code.ts";
import { readEnvFile } from "../inputs/env_file.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { readConnection } from "../options/connection.ts";
import type { FlagsOf } from "../options/option.ts";
import { storeDirectory } from "../options/store.ts";
import { NO_REQUEST, refusal } from "../rpc/refusal.ts";
import type { Console } from "../terminal/console.ts";
import { Calls } from "./calls.ts";
import type { MCP } from "./mcp_options.ts";
import { mcpServer } from "./mcp_server.ts";

/**
 * `bench mcp`: serves an agent on standard input and output until that ends.
 * Returns the exit code.
 *
 * @param folder the only one that files are read from
 */
export async function mcpCommand(
  folder: string,
  flags: FlagsOf<typeof MCP>,
  console: Console,
): Promise<number> {
  const root = realFolder(folder);
  // Standard output belongs to the messages.
  const quiet = { ...console, out: console.err, print: console.err };
  const decided = decidedBy(flags, root, quiet);
  const secrets = flags.envFile === undefined
    ? []
    : Object.values(readEnvFile(flags.envFile));
  Deno.chdir(root);
  const calls = new Calls({
    ...{ root, secrets, console: quiet },
    allowLoad: flags.allowLoad ?? false,
    storeInside: isOwnStore(flags),
  });
  return await serve(mcpServer(calls, decided), calls, quiet);
}

function realFolder(folder: string): string {
  try {
    const path = Deno.realPathSync(folder);
    if (Deno.statSync(path).isDirectory) return path;
  } catch (error) {
    throw new Refused(`cannot use the folder ${folder}: ${osReason(error)}`);
  }
  throw new Refused(`${folder} is a file, not a folder`);
}

/** The parameters of every call that the person who started the server gave. */
function decidedBy(
  flags: FlagsOf<typeof MCP>,
  root: string,
  console: Console,
): JsonObject {
  const { resolve: pinned, proxy, cacert, cert, key, insecure } = flags;
  // What is wrong with them is said now, and not to the agent.
  readConnection(flags, console);
  const files = Object.entries({ cacert, cert, key }).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, absolutePath(path)]]
  );
  return {
    store: absolutePath(
      isOwnStore(flags) ? root : ".",
      storeDirectory(flags.store),
    ),
    ...Object.fromEntries(files),
    ...(pinned && { resolve: pinned }),
    ...(proxy !== undefined && { proxy }),
    ...(insecure && { insecure }),
  };
}

/** No other place was named for the runs than the folder itself. */
function isOwnStore({ store }: { readonly store?: string }): boolean {
  return !store && !systemEnvironment.env("BENCH_STORE");
}

/** Serves until the client is gone, or a signal ends it; calls under way end before. */
async function serve(
  server: ReturnType<typeof mcpServer>,
  calls: Calls,
  console: Console,
): Promise<number> {
  const ended = Promise.withResolvers<StopSignal>();
  const input = Readable.fromWeb(
    Deno.stdin.readable.pipeThrough(lastLineEnded()) as never,
  );
  const output = new Writable({
    write(chunk: Uint8Array, _, done) {
      writeAll(chunk).then(() => done(), done);
    },
  });
  const gone = () => ended.resolve("SIGHUP");
  input.once("end", gone).once("error", gone);
  output.once("error", gone);
  const transport = new StdioServerTransport(input as never, output as never, {
    maxBufferSize: MOST_BYTES,
  });
  const send = transport.send.bind(transport);
  transport.send = (message) => send(withPlainError(message as never) as never);
  let tooLong = false;
  server.onerror = (error) => {
    // The library reads no further then.
    tooLong ||= error.message.startsWith("ReadBuffer exceeded");
    const refused = tooLong ? TOO_LONG : refusalOf(error);
    if (refused) void transport.send(refused as never);
    else console.err(`bench mcp: ${error.message}\n`);
  };
  server.onclose = gone;
  let signals = 0;
  const release = onStopSignal((signal) => {
    // What is asked for a second time ends at once.
    if (signals++ > 0) calls.end(signal, true);
    ended.resolve(signal);
  });
  await server.connect(transport);
  const signal = await ended.promise;
  // What was read together with the end has its turn first.
  await systemClock.sleep(0);
  await calls.end(signal, signal === "SIGHUP");
  // The library writes a response after its call.
  await systemClock.sleep(0);
  output.end();
  await finished(output).catch(() => {});
  release();
  if (tooLong) return EXIT.refused;
  return signal === "SIGHUP" ? 0 : exitCode({ signal });
}

/** Ends the last line where the input does not; the library waits for that. */
function lastLineEnded(): TransformStream<Uint8Array, Uint8Array> {
  let last = LINE_FEED;
  return new TransformStream({
    transform(chunk, controller) {
      last = chunk.at(-1) ?? last;
      controller.enqueue(chunk);
    },
    flush(controller) {
      if (last !== LINE_FEED) controller.enqueue(Uint8Array.of(LINE_FEED));
    },
  });
}

const LINE_FEED = 0x0a;

/** Of a line and what follows it: many times a flow file. */
const MOST_BYTES = 10 << 20;
const TOO_LONG = refusal(
  ErrorCodes.ParseError,
  `a message has at most ${MOST_BYTES} bytes`,
);

/** A message; parameters that the library refuses are named, where it says so as JSON. */
function withPlainError(message: Message): Message {
  const { id = null, error } = message as {
    readonly id?: string | number | null;
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (error?.code !== ErrorCodes.InternalError) return message;
  const issues = ifPossible(() => readJson(error.message), undefined);
  const known = v.safeParse(ISSUES, issues);
  if (!known.success) return message;
  const why = known.output.map(({ path, message }) =>
    `/${path.slice(1).join("/")}: ${message}`
  );
  return refusal(ErrorCodes.InvalidParams, why.join("\n"), id);
}

/** The refusals of the library; each path begins with `params`. */
const ISSUES = v.array(v.object({
  path: v.array(v.union([v.string(), v.number()])),
  message: v.string(),
}));

/** The response to a line that is no message; undefined for what else goes wrong. */
function refusalOf(error: Error): Message | undefined {
  if (error instanceof SyntaxError) {
    return refusal(ErrorCodes.ParseError, error.message);
  }
  // The library holds each line against its schema of messages.
  return "issues" in error ? NO_REQUEST : undefined;
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await Deno.stdout.write(rest));
}
