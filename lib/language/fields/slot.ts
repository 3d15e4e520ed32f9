import { type Diagnostic, isError } from "../../base/text/diagnostic.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import { child } from "../../base/values/pointer.ts";
import {
  describe,
  type MapNode,
  type Node,
  type ScalarNode,
} from "../source/node.ts";
import type { Reader } from "../source/reader.ts";

/** What is said of a value; of all of it when there is no `at`. */
type Said = Omit<Diagnostic, "at"> & { readonly at?: SourceLocation };

/** One value of a file: what is written, where it goes, and what messages call it. */
export class Slot {
  /**
   * @param pointer JSON Pointer of the value in the IR
   * @param what such as "`interval`"
   */
  constructor(
    readonly node: Node,
    readonly pointer: string,
    readonly what: string,
    readonly reader: Reader,
  ) {}

  /** A part of the value. */
  below(key: string | number, node: Node, what = ""): Slot {
    return new Slot(node, child(this.pointer, key), what, this.reader);
  }

  /** Notes where the value was written, and reads it. */
  read<T>(value: { read(slot: Slot): T }): T {
    this.reader.locate(this.pointer, this.node.at);
    return value.read(this);
  }

  /** Where a part of a scalar was written. */
  inside(part: number | string, length?: number): SourceLocation {
    return this.reader.inside(this.node, part, length);
  }

  report({ at = this.node.at, ...said }: Said): undefined {
    if (isError(said)) this.reader.markWrong(this.pointer);
    this.reader.report({ at, ...said });
  }

  /**
   * Reports what the value must be and what it is.
   *
   * @param expected such as "`vus` must be a whole number"
   */
  refuse(
    code: string,
    expected: string,
    hint?: string,
    is: string = describe(this.node),
  ): undefined {
    return this.report({ code, message: `${expected}, but it is ${is}`, hint });
  }

  /**
   * The same for a value of another type. The first YAML trap is explained:
   * `{{ x }}` without quotes is a mapping to YAML.
   */
  wrongType(expected: string, hint?: string): undefined {
    const template = this.node.kind === "map" && this.node.unquotedTemplate;
    if (!template) return this.refuse("wrong-type", expected, hint);
    return this.report({
      code: "unquoted-template",
      message: `YAML reads an unquoted ${template} as a mapping`,
      hint: `quote this template: "${template}"`,
    });
  }

  /** A mapping; refuses the others, and an unquoted template. */
  map(expected: string, hint?: string): MapNode | undefined {
    const { node } = this;
    return node.kind === "map" && !node.unquotedTemplate
      ? node
      : this.wrongType(expected, hint);
  }

  /** A scalar; refuses lists and mappings. */
  scalar(expected: string): ScalarNode | undefined {
    const { node } = this;
    return node.kind === "scalar" ? node : this.wrongType(expected);
  }
}
