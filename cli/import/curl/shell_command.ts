/** One command of a shell script. */
export interface ShellCommand {
  /** With `{{ env.NAME }}` where the shell would put a variable. */
  readonly words: readonly string[];
  /** 1-based, of its first word. */
  readonly line: number;
  /** What a here-document feeds into it. */
  readonly stdin?: string;
  /** Whether it reads what the command before it prints. */
  readonly piped: boolean;
}
