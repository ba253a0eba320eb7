export const tabs = ["view", "changes", "what-if"] as const;
export type Tab = (typeof tabs)[number];

/** Where a reader is: kept in the address, so that a reload or a link leads back. */
export interface PageLocation {
  readonly screen: "sessions" | "session" | "memory";
  readonly session?: string;
  /** Absent: the last one, and those to come. */
  readonly request?: number;
  readonly tab: Tab;
  /** The request that others are compared with; absent: the one before. */
  readonly pinned?: number;
  readonly policy?: string;
  readonly memory?: string;
}

export const firstPlace: PageLocation = { screen: "sessions", tab: "view" };

/** Requests are counted from 1 in addresses, as on the page. */
export function toHash(place: PageLocation): string {
  const parts = new URLSearchParams();
  if (place.session !== undefined) parts.set("session", place.session);
  if (place.request !== undefined) parts.set("request", String(place.request + 1));
  if (place.session !== undefined && place.tab !== "view") parts.set("tab", place.tab);
  if (place.pinned !== undefined) parts.set("pinned", String(place.pinned + 1));
  if (place.policy !== undefined) parts.set("policy", place.policy);
  if (place.screen === "memory") parts.set("memory", place.memory ?? "");
  const text = parts.toString();
  return text === "" ? "" : `#${text}`;
}

export function fromHash(hash: string): PageLocation {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const session = parts.get("session") || undefined;
  const memory = parts.get("memory");
  return {
    screen: memory !== null ? "memory" : session === undefined ? "sessions" : "session",
    tab: tabs.find((tab) => tab === parts.get("tab")) ?? "view",
    ...present("session", session),
    ...present("request", toNumber(parts.get("request"))),
    ...present("pinned", toNumber(parts.get("pinned"))),
    ...present("policy", parts.get("policy") || undefined),
    ...present("memory", memory || undefined),
  };
}

function toNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : undefined;
}

function present<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}
