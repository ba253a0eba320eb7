import type { runChat } from "./run-chat.ts";

/**
 * Looked at once, while Ink and React are loaded: the first two let Ink think that nobody looks, so that it draws
 * nothing before the end; the third, where nobody has set it, chooses the React that checks itself and takes its time.
 */
const misleading = ["CI", "CONTINUOUS_INTEGRATION", "NODE_ENV"] as const;

/**
 * Loads the terminal agent, Ink and React among it, and nothing before it is asked to. A person is there whatever the
 * variables say; afterwards they are as they were.
 */
export async function loadChat(): Promise<typeof runChat> {
  const { env } = process;
  const before = misleading.map((name) => [name, env[name]] as const);
  for (const name of misleading) if (name !== "NODE_ENV") delete env[name];
  env.NODE_ENV ??= "production";
  try {
    return (await import("./run-chat.ts")).runChat;
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
  }
}
