import type { McpServerSettings } from "../../spec/index.ts";

export interface ServerRefusal {
  readonly problem: string;
  readonly fix: string;
}

/** What is wrong with a server's settings as a whole, each value by itself being what it should. */
export function refuseServer(settings: McpServerSettings): ServerRefusal | undefined {
  const { command, url } = settings;
  if (command === undefined && url === undefined) {
    return { problem: "expected command or url, got neither", fix: "add one of them" };
  }
  if (command !== undefined && url !== undefined) {
    return { problem: "expected command or url, got both", fix: "remove one of them" };
  }
  const others = url === undefined ? (["headers"] as const) : (["args", "environment", "cwd"] as const);
  const idle = others.filter((name) => settings[name] !== undefined);
  if (idle.length > 0) {
    const kind = url === undefined ? "command" : "url";
    return { problem: `${idle.join(", ")} cannot go with ${kind}`, fix: `remove ${idle.join(", ")}` };
  }
  if (url !== undefined && !isWebAddress(url)) {
    return { problem: "expected an http or https address as url", fix: "write it as https://host/path" };
  }
  if (url !== undefined && (new URL(url).username !== "" || new URL(url).password !== "")) {
    return { problem: "expected a url without a user's name and password", fix: "send them in headers" };
  }
  return undefined;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
