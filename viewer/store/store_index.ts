import {
  FILES,
  isRunId,
  StoreError,
  storeError,
} from "../../lib/results/store/layout.ts";
import { readMeta } from "../../lib/results/store/reader.ts";
import type { Clock } from "../../lib/base/time/clock.ts";
import type { Listed } from "../model/run_list.ts";
import { Memory, stampOf } from "./file_memory.ts";
import { RunDirectory } from "./run_directory.ts";

/** Directories looked into at a time. */
const AT_ONCE = 32;

/** Ended runs that one list looks at again: the newest, and as many in turn. */
const NEWEST = 100;
const IN_TURN = 1_000;

/**
 * Runs by when they began. A directory may have been renamed, so its name only
 * says when where `meta.json` does not.
 */
function newestFirst(runs: readonly Listed[]): Listed[] {
  const began = ({ id, meta }: Listed) =>
    meta ? meta.started_at.replaceAll(/[-:]/g, "") : id;
  return runs.map((run) => ({ run, at: began(run) }))
    .sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0)
    .map(({ run }) => run);
}

/**
 * A store as the viewer reads it. `meta.json` of each run is read once and
 * again when it changes, so that a list over thousands of runs stays fast. In a
 * list of more runs than it looks at, a change to one that has ended may wait for
 * a later view; its own page always has it.
 */
export class StoreIndex {
  readonly #known = new Map<string, { stamp: string; listed: Listed }>();
  readonly #open = new Memory<RunDirectory>(8);

  #first: Promise<void> | undefined;
  #turn = 0;

  constructor(readonly storeDir: string, readonly clock: Clock) {}

  /**
   * Every run, newest first. Directories that neither have a run's name nor a
   * `meta.json` are left out.
   *
   * @throws {StoreError} when the store itself cannot be read
   */
  async list(): Promise<Listed[]> {
    await this.#first;
    return await this.#list();
  }

  /** Reads the store before anybody asks: of thousands of runs it takes a second. */
  readAhead(): void {
    const done = () => {};
    this.#first = this.#list().then(done, done);
  }

  async #list(): Promise<Listed[]> {
    const names = await this.#names();
    const isDue = this.#nextTurn(names.length);
    const found: (Listed | undefined)[] = new Array(names.length);
    let next = 0;
    const look = async () => {
      for (let i = next++; i < names.length; i = next++) {
        const name = names[i]!;
        // Of thousands of runs nearly all: without a promise for each.
        const known = isDue(i)
          ? this.#unchanged(name)
          : this.#known.get(name)?.listed;
        found[i] = known ?? await this.#look(name);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
    const there = new Set(names);
    for (const name of this.#known.keys()) {
      if (!there.has(name)) this.#known.delete(name);
    }
    return newestFirst(found.filter((each) => each !== undefined));
  }

  /** Which of so many runs, newest first, are looked at this time. */
  #nextTurn(count: number): (index: number) => boolean {
    const from = this.#turn < count ? this.#turn : 0;
    this.#turn = from + IN_TURN;
    return (index) => index < NEWEST || index >= from && index < this.#turn;
  }

  /** One run; undefined when the store has none of that name. */
  async find(id: string): Promise<Listed | undefined> {
    // The name is only compared, never made into a path, until it is known.
    if (!(await this.#names()).includes(id)) return;
    return this.#unchanged(id) ?? this.#look(id);
  }

  /** The files of a run, kept at hand between requests. */
  open(listed: Listed): RunDirectory {
    const run = this.#open.get(listed.dir, () => new RunDirectory(listed.dir));
    // A run that has just begun has no steps yet.
    if (listed.meta) run.meta = listed.meta;
    return run;
  }

  async #names(): Promise<string[]> {
    const names: string[] = [];
    try {
      for await (const entry of Deno.readDir(this.storeDir)) {
        // A symbolic link is no directory here, so none is followed.
        if (entry.isDirectory && !entry.name.startsWith(".")) {
          names.push(entry.name);
        }
      }
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw storeError(`Cannot read the run store \`${this.storeDir}\``, error);
    }
    return names.sort().reverse();
  }

  #unchanged(id: string): Listed | undefined {
    const known = this.#known.get(id);
    try {
      const same = known &&
        stampOf(known.listed.dir, FILES.meta)?.stamp === known.stamp;
      return same ? known.listed : undefined;
    } catch {
      return; // The reader reports it.
    }
  }

  async #look(id: string): Promise<Listed | undefined> {
    const dir = `${this.storeDir}/${id}`;
    try {
      const file = stampOf(dir, FILES.meta);
      if (!file) {
        return isRunId(id)
          ? { id, dir, error: `\`${dir}\` has no meta.json`, incomplete: true }
          : undefined;
      }
      const listed = {
        id,
        dir,
        // A copy goes by its own name, so that links of its pages lead to it.
        meta: { ...await readMeta(dir, this.clock.wall()), id },
      };
      // The status of a run that is going on also depends on the hour.
      if (listed.meta.status !== "running") {
        this.#known.set(id, { stamp: file.stamp, listed });
      }
      return listed;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { id, dir, error: error.message };
    }
  }
}
