/** Words for a credential at the end of a name, in snake case. */
const WORDS =
  "token|jwt|password|passwd|passphrase|secret|(?:api|access|private)_?key|authorization|cookie|credentials?";

const NAME = new RegExp(`(?:^|_)(?:${WORDS})$`);
const PARAMETER = new RegExp(
  `(?:^|_)(?:${WORDS}|key|auth|pwd|sig|signature|sid|code)$`,
);

/** Whether people keep credentials under such a key: `api_key`, `X-Auth-Token`, `clientSecret`. */
export function namesCredential(name: string): boolean {
  return NAME.test(snakeCase(name));
}

/** The same of a query parameter, where shorter names are usual. */
export function parameterNamesCredential(name: string): boolean {
  return PARAMETER.test(snakeCase(name));
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").replaceAll("-", "_")
    .toLowerCase();
}
