const SUBJECT = "(\\$.*|(?!latency\\b)[A-Za-z_][^\\s=!<>]*)";
const TEMPLATE = "(['\"]?)\\s*\\{\\{[^{}]+\\}\\}\\s*['\"]?";
const DURATION = "['\"]?\\d+(\\.\\d+)?(us|ms|s|m|h)['\"]?";

/** The rough shape of an assertion as a regular expression, for editors. */
export const ASSERTION_PATTERN = "^\\s*(" +
  [
    `latency\\s*((==|!=|<=?|>=?)\\s*(${DURATION}|${TEMPLATE})|!=\\s*null)\\s*$`,
    `${SUBJECT}\\s*(==|!=|<=?|>=?|contains)\\s*${TEMPLATE}\\s*$`,
    `${SUBJECT}\\s*(==|!=|<=?|>=?|contains|matches)\\s*(?![\\s\\S]*\\{\\{)\\S`,
    "(\\$.*|[A-Za-z_]\\S*)\\s+(exists|not_exists)\\s*$",
  ].join("|") + ")";
