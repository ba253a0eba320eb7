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

export const firstLocation: PageLocation = { screen: "sessions", tab: "view" };

/** Requests are counted from 1 in addresses, as on the page. */
export function toHash(location: PageLocation): string {
  const parts = new URLSearchParams();
  if (location.session !== undefined) parts.set("session", location.session);
  if (location.request !== undefined) parts.set("request", String(location.request + 1));
  if (location.session !== undefined && location.tab !== "view") parts.set("tab", location.tab);
  if (location.pinned !== undefined) parts.set("pinned", String(location.pinned + 1));
  if (location.policy !== undefined) parts.set("policy", location.policy);
  if (location.screen === "memory") parts.set("memory", location.memory ?? "");
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
    ...optionalField("session", session),
    ...optionalField("request", toNumber(parts.get("request"))),
    ...optionalField("pinned", toNumber(parts.get("pinned"))),
    ...optionalField("policy", parts.get("policy") || undefined),
    ...optionalField("memory", memory || undefined),
  };
}

function toNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : undefined;
}

function optionalField<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}

export type Action =
  | "next"
  | "previous"
  | "nextPage"
  | "previousPage"
  | "first"
  | "last"
  | "nextMark"
  | "previousMark"
  | "filter"
  | "view"
  | "pin"
  | "whatIf"
  | "memory"
  | "sessions"
  | "newest"
  | "zoomOut"
  | "theme"
  | "help"
  | "close";

interface KeyBinding {
  readonly keys: readonly string[];
  readonly action: Action;
  readonly about: string;
}

/** Every key that works wherever the focus is, outside of fields. */
export const keyBindings: readonly KeyBinding[] = [
  {
    keys: ["j", "ArrowDown", "ArrowRight"],
    action: "next",
    about: "Next request (or row of the list in focus)",
  },
  { keys: ["k", "ArrowUp", "ArrowLeft"], action: "previous", about: "Previous request (or row)" },
  { keys: ["PageDown"], action: "nextPage", about: "Twenty further" },
  { keys: ["PageUp"], action: "previousPage", about: "Twenty back" },
  { keys: ["Home"], action: "first", about: "First" },
  { keys: ["End"], action: "last", about: "Last; follows a session that is running" },
  { keys: ["n"], action: "nextMark", about: "Next compaction, clearing or cache break" },
  { keys: ["p"], action: "previousMark", about: "Previous compaction, clearing or cache break" },
  { keys: ["/"], action: "filter", about: "Filter the list" },
  { keys: ["v"], action: "view", about: "The view as the model saw it" },
  { keys: ["d"], action: "pin", about: "Pin this request and compare others with it; again to let go" },
  { keys: ["w"], action: "whatIf", about: "What if: the session under another policy" },
  { keys: ["e"], action: "newest", about: "Go to the newest item in the view" },
  { keys: ["m"], action: "memory", about: "Memories, their history and blame" },
  { keys: ["s"], action: "sessions", about: "All sessions" },
  { keys: ["0"], action: "zoomOut", about: "The whole session in the chart" },
  { keys: ["t"], action: "theme", about: "Dark, light or the system's theme" },
  { keys: ["?"], action: "help", about: "These keys" },
  { keys: ["Escape"], action: "close", about: "Close the open item; clear a filter; remove a pin" },
];

/** Keys of the focused list; the browser gives Tab. */
export const listKeys: readonly (readonly [string, string])[] = [
  ["Enter", "Open the row, or go from a request to its view"],
  ["Tab", "Next part of the page"],
];

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The focus is where letters are typed, and keys mean what they mean there. */
  readonly isTyping: boolean;
}

export function toAction({ key, ctrlKey, metaKey, altKey, isTyping }: KeyPress): Action | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (isTyping) return key === "Escape" ? "close" : undefined;
  return keyBindings.find(({ keys }) => keys.includes(key))?.action;
}

const keyNames: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowLeft: "←",
  PageDown: "Page ↓",
  PageUp: "Page ↑",
  Escape: "Esc",
};

export const toKeyName = (key: string): string => keyNames[key] ?? key;
