import type { TypedValue } from "../../lib/model/result/failure.ts";
import { type Outcome, OUTCOMES } from "../../lib/model/outcome.ts";
import type { FailureGroup, RunMeta } from "../../lib/model/result/run.ts";
import { type Markup, markupOf, type Piece } from "../markup/jsx_runtime.ts";
import { sum } from "../../lib/base/values/sum.ts";
import { countText, runEnd } from "../../lib/results/report/figures.ts";
import type { Compared } from "../../lib/results/report/failure_texts.ts";

/*
 * The parts that pages share.
 */

/** A part of a page with a heading and an address (`#id`). */
export interface PageBlock {
  readonly id: string;
  readonly title: string;
  readonly content: Piece;
  /** Of the first screen, before the list of what else there is. */
  readonly lead?: true;
}

/** Blocks that a page may have, without those that have nothing to show. */
export function withContent(blocks: readonly PageBlock[]): PageBlock[] {
  return blocks.filter(({ content }) => markupOf(content) !== "");
}

/** Blocks under each other. */
export function Blocks({ of }: { of: readonly PageBlock[] }): Markup {
  return (
    <>
      {of.map(({ content, ...block }) => <Block {...block}>{content}</Block>)}
    </>
  );
}

/** A block with its heading. */
export function Block(
  { id, title, lead, children }: Omit<PageBlock, "content"> & {
    children?: Piece;
  },
): Markup {
  return (
    <section
      id={id}
      class={lead && "lead"}
      aria-labelledby={`${id}-h`}
    >
      <h2 id={`${id}-h`}>{title}</h2>
      {children}
    </section>
  );
}

/** The way to each block of a page. */
export function Contents({ of }: { of: readonly PageBlock[] }): Markup {
  return (
    <nav id="contents" class="contents" aria-label="On this page">
      {of.map(({ id, title }) => (
        <>
          <a href={`#${id}`}>{title}</a>
          {" "}
        </>
      ))}
    </nav>
  );
}

/** Words with what they stand for. */
export function Facts(
  { of }: { of: readonly (readonly [name: Piece, value: Piece])[] },
): Markup {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The ways to the other pages of a list; nothing of a list on one page. */
export function Pager(
  { label, page, pages, words: [before, after], address }: {
    label: string;
    page: number;
    pages: number;
    words: readonly [before: string, after: string];
    address: (page: number) => string;
  },
): Markup | undefined {
  if (pages === 1) return;
  const to = (at: number, title: string) =>
    at < 1 || at > pages
      ? <span class="off">{title}</span>
      : <a href={address(at)}>{title}</a>;
  return (
    <nav class="pager" aria-label={label}>
      {to(page - 1, before)} page {page} of {pages} {to(page + 1, after)}
    </nav>
  );
}

/** Takes the place of a block whose file cannot be read. */
export function Unreadable({ error }: { error: string }): Markup {
  return (
    <p class="unreadable">
      <strong>✗ Not readable.</strong> {withCode(error)}
    </p>
  );
}

/**
 * Takes the place of something that is written when a run ends.
 *
 * @param what as a sentence begins: `The time series is`
 */
export function NotWritten(
  { meta: { status, ended_at }, what }: { meta: RunMeta; what: string },
): Markup {
  const why = status === "running"
    ? "not there yet."
    : ended_at === null
    ? "not there: the run was killed too early."
    : "not in the run's directory.";
  return <p class="empty">{what} {why}</p>;
}

/** Takes the place of traces where there are none. */
export function NoTraces({ meta }: { meta: RunMeta }): Markup {
  return meta.ended_at === null
    ? <NotWritten meta={meta} what="Traces are" />
    : <p class="empty">No trace was kept: no iteration ended.</p>;
}

/** Says which parts of a filter choose nothing. */
export function IgnoredFields(
  { of }: { of: readonly string[] },
): Markup | undefined {
  if (of.length === 0) return;
  return (
    <p class="note">
      The filter ignores what it cannot use: {of.join(", ")}.
    </p>
  );
}

/** Takes the place of traces where a filter leaves none; `all` is without it. */
export function NoTraceFits({ all }: { all: string }): Markup {
  return (
    <p class="empty">
      No trace fits. <a href={all}>Show all</a>
    </p>
  );
}

/** An outcome, or what it means here, as sign and word; its colour only repeats them. */
export function OutcomeSign(
  { outcome, children = outcome }: { outcome: Outcome; children?: Piece },
): Markup {
  return (
    <span class={`outcome ${outcome}`}>
      <span aria-hidden="true">{OUTCOMES[outcome].sign}</span> {children}
    </span>
  );
}

/** A run's verdict as sign and word; its colour only repeats them. */
export function VerdictSign({ meta }: { meta: RunMeta }): Markup {
  const { kind, sign, word } = runEnd(meta);
  return (
    <span class={`verdict ${kind}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** Text with the names in backticks as code; a backtick without another stays. */
export function withCode(text: string): (string | Markup)[] {
  return text.split(/(`[^`\n]+`)/).map((part, index) =>
    index % 2 === 1 ? <code>{part.slice(1, -1)}</code> : part
  );
}

/** A moment: UTC, and the reader's own time once scripts have run. */
export function Moment({ at }: { at: string }): Markup {
  const text = at.replace("T", " ").replace(/\.\d+Z$/, " UTC");
  return <time datetime={at} title={text}>{text}</time>;
}

/** Where something of a flow is written, as far as that is known. */
export function Location(
  { of }: {
    of: Partial<Pick<FailureGroup, "file" | "line" | "column">> | undefined;
  },
): Markup | undefined {
  if (of?.file === undefined) return;
  return <code>{of.file}:{of.line}:{of.column}</code>;
}

/** A choice in a form. */
export function Select(
  { name, title, id, options, chosen }: {
    name: string;
    /** The field's name when absent. */
    title?: string;
    id?: string;
    options: readonly (readonly [value: string, title: string])[];
    chosen: string | null | undefined;
  },
): Markup {
  return (
    <label>
      {title ?? name}{" "}
      <select name={name} id={id}>
        {options.map(([value, title]) => (
          <option value={value} selected={value === (chosen ?? "")}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The expected and the actual value. */
export function difference(failure: Compared): Markup | undefined {
  const { expected, actual } = failure;
  if (!expected && !actual) return;
  return (
    <dl class="difference">
      {expected && (
        <div>
          <dt>expected</dt>
          <dd>{typed(expected)}</dd>
        </div>
      )}
      {actual && (
        <div>
          <dt>actual</dt>
          <dd>{failure.values ? counted(failure) : typed(actual)}</dd>
        </div>
      )}
    </dl>
  );
}

/** The values that came most often, each with how often. */
function counted({ actual, values = [], count = 1 }: Compared): Markup {
  const named = sum(values, (each) => each.count);
  return (
    <>
      <span class="type">{actual?.type}</span>
      {values.map(({ text, count }, at) => (
        <>
          {at > 0 && ", "}
          <code>{text}</code>
          {` (${countText(count)})`}
        </>
      ))}
      {named < count && " and others"}
    </>
  );
}

function typed({ type, text, operator }: TypedValue): Markup {
  return (
    <>
      {operator !== undefined && <code>{operator}</code>}
      <span class="type">{type}</span>
      {text !== "" && <code>{text}</code>}
    </>
  );
}
