import {
  type CancellationToken,
  createMessageConnection,
  ErrorCodes,
  Message,
  type MessageConnection,
  type MessageWriter,
  ResponseError,
} from "vscode-jsonrpc";
import type { GenericSchema, InferOutput } from "valibot";
import { EXIT } from "../../lib/base/errors/exit.ts";
import { exitCode } from "../../lib/results/report/exit_code.ts";
import { IR_VERSION } from "../../lib/language/flow/flow.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { buildIdentity } from "../../lib/base/values/build.ts";
import { VERSION } from "../../lib/base/values/version.ts";
import type { Console } from "../terminal/console.ts";
import { Cancellations } from "./cancellation.ts";
import { compile, plan, rows, validate } from "./checks.ts";
import { failureOf } from "./failures.ts";
import { enter } from "./inputs.ts";
import { MalformedInput } from "./malformed.ts";
import { capacityRequest } from "./capacity.ts";
import { duelRequest } from "./duel.ts";
import {
  cancelParams,
  capacityParams,
  compareParams,
  compileParams,
  duelParams,
  mergeParams,
  planParams,
  readParams,
  replayParams,
  runParams,
  validateParams,
} from "./params.ts";
import { compare } from "./compare.ts";
import { merge } from "./merge.ts";
import { replayRequest } from "./replay.ts";
import { type Notify, run } from "./run.ts";
import { stdinMessages, stdoutMessages } from "./stdio.ts";

/** Of the messages; docs/rpc.md is its contract. */
const PROTOCOL = 1;

/** One client and what it asked for. */
export class Session {
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

  /** @param console its `out` must not be standard output */
  constructor(readonly console: Console) {
    const reader = stdinMessages();
    this.#malformed = new MalformedInput(reader, this.#writer);
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
    this.#ended.resolve(signal === "SIGHUP" ? EXIT.held : exitCode({ signal }));
  }

  /** Resolves when every request before has its response. */
  async #responded(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  #register(): void {
    const connection = this.#connection;
    const notify = (method: string, params: unknown) =>
      void connection.sendNotification(method, params).catch(() => {});
    connection.onRequest("initialize", () => ({
      name: "bench",
      version: VERSION,
      build: buildIdentity("bench"),
      protocol: PROTOCOL,
      ir: IR_VERSION,
    }));
    this.#serve(
      "compile",
      compileParams,
      (params) => compile(params, this.console),
    );
    this.#serve(
      "validate",
      validateParams,
      (params) => validate(params, this.console),
    );
    this.#serve(
      "rows",
      compileParams,
      (params) => rows(params, this.console),
    );
    this.#serve("plan", planParams, (params) => plan(params, this.console));
    this.#serve(
      "run",
      runParams,
      (params, token) =>
        run(params, this.#cancellations.of(token), notify, this.console),
    );
    this.#registerJudging(notify);
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

  /** Methods that judge runs, stored ones and their own. */
  #registerJudging(notify: Notify): void {
    this.#serve("compare", compareParams, compare);
    this.#serve("merge", mergeParams, merge);
    this.#serve(
      "duel",
      duelParams,
      (params, token) =>
        duelRequest(params, this.#cancellations.of(token), this.console),
    );
    this.#serve("capacity", capacityParams, (params, token) => {
      const cancellation = this.#cancellations.of(token);
      return capacityRequest(params, cancellation, notify, this.console);
    });
    this.#serve(
      "replay",
      replayParams,
      (params) => replayRequest(params, this.console),
    );
  }

  /** A method that has its turn after the requests before it. */
  #serve<Schema extends GenericSchema<unknown, { readonly cwd?: string }>>(
    method: string,
    schema: Schema,
    body: (
      params: InferOutput<Schema>,
      token: CancellationToken,
    ) => Promise<unknown>,
  ): void {
    this.#connection.onRequest(method, (...given: unknown[]) => {
      const token = given.pop() as CancellationToken;
      const params = given.length === 1 ? given[0] : undefined;
      const turn = this.#last.then(async () => {
        let leave = () => {};
        try {
          const read = readParams(schema, params);
          leave = enter(read.cwd);
          return await body(read, token);
        } catch (error) {
          throw failureOf(error);
        } finally {
          leave();
          this.#cancellations.of(token).forget();
        }
      });
      this.#last = turn.catch(() => {});
      return turn;
    });
  }

  async #handle(
    message: Message,
    next: (message: Message) => void | Promise<void>,
  ): Promise<void> {
    if (Message.isRequest(message)) {
      const responded = Promise.resolve(next(message));
      this.#underWay.add(responded);
      await responded.finally(() => this.#underWay.delete(responded));
      if (message.id !== null) this.#cancellations.get(message.id)?.forget();
      if (message.method === "shutdown") this.#ended.resolve(EXIT.held);
    } else if (this.#malformed.accepts(message)) await next(message);
  }
}
