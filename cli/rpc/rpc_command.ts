import * as v from "valibot";
import {
  type CancellationToken,
  createMessageConnection,
  ErrorCodes,
  Message,
  type MessageConnection,
  type MessageWriter,
  ResponseError,
} from "vscode-jsonrpc";
import { EXIT } from "../../lib/base/errors/bench_error.ts";
import { exitCode } from "../../lib/results/report/exit_code.ts";
import { IR_VERSION } from "../../lib/language/flow/flow.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { buildIdentity, VERSION } from "../../lib/base/values/build.ts";
import type { Console } from "../terminal/console.ts";
import { Cancellations } from "./cancellation.ts";
import { failureOf } from "./failures.ts";
import { enter } from "./inputs.ts";
import { MalformedInput, stdinMessages, stdoutMessages } from "./stdio.ts";
import { type Method, readParams } from "./method.ts";
import { METHODS } from "./methods.ts";
import { onStopSignal } from "../../lib/base/process/signals.ts";

/**
 * `bench rpc`: responds to requests on standard input until that ends, or until it
 * is asked to shut down. Returns the exit code.
 */
export async function rpcCommand(
  _: unknown,
  console: Console,
): Promise<number> {
  // Standard output belongs to the messages.
  const session = new Session({
    ...console,
    out: console.err,
    print: console.err,
  });
  const release = onStopSignal((signal) => session.end(signal));
  try {
    return await session.listen();
  } finally {
    release();
  }
}

/** Of the messages; docs/rpc.md is its contract. */
const PROTOCOL = 1;

const cancelParams = v.strictObject({
  id: v.union([v.number(), v.string()]),
  now: v.exactOptional(v.boolean()),
});

/** One client and what it asked for. */
class Session {
  readonly #ended = Promise.withResolvers<number>();
  readonly #cancellations = new Cancellations();
  readonly #writer: MessageWriter = stdoutMessages();
  readonly #malformed: MalformedInput;
  readonly #connection: MessageConnection;
  /** Requests are carried out one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Requests whose responses are not written yet. */
  readonly #underWay = new Set<Promise<void>>();
  #ending = false;
  /** The exit code when the client is gone, or cannot be understood any more. */
  #gone: number = EXIT.held;

  /** @param console its `out` must not be standard output */
  constructor(readonly console: Console) {
    const reader = stdinMessages();
    this.#malformed = new MalformedInput(reader, this.#writer, (refused) => {
      this.#gone = EXIT.refused;
      this.#underWay.add(refused);
      void this.end("SIGHUP");
    });
    this.#connection = createMessageConnection(
      reader,
      this.#writer,
      undefined,
      {
        cancellationStrategy: {
          receiver: this.#cancellations.receiver,
          sender: {
            sendCancellation: () => Promise.resolve(),
            cleanup() {},
          },
        },
        messageStrategy: {
          handleMessage: (message, next) => this.#handle(message, next),
        },
      },
    );
    reader.onClose(() => this.end("SIGHUP"));
    this.#writer.onError(() => this.end("SIGHUP"));
    this.#register();
  }

  listen(): Promise<number> {
    this.#connection.listen();
    return this.#ended.promise;
  }

  /** Ends what is under way; its results are written. */
  async end(signal: StopSignal): Promise<void> {
    const again = this.#ending;
    this.#ending = true;
    const now = again || signal === "SIGHUP";
    // What was read together with the end has its turn first.
    await systemClock.sleep(0);
    for (const each of this.#cancellations.all()) each.stop(signal, now);
    await this.#responded();
    this.#ended.resolve(
      signal === "SIGHUP" ? this.#gone : exitCode({ signal }),
    );
  }

  /** Resolves when every request before has its response. */
  async #responded(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await this.#malformed.responded();
  }

  #register(): void {
    const connection = this.#connection;
    connection.onRequest("initialize", () => ({
      name: "bench",
      version: VERSION,
      build: buildIdentity("bench"),
      protocol: PROTOCOL,
      ir: IR_VERSION,
    }));
    for (const [name, method] of Object.entries(METHODS)) {
      this.#serve(name, method);
    }
    connection.onRequest((method: string) => {
      const message = `there is no method \`${method}\``;
      throw new ResponseError(ErrorCodes.MethodNotFound, message);
    });
    connection.onRequest("cancel", (params: unknown) => {
      const { id, now = false } = readParams(cancelParams, params);
      const found = this.#cancellations.get(id);
      found?.stop("SIGINT", now);
      return { found: found !== undefined };
    });
    connection.onRequest("shutdown", async () => {
      this.#ending = true;
      for (const each of this.#cancellations.all()) each.stop("SIGINT");
      await this.#last;
      return null;
    });
  }

  /** A method that has its turn after the requests before it. */
  #serve(name: string, { params: schema, body }: Method): void {
    this.#connection.onRequest(name, (...given: unknown[]) => {
      const token = given.pop() as CancellationToken;
      const params = given.length > 1 ? given : given[0];
      const cancellation = this.#cancellations.of(token);
      const { console } = this;
      const turn = this.#last.then(async () => {
        let leave = () => {};
        try {
          const read = readParams(schema, params);
          leave = enter(read.cwd);
          return await body(read, {
            cancellation,
            notify: this.#notify,
            console,
          });
        } catch (error) {
          throw failureOf(error);
        } finally {
          leave();
          cancellation.forget();
        }
      });
      this.#last = turn.catch(() => {});
      return turn;
    });
  }

  readonly #notify = (method: string, params: unknown) =>
    void this.#connection.sendNotification(method, params).catch(() => {});

  async #handle(
    message: Message,
    next: (message: Message) => void | Promise<void>,
  ): Promise<void> {
    if (!this.#malformed.accepts(message)) return;
    if (Message.isRequest(message)) {
      const responded = Promise.resolve(next(message));
      this.#underWay.add(responded);
      await responded.finally(() => this.#underWay.delete(responded));
      if (message.id !== null) this.#cancellations.get(message.id)?.forget();
      if (message.method === "shutdown") this.#ended.resolve(EXIT.held);
    } else await next(message);
  }
}
