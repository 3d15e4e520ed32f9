/** A link to a span unfolds it. */
export function startSpans() {
  const open = () => {
    const span = location.hash.startsWith("#span-") &&
      document.getElementById(location.hash.slice(1));
    if (span instanceof HTMLDetailsElement) span.open = true;
  };
  addEventListener("hashchange", open);
  open();
}
