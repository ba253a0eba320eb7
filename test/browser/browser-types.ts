/** What tests use of playwright-core, which is installed for them alone: types hold without it. */
export interface Browser {
  newContext(options?: ContextOptions): Promise<BrowserContext>;
}

export interface ContextOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly reducedMotion?: "reduce" | "no-preference";
}

export interface BrowserContext {
  newPage(): Promise<Page>;
  setDefaultTimeout(timeoutMs: number): void;
  close(): Promise<void>;
}

export interface Page {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  readonly mouse: {
    move(x: number, y: number, options?: { readonly steps?: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
    click(x: number, y: number): Promise<void>;
    wheel(x: number, y: number): Promise<void>;
  };
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  locator(selector: string): Locator;
  evaluate<Answer>(expression: string): Promise<Answer>;
  emulateMedia(media: { readonly colorScheme: "light" | "dark" }): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
}

export interface Locator {
  first(): Locator;
  nth(index: number): Locator;
  locator(selector: string): Locator;
  filter(options: { readonly hasText: string | RegExp }): Locator;
  click(): Promise<void>;
  count(): Promise<number>;
  innerText(): Promise<string>;
  textContent(): Promise<string | null>;
  getAttribute(name: string): Promise<string | null>;
  fill(text: string): Promise<void>;
  focus(): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  waitFor(options?: { readonly state: "attached" | "detached" | "visible" | "hidden" }): Promise<void>;
  boundingBox(): Promise<{
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null>;
}
