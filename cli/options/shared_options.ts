import { type Command, Option } from "commander";
import { HTTP_CHOICES } from "../../lib/model/result/http_version.ts";
import { MODES } from "../../lib/model/mode.ts";

/** All values of a flag that may be given more than once. */
export function repeated(
  value: string,
  before: readonly string[] = [],
): string[] {
  return [...before, value];
}

/** Not a `requiredOption`: that would hide that `--traget` is misspelt. */
export function withTarget(command: Command): Command {
  const flags = "--target <name|file>";
  return command.option(flags, "target file, by name or path (required)")
    .hook("preAction", (_, action) => {
      if (action.opts()["target"] !== undefined) return;
      action.error(`error: required option '${flags}' not specified`);
    });
}

/** Certificates and keys. */
export function withTls(command: Command): Command {
  return command
    .option("--cacert <file>", "PEM file of a certificate authority to trust")
    .option("--cert <file>", "PEM file of a client certificate (with --key)")
    .option("--key <file>", "PEM file of the client certificate's key")
    .option("--insecure", "do not verify certificates");
}

/** `--mode`. */
export function modeOption(): Option {
  return new Option("--mode <mode>", "in place of the profile's mode")
    .choices(MODES);
}

/** `--http`. */
export function httpOption(): Option {
  return new Option(
    "--http <version>",
    "HTTP version; auto lets the server choose over TLS",
  ).choices(HTTP_CHOICES).default("auto");
}
