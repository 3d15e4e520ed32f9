/** A variable of the environment that a written flow reads. */
export interface EnvVariable {
  readonly name: string;
  /** Where its value stood, for `.env.example`. */
  readonly about: string;
}

/** Gives each credential a variable; equal values have the same one. */
export class EnvNames {
  readonly #byValue = new Map<string, string>();
  readonly #about = new Map<string, string>();

  /** All that were asked for, in that order. */
  get variables(): EnvVariable[] {
    return [...this.#about].map(([name, about]) => ({ name, about }));
  }

  /** Notes variables that a text names already, such as `$TOKEN` of a shell. */
  noteAll(text: string, about: string): void {
    for (const [, name] of text.matchAll(ENV_TEMPLATE)) {
      if (!this.#about.has(name!)) this.#about.set(name!, about);
    }
  }

  /**
   * The template that stands for a credential. A text that is a variable
   * already stays as it is.
   *
   * @param likeness what the variable is called, if nothing else is
   */
  templateOf(value: string, likeness: string, about: string): string {
    if (WHOLE_TEMPLATE.test(value)) {
      this.noteAll(value, about);
      return value;
    }
    const name = this.#byValue.get(value) ?? this.#newName(likeness);
    this.#byValue.set(value, name);
    if (!this.#about.has(name)) this.#about.set(name, about);
    return `{{ env.${name} }}`;
  }

  /** Credentials seen so far, longest first. */
  get values(): readonly (readonly [value: string, name: string])[] {
    return [...this.#byValue].sort(([a], [b]) => b.length - a.length);
  }

  #newName(likeness: string): string {
    const base = envName(likeness);
    for (let count = 1;; count++) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (!this.#about.has(name)) return name;
    }
  }
}

const ENV_TEMPLATE = /\{\{ env\.([A-Za-z_][A-Za-z0-9_]*) \}\}/g;
const WHOLE_TEMPLATE = /^\{\{ [^{}]+ \}\}$/;

/** Upper case with underscores: `X-Api-Key` is `X_API_KEY`. */
function envName(text: string): string {
  const words = text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "")
    .toUpperCase();
  return /^[A-Z]/.test(words) ? words : words === "" ? "VALUE" : `V_${words}`;
}
