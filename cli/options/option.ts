/** What the value of an option is. */
export type Kind =
  | {
    readonly type: "switch" | "off" | "text" | "texts" | "positive" | "share";
  }
  | { readonly type: "whole"; readonly min: number; readonly max: number }
  | { readonly type: "words"; readonly words: readonly string[] }
  /** `least` as a person writes it. */
  | {
    readonly type: "duration";
    readonly least: string;
    /** Programs may go below. */
    readonly leastOfProgram?: string;
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
  /** What the documentation says besides. */
  readonly more?: string;
  /** As a person writes it. */
  readonly fallback?: string;
  /** A command refuses to do without it. */
  readonly needed?: true;
  readonly short?: string;
  /** Its name as a parameter of `bench rpc`, where that is not its key. */
  readonly param?: string;
  /** Keys of options that do not go with it. */
  readonly conflicts?: string[];
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

function made<T, Given extends Extras>(
  option: Option,
  extras: Given | undefined,
): Made<T, Given> {
  return { ...option, ...extras } as unknown as Made<T, Given>;
}

/** A flag without a value. */
export function toggle(
  about: string,
  extras?: Pick<Option, "short" | "conflicts" | "more">,
): OptionOf<boolean, false> {
  return made<boolean, Record<never, never>>(
    { kind: { type: "switch" }, about },
    extras,
  );
}

/** A `--no-` flag: true without it. */
export function off(about: string): OptionOf<boolean, true> {
  return made({ kind: { type: "off" }, about }, { needed: true });
}

/** Any text. */
export function text<const Given extends Extras = Record<never, never>>(
  value: string,
  about: string,
  extras?: Given,
): Made<string, Given> {
  return made({ kind: { type: "text" }, value, about }, extras);
}

/** Texts: of a flag that may be repeated, or with `...` behind one flag. */
export function texts<const Given extends Extras = Record<never, never>>(
  value: string,
  about: string,
  extras?: Given,
): Made<string[], Given> {
  return made({ kind: { type: "texts" }, value, about }, extras);
}

/** A whole number. */
export function whole<const Given extends Extras = Record<never, never>>(
  value: string,
  [min, max]: readonly [number, number],
  about: string,
  extras?: Given,
): Made<number, Given> {
  return made({ kind: { type: "whole", min, max }, value, about }, extras);
}

/** A number above 0. */
export function positive(
  about: string,
  extras: Pick<Option, "more"> = {},
): OptionOf<number, false> {
  const kind = { type: "positive" } as const;
  return made<number, Record<never, never>>(
    { kind, value: "number", about },
    extras,
  );
}

/** A share: `5%` on the command line, 0.05 for programs. */
export function share<const Given extends Extras = Record<never, never>>(
  about: string,
  extras?: Given,
): Made<number, Given> {
  return made({ kind: { type: "share" }, value: "percent", about }, extras);
}

/** A time: `60s` on the command line and microseconds in commands, seconds for programs. */
export function duration<
  const Given extends Extras & { readonly leastOfProgram?: string },
>(
  least: string,
  about: string,
  { leastOfProgram, ...extras }: Given,
): Made<number, Given> {
  const kind = {
    type: "duration",
    least,
    ...(leastOfProgram !== undefined && { leastOfProgram }),
  } as const;
  return made<number, Given>(
    { kind, value: "duration", about },
    extras as unknown as Given,
  );
}

/** One of several words. */
export function words<
  const Word extends string,
  const Given extends Extras = Record<never, never>,
>(
  value: string,
  choices: readonly Word[],
  about: string,
  extras?: Given,
): Made<Word, Given> {
  return made(
    { kind: { type: "words", words: choices }, value, about },
    extras,
  );
}

/** Text that only the command line has, and what it means. */
export function own<T>(
  value: string,
  read: (text: string) => T,
  about: string,
  extras: Pick<Option, "more"> = {},
): OptionOf<T, false> {
  return made<T, Record<never, never>>(
    { kind: { type: "own", read }, value, about },
    extras,
  );
}

type Camel<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail> & string>}`
  : Key;

type Value<Each> = Each extends OptionOf<infer T, boolean> ? T : never;

/** What the command line gives a command that has these options. */
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
