import { DURATION_PATTERN } from "../../base/values/duration.ts";
import { OPERATORS } from "./assertion_ir.ts";

const any = (words: readonly string[]) => `(?:${words.join("|")})`;

const SUBJECT = "(\\$.*|(?!latency\\b)[A-Za-z_][^\\s=!<>]*)";
const TEMPLATE = "(['\"]?)\\s*\\{\\{[^{}]+\\}\\}\\s*['\"]?";
const DURATION = `['"]?${DURATION_PATTERN}['"]?`;
const SYMBOL = any(OPERATORS.filter((each) => !/[a-z]/.test(each)));
/** A pattern is written out. */
const WITH_TEMPLATE = any(OPERATORS.filter((each) => each !== "matches"));

/** The rough shape of an assertion as a regular expression, for editors. */
export const ASSERTION_PATTERN = "^\\s*(" +
  [
    `latency\\s*(${SYMBOL}\\s*(${DURATION}|${TEMPLATE})|!=\\s*null)\\s*$`,
    `${SUBJECT}\\s*${WITH_TEMPLATE}\\s*${TEMPLATE}\\s*$`,
    `${SUBJECT}\\s*${any(OPERATORS)}\\s*(?![\\s\\S]*\\{\\{)\\S`,
    "(\\$.*|[A-Za-z_]\\S*)\\s+(exists|not_exists)\\s*$",
  ].join("|") + ")";
