/**
 * `waiting`: nobody has begun. `connecting`: for the first time or again. `lost`: the next call reaches for it again.
 * `failed`: nothing is tried any more until somebody asks for it.
 */
export type McpServerState = "waiting" | "connecting" | "ready" | "lost" | "failed" | "closed";

/** How one server is, for people. Nothing secret is in it. */
export interface McpServerStatus {
  readonly name: string;
  readonly transport: "stdio" | "http";
  readonly state: McpServerState;
  readonly toolCount: number;
  /** The server's own name and version, once it has said. */
  readonly title?: string;
  /** What went wrong last, and what to do. */
  readonly error?: string;
  readonly fix?: string;
}

/** A server that cannot be used. One is given for each time that a server fails. */
export interface McpWarning {
  readonly server: string;
  readonly message: string;
  readonly fix?: string;
}
