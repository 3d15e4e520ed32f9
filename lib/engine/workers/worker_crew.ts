import type { AuthError } from "../../steps/auth/scheme.ts";
import type { TokenKeeper } from "../../steps/auth/tokens.ts";
import { StepError } from "../vu/job.ts";
import type { SharedMemory } from "../schedule/shared.ts";
import type { Stop } from "../vu/stop.ts";
import type { Progress } from "../../results/record/recorder.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { Crew, CrewTask, ThreadReport } from "./crew.ts";
import type { HeldBack } from "./held_back.ts";
import type { FromWorker, TaskData, ToWorker } from "./message.ts";

/** What a crew of workers needs of the main thread. */
export interface WorkerTools {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly workers: number;
  readonly registerSecret: (value: string) => void;
  /** Fetches for all of them. */
  readonly tokens: TokenKeeper;
  /** What the workers share, and this thread where it sends requests. */
  readonly memory: SharedMemory;
  /** Of this thread's requests. */
  readonly held: HeldBack;
  /** Ends what the main thread holds for them. */
  readonly close: () => void;
}

/** One worker, and what it has said so far. */
interface Member {
  readonly worker: Worker;
  readonly ready: PromiseWithResolvers<void>;
  readonly done: PromiseWithResolvers<ThreadReport>;
  progress: Progress | undefined;
}

/** Threads are begun together, this long after the last one is ready. */
const LEAD_MS = 5;

/** A crew of worker threads, each with its share of the plan. */
export class WorkerCrew implements Crew {
  readonly #members: Member[] = [];

  constructor(readonly task: CrewTask, readonly tools: WorkerTools) {
    const cut = () => this.#tell({ type: "cut" });
    tools.stop.signal.addEventListener("abort", cut, { once: true });
  }

  async prepare(): Promise<void> {
    const { workers: count, stop, memory } = this.tools;
    const task = taskData(this.task);
    for (let index = 0; index < count; index++) {
      const member = this.#hire(index);
      send(member.worker, {
        type: "prepare",
        task,
        shard: { index, count },
        memory,
        stop: stop.memory,
      });
    }
    await Promise.all(this.#members.map((each) => each.ready.promise));
  }

  async run(): Promise<readonly ThreadReport[]> {
    const startsAt = this.tools.clock.wall() + LEAD_MS;
    this.#tell({ type: "run", startsAt });
    const [first, ...others] = await Promise.all(
      this.#members.map((each) => each.done.promise),
    );
    const generator = this.tools.held.joined(first!.generator);
    return [{ ...first!, generator }, ...others];
  }

  progress(): readonly Progress[] {
    return this.#members.flatMap(({ progress }) => progress ?? []);
  }

  close(): void {
    for (const { worker } of this.#members) worker.terminate();
    this.tools.close();
  }

  #hire(index: number): Member {
    const member: Member = {
      worker: new Worker(new URL("./worker.ts", import.meta.url), {
        type: "module",
        name: `bench-${index}`,
      }),
      ready: Promise.withResolvers(),
      done: Promise.withResolvers(),
      progress: undefined,
    };
    // Whoever fails first is reported; nobody may be left unhandled.
    member.ready.promise.catch(() => {});
    member.done.promise.catch(() => {});
    member.worker.onmessage = ({ data }) => this.#hear(member, data);
    member.worker.onerror = (event) => {
      event.preventDefault();
      fail(member, new Error(event.message));
    };
    this.#members.push(member);
    return member;
  }

  #hear(member: Member, message: FromWorker): void {
    switch (message.type) {
      case "ready":
        return member.ready.resolve();
      case "refused":
        return fail(
          member,
          new StepError(message.pointer, new Error(message.message)),
        );
      case "progress":
        member.progress = message.progress;
        return;
      case "secret":
        return this.tools.registerSecret(message.value);
      case "token":
        return void this.#lease(member.worker, message);
      case "done":
        return member.done.resolve(message.report);
      case "broken":
        return fail(member, new Error(message.message));
    }
  }

  async #lease(
    worker: Worker,
    { id, request, old }: Extract<FromWorker, { type: "token" }>,
  ): Promise<void> {
    try {
      const lease = await this.tools.tokens.lease(request, old);
      send(worker, { type: "token", id, lease });
    } catch (error) {
      const { code = "token-fetch", message, retryInMs } = error as AuthError;
      send(worker, {
        type: "token",
        id,
        error: { code, message, ...(retryInMs !== undefined && { retryInMs }) },
      });
    }
  }

  #tell(message: ToWorker): void {
    for (const { worker } of this.#members) send(worker, message);
  }
}

function taskData({ fixtures, ...task }: CrewTask): TaskData {
  return {
    ...task,
    fixtures: [...fixtures].map(([pool, { columns, cells }]) => [
      pool,
      { columns, cells },
    ]),
  };
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

function fail(member: Member, error: Error): void {
  member.ready.reject(error);
  member.done.reject(error);
}
