import { type AgentAddress, fail, ok, type ReachableAgent, type Result } from "../../../../spec/index.ts";

export interface RouteContext {
  /** The sender's log id. */
  readonly self: string;
  /** Who runs. */
  readonly agents: readonly ReachableAgent[];
  /** Whether the session that is asked for exists, running or not. */
  readonly hasSession: boolean;
}

/** The receivers of a message, each with its way; says who there is where nobody has that address. */
export function decideRoute(
  address: AgentAddress,
  { self, agents, hasSession }: RouteContext,
): Result<readonly ReachableAgent[]> {
  const others = agents.filter(({ id }) => id !== self);
  if (address.kind === "everyone")
    return others.length > 0
      ? ok(others)
      : fail("not-found", "There is nobody else.", { path: "*", fix: "Start an agent first." });
  if (address.kind === "socket") {
    const listening = others.find(({ socket }) => socket === address.path);
    return ok([listening ? { ...listening, route: "socket" } : strangerAt(address.path)]);
  }
  const isMeant = ({ id, name }: ReachableAgent) =>
    address.kind === "name" ? name === address.name : id === address.id;
  const found = others.find(isMeant);
  if (found) return ok([found]);
  if (agents.some(isMeant))
    return fail("invalid-input", "A message to oneself is not sent.", {
      path: "to",
      fix: whoIsThere(others),
    });
  if (address.kind === "session" && hasSession)
    return ok([{ id: address.id, name: `session:${address.id}`, route: "mailbox" }]);
  const named = address.kind === "name" ? `agent “${address.name}”` : `session ${address.id}`;
  return fail("not-found", `There is no ${named}.`, {
    path: "to",
    fix: whoIsThere(others),
    facts: { reachable: others.map(({ name }) => name) },
  });
}

/** Who listens there is known only when it answers. */
const strangerAt = (path: string): ReachableAgent => ({
  id: `uds:${path}`,
  name: `uds:${path}`,
  route: "socket",
  socket: path,
});

const maxNamed = 50;

function whoIsThere(others: readonly ReachableAgent[]): string {
  if (others.length === 0) return "Nobody else can be reached now.";
  const named = others.slice(0, maxNamed).map(({ name, id }) => `${name} (session:${id})`);
  const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : "";
  return `Reachable: ${named.join(", ")}${more}.`;
}
