import { rawServer } from "../support/raw_server.ts";
import type { Script } from "./random_script.ts";

/** A server that answers as the scripts say, and keeps what it gets. */
export interface ScriptServer {
  readonly url: string;
  /** What was received since the last `restart`, by flow. */
  received(flow: number): readonly string[];
  /** Plays these scripts from their beginning. */
  restart(scripts: readonly Script[]): void;
  close(): Promise<void>;
}

/** Starts one; every URL it gets says of which flow and step it is. */
export function scriptServer(): ScriptServer {
  let playing: readonly Script[] = [];
  let received = new Map<number, string[]>();
  let asked = new Map<string, number>();
  const server = rawServer(async (peer) => {
    for (;;) {
      const request = await peer.request();
      if (request === undefined) return;
      const [, flow, step = ""] = /^\S+ \S*?\/f(\d+)\/(s\d|token)/
        .exec(request) ?? [];
      const index = Number(flow);
      received.set(index, [...received.get(index) ?? [], request]);
      const turn = asked.get(`${flow} ${step}`) ?? 0;
      asked.set(`${flow} ${step}`, turn + 1);
      const answers = playing[index]!.answers[step]!;
      const { bytes, close } = answers[Math.min(turn, answers.length - 1)]!;
      if (bytes !== "") await peer.send(bytes);
      if (close) return;
    }
  });
  return {
    url: server.url,
    received: (flow) => received.get(flow) ?? [],
    restart(scripts) {
      playing = scripts;
      received = new Map();
      asked = new Map();
    },
    close: () => server.close(),
  };
}
