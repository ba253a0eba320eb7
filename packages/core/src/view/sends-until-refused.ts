/** The part of a session's settings that says whether it waits for the provider to refuse a request. */
export interface RefusalSettings {
  readonly switches?: Readonly<Record<string, unknown>>;
  readonly flags?: Readonly<Record<string, unknown>>;
}

/**
 * Whether requests of any size are sent, and the session is compacted once the provider has refused one: the flag
 * `reactive-only`. Without automatic compaction a refusal would lead to nothing, so the flag does not count.
 */
export function sendsUntilRefused({ switches = {}, flags = {} }: RefusalSettings): boolean {
  const mayCompact = switches.compact !== false && switches.autoCompact !== false;
  return mayCompact && flags["reactive-only"] === true;
}
