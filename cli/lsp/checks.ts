import {
  checkInputs,
  checkTarget,
  type InputFile,
  type World,
} from "../../lib/compile.ts";
import {
  type Diagnostic as Found,
  InputError,
} from "../../lib/base/text/diagnostic.ts";
import { readTargetFile } from "../inputs/input_files.ts";
import { MAX_FILE_BYTES } from "../../lib/language/source/source_text.ts";
import { systemWorld } from "../inputs/world.ts";
import type { Fixtures } from "./fixtures.ts";
import { type OpenFile, pathOf, type Workspace } from "./workspace.ts";

/** What a check of one file found. */
export interface Checked {
  readonly found: readonly Found[];
  /** The file, as the diagnostics name it. */
  readonly file: string;
  /** Absolute paths of the other files it looked at, there or not. */
  readonly read: ReadonlySet<string>;
}

/** Checks open files as `bench validate` does. */
export class Checks {
  /** The target that flows are checked against, by name or path. */
  target: string | undefined;

  constructor(readonly workspace: Workspace, readonly fixtures: Fixtures) {}

  /** Everything there is to say about an open file. Nothing is sent. */
  async check(open: OpenFile): Promise<Checked> {
    const { workspace } = this;
    const path = pathOf(open.uri);
    const file = path === undefined ? open.uri : workspace.shown(path);
    const input: InputFile = {
      file,
      form: "yaml",
      bytes: new TextEncoder().encode(open.source.getText()),
      directory: workspace.shown(workspace.folderOf(open.uri)),
    };
    const read = new Set<string>();
    const found = await this.#found(open, input, read);
    return { found, file, read };
  }

  async #found(
    open: OpenFile,
    input: InputFile,
    read: Set<string>,
  ): Promise<readonly Found[]> {
    try {
      if (open.language.kind === "target") {
        checkTarget(input);
        return [];
      }
      const target = await this.#target(input, read);
      const checked = await checkInputs(input, target, this.#world(read));
      return checked.warnings;
    } catch (error) {
      if (error instanceof InputError) return error.diagnostics;
      throw error;
    }
  }

  /** The machine, with the texts of open files, noting what is looked at. */
  #world(read: Set<string>): World {
    const { workspace, fixtures } = this;
    return {
      env: systemWorld.env,
      readBytes(path, most) {
        read.add(workspace.absolute(path));
        return workspace.readBytes(path, most);
      },
      readFixture(path, format) {
        read.add(workspace.absolute(path));
        return fixtures.read(path, format);
      },
    };
  }

  async #target(
    input: InputFile,
    read: Set<string>,
  ): Promise<InputFile | undefined> {
    if (this.target === undefined) return;
    const found = await readTargetFile(this.target, input);
    const path = this.workspace.absolute(found.file);
    read.add(path);
    return { ...found, bytes: this.workspace.readBytes(path, MAX_FILE_BYTES) };
  }
}
