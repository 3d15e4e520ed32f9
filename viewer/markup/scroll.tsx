import type { Markup, Piece } from "./markup.ts";

/** What is too wide for the page scrolls in a place of its own, by keyboard too. */
export function Scroll(
  { label, className = "scroll", children }: {
    label: string;
    className?: string;
    children?: Piece;
  },
): Markup {
  return (
    <div class={className} tabindex="0" role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** Text as it is, likewise. */
export function Verbatim(
  { label, children }: { label: string; children?: Piece },
): Markup {
  return (
    <pre
      class="body"
      tabindex="0"
      role="group"
      aria-label={label}
    >{children}</pre>
  );
}
