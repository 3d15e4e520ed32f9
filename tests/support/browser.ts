import { type Browser, chromium, type Page } from "playwright-core";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where Chromium is; `BENCH_CHROMIUM` names one that is elsewhere. */
function chromiumPath(): string | undefined {
  const asked = Deno.env.get("BENCH_CHROMIUM");
  return asked ?? PATHS.find((each) => {
    try {
      return Deno.statSync(each).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * Whether page tests are skipped: this machine has no Chromium, and nothing
 * requires the tools (BENCH_REQUIRE_TOOLS, as CI does).
 */
export const WITHOUT_BROWSER: boolean = chromiumPath() === undefined &&
  !Deno.env.get("BENCH_REQUIRE_TOOLS");

/** Starts Chromium. */
export async function startBrowser(): Promise<Browser> {
  const path = chromiumPath();
  if (path === undefined) {
    throw new Error(
      "The viewer's tests need Chromium: install it with `apt-get install -y chromium`, or name one in BENCH_CHROMIUM",
    );
  }
  return await chromium.launch({ executablePath: path, args: FLAGS });
}

/** A page with everything that went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, exceptions, refused content, requests to other places. */
  readonly errors: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a page in a browser context of its own. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") {
      errors.push(`asked for ${request.url()}`);
    }
  });
  return {
    page,
    errors,
    [Symbol.asyncDispose]: () => context.close(),
  };
}
