/** The kind of an option's value. */
export type Kind =
  | {
    readonly type:
      | "switch"
      | "off"
      | "text"
      | "texts"
      | "positive"
      | "percentage";
  }
  | { readonly type: "whole"; readonly min: number; readonly max: number }
  | { readonly type: "words"; readonly words: readonly string[] }
  /** As a person writes it. */
  | {
    readonly type: "duration";
    readonly least: string;
    readonly leastOfProgram: string;
  }
  /** A form that only the command line has. */
  | { readonly type: "own"; readonly read: (text: string) => unknown };

/**
 * One option, stated once: the flag of a command, the parameter of `bench rpc`,
 * what shells complete and what the documentation says.
 */
export interface Option {
  readonly kind: Kind;
  /** Stands for the value in `--help`; what completes it goes by that. */
  readonly value?: string;
  /** A line for `--help`. */
  readonly about: string;
  /** More for the documentation. */
  readonly more?: string;
  /** As a person writes it. */
  readonly fallback?: string;
  /** A command refuses to do without it. */
  readonly needed?: true;
  readonly short?: string;
  /** Its name as a parameter of `bench rpc`, where that is not its key. */
  readonly param?: string;
  /** The heading it is listed under in `--help`; that of all options when absent. */
  readonly group?: string;
  /** Keys of options that do not go with it. */
  readonly conflicts?: string[];
  /** Its value is a file that is written: no other option names the same. */
  readonly writes?: true;
  /** The key of the option without which it has no effect. */
  readonly needs?: string;
}

/** The options of a command by their keys: `stop_on_breach` is `--stop-on-breach`. */
export type Options = Readonly<Record<string, Option>>;

declare const TYPE: unique symbol;

/** An option with the type of its value, and whether it always has one. */
interface OptionOf<T, Always extends boolean> extends Option {
  readonly [TYPE]: readonly [value: T, always: Always];
}

type Extras = Omit<Option, "kind" | "value" | "about">;

type Made<T, Given extends Extras> = OptionOf<
  T,
  Given extends { readonly fallback: string } | { readonly needed: true } ? true
    : false
>;

/** Makes options of one kind, whose value is a `T`. */
interface Maker<T> {
  <const Given extends Extras = Record<never, never>>(
    value: string,
    about: string,
    extras?: Given,
  ): Made<T, Given>;
}

function maker<T>(kind: Kind): Maker<T> {
  return (value, about, extras) => ({ kind, value, about, ...extras }) as never;
}

/** A flag without a value. */
export function toggle(
  about: string,
  extras?: Pick<Option, "short" | "conflicts" | "more" | "needs">,
): OptionOf<boolean, false> {
  return { kind: { type: "switch" }, about, ...extras } as never;
}

/** A `--no-` flag: true without it. */
export function off(about: string): OptionOf<boolean, true> {
  return { kind: { type: "off" }, about, needed: true } as never;
}

/** Any text. */
export const text: Maker<string> = maker({ type: "text" });

/** Texts: of a flag that may be repeated, or with `...` behind one flag. */
export const texts: Maker<string[]> = maker({ type: "texts" });

/** A number above 0. */
export const positive: Maker<number> = maker({ type: "positive" });

/** A percentage: `5%` on the command line, 0.05 for programs. */
export const percentage: Maker<number> = maker({ type: "percentage" });

/** A whole number. */
export function whole(min: number, max: number): Maker<number> {
  return maker({ type: "whole", min, max });
}

/** A number without a fraction, below 0 too, as far as a double has every one. */
export const integer: Maker<number> = whole(
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
);

/**
 * A time: `60s` on the command line and microseconds in commands, seconds for programs.
 *
 * @param leastOfProgram programs may go below `least`
 */
export function duration(
  least: string,
  leastOfProgram: string = least,
): Maker<number> {
  return maker({ type: "duration", least, leastOfProgram });
}

/** One of several words. */
export function words<const Word extends string>(
  choices: readonly Word[],
): Maker<Word> {
  return maker({ type: "words", words: choices });
}

/** Text that only the command line has, and what it means. */
export function own<T>(read: (text: string) => T): Maker<T> {
  return maker({ type: "own", read });
}

/** Options under a heading of their own in `--help`. */
export function grouped<Table extends Options>(
  group: string,
  options: Table,
): Table {
  const all = Object.entries(options)
    .map(([key, option]) => [key, { ...option, group }]);
  return Object.fromEntries(all) as Table;
}

type Camel<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail> & string>}`
  : Key;

type Value<Each> = Each extends OptionOf<infer T, boolean> ? T : never;

/** The values that the command line gives a command with these options. */
export type FlagsOf<Table> =
  & {
    readonly [
      Key in keyof Table as Table[Key] extends OptionOf<infer _, true>
        ? Camel<Key>
        : never
    ]: Value<Table[Key]>;
  }
  & {
    readonly [
      Key in keyof Table as Table[Key] extends OptionOf<infer _, false>
        ? Camel<Key>
        : never
    ]?: Value<Table[Key]>;
  };
