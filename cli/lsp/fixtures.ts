import { type Fixture, readFixture, type World } from "../../lib/compile.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import type { Workspace } from "./workspace.ts";

/** Larger fixtures are not read while a flow is written. */
const MAX_BYTES = 8 << 20;

type Read = NonNullable<World["readFixture"]>;

/** Fixtures by path, each read once a version. */
export class Fixtures {
  readonly #known = new Map<
    string,
    {
      readonly stamp: string;
      readonly result: Fixture | InputError | undefined;
    }
  >();

  constructor(readonly workspace: Workspace) {}

  /** As `World.readFixture`. */
  readonly read: Read = (path, format) => {
    const key = `${format} ${this.workspace.absolute(path)}`;
    const { stamp, size } = this.workspace.stamp(path);
    let known = this.#known.get(key);
    if (known?.stamp !== stamp) {
      const result = size > MAX_BYTES ? undefined : this.#load(path, format);
      known = { stamp, result };
      this.#known.set(key, known);
    }
    if (known.result instanceof InputError) throw known.result;
    return known.result;
  };

  /** The columns of a fixture; none when it cannot be read. */
  columns(path: string): readonly string[] {
    try {
      return this.read(path, /\.json$/i.test(path) ? "json" : "csv")?.columns ??
        [];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  }

  #load(...[path, format]: Parameters<Read>) {
    try {
      return readFixture(
        path,
        format,
        (path, most) => this.workspace.readBytes(path, most),
      );
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
  }
}
