import { join } from "node:path";
import { workspace } from "./bench.ts";

/** A shell in which completion is tried, with a script in force. */
export interface ShellSession {
  readonly shell: "bash" | "zsh" | "fish";
  /** How the script came into force. */
  readonly way: string;
  readonly args: readonly string[];
  /** Where the script is, in the home directory. */
  readonly script: string;
  /** What the shell reads first. */
  readonly start: string;
  /** What it reads for a line that ends at the cursor. */
  ask(line: string): string;
  readonly end?: string;
  /** More files of the home directory. */
  readonly files?: Readonly<Record<string, string>>;
}

/*
 * In bash and zsh the line editor is asked to put everything it would list into
 * the line, and the line is run; `bench` is a function there that writes down
 * its arguments. fish has a command that says what it would list.
 */
const BASH: ShellSession = {
  shell: "bash",
  way: "sourced",
  args: ["--norc", "--noprofile", "-u", "-i"],
  script: "bench.bash",
  start: `PS1=; bind 'set match-hidden-files off'
eval "$(<~/bench.bash)"
bench() { printf '%s\\n' '<line>' "$@" >>~/offered; }`,
  ask: (line) => `${line}\x1b*`,
};

const ZSH: ShellSession = {
  shell: "zsh",
  way: "in a folder of $fpath",
  args: ["-f"],
  script: "functions/_bench",
  // zsh edits lines on terminals alone, so one zsh runs another in a terminal.
  start: `zmodload zsh/zpty
zpty inner zsh -d -i
ask() { zpty -w -n inner "$1" }`,
  ask: (line) => `ask ${quoted(`${line}\x10\x02\n`)}`,
  end: `ask $'exit\\n'; while zpty -r inner; do :; done >~/shown`,
  files: { ".zshrc": zshrc("") },
};

function zshrc(more: string): string {
  return `PS1= LISTMAX=1000; unset zle_bracketed_paste
fpath=(~/functions $fpath)
autoload -Uz compinit; compinit -u -D
${more}
bench() { print -rl -- '<line>' "$@" >>~/offered }
show() { zle list-choices; zle -R }
zle -N show
bindkey '^P' show
zle -C all complete-word _generic
bindkey '^B' all
zstyle ':completion:all::::' completer _all_matches _complete
zstyle ':completion:*:all-matches:*' insert true
`;
}

const FISH: ShellSession = {
  shell: "fish",
  way: "in its folder of completions",
  args: [],
  script: ".config/fish/completions/bench.fish",
  // It reads completions of commands that are there, and of no others.
  start: "function bench; end",
  ask: (line) =>
    `echo '<line>' >>~/offered; complete -C ${
      quoted(line)
    } | tee -a ~/shown | string replace -r '\\t.*' '' >>~/offered`,
};

export const SESSIONS: readonly ShellSession[] = [
  BASH,
  ZSH,
  {
    ...ZSH,
    way: "sourced",
    script: "script.zsh",
    files: { ".zshrc": zshrc("source ~/script.zsh") },
  },
  FISH,
];

/** A bash like the 3.2 of macOS, which lacks `compopt`. */
export const BASH_WITHOUT_COMPOPT: ShellSession = {
  ...BASH,
  start: `enable -n compopt\n${BASH.start}`,
};

/** What a shell printed. */
export interface Responses {
  /**
   * For each line the words on offer, without what is typed before them in the
   * same word, the slash after a folder and the sign after a flag.
   */
  readonly offers: readonly string[][];
  /** What zsh and fish show, with the descriptions. */
  readonly shown: string;
}

/**
 * Asks a real shell what it offers at the end of each line.
 *
 * @param script what `bench completions` printed
 * @param cwd where the shell is
 */
export async function askShell(
  session: ShellSession,
  script: string,
  lines: readonly string[],
  cwd: string,
): Promise<Responses> {
  using home = workspace({
    ...session.files,
    [session.script]: script,
    offered: "",
    shown: "",
  });
  const { start, ask, end = "" } = session;
  const child = new Deno.Command(session.shell, {
    args: [...session.args],
    cwd,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: home.path,
      TERM: "xterm",
      LC_ALL: "C.UTF-8",
    },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const text = [start, ...lines.map(ask), end, ""].join("\n");
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stderr } = await child.output();
  const read = (name: string) => Deno.readTextFileSync(join(home.path, name));
  const printed = read("offered").split("<line>\n").slice(1);
  if (printed.length !== lines.length) {
    throw new Error(
      `${session.shell} completed ${printed.length} of ${lines.length} lines:\n${
        new TextDecoder().decode(stderr)
      }`,
    );
  }
  return {
    offers: printed.map((text, index) =>
      newWords(text, lines[index]!, session)
    ),
    shown: read("shown"),
  };
}

/** What was typed is no offer. */
function newWords(
  response: string,
  line: string,
  { shell }: ShellSession,
): string[] {
  const typed = line.split(" ");
  const last = typed.at(-1);
  return response.split("\n").slice(shell === "fish" ? 0 : typed.length - 2)
    .filter((each) => each !== last && each !== "")
    .map((each) => each.replace(/^--[a-z-]+=(?=.)/, "").replace(/[/=]$/, ""));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
