import type { RecordedRequest } from "../recorded-request.ts";
import { apiError } from "../server/api-error.ts";
import { type Answer, type AnswerBlock, toBlocks } from "./answer.ts";
import { builtInAgent } from "./built-in-agent.ts";
import type { Fault } from "./fault.ts";
import type { Reply, Script, ScriptFunction, ScriptRule, ScriptState } from "./script.ts";

/** A script at work. */
export interface RunningScript {
  /** The answer or fault for a message; a script that throws is a fault that says so. */
  reply(request: RecordedRequest): Promise<Answer | Fault>;
  /** The fault that a rule has for a request that is not for a message. */
  fault(request: RecordedRequest): Promise<Fault | null>;
}

/** Begins a script from its first reply. */
export function runScript(script: Script | undefined): RunningScript {
  const notes = new Map<string, unknown>();
  const list = typeof script === "function" || script === undefined ? [] : script;
  const rules = list.filter(isRule);
  const replies = list.filter((entry): entry is Reply => !isRule(entry));
  const hasReplies = replies.length > 0;
  let next = 0;
  let answered = 0;

  function choose(request: RecordedRequest): Reply | ScriptFunction {
    if (typeof script === "function") return script;
    const rule = rules.find(({ scope, matches }) => scope !== "rest" && matches(request));
    if (rule !== undefined) return rule.reply;
    const reply = replies[next];
    if (reply !== undefined) {
      next += 1;
      return reply;
    }
    const rest = rules.find(({ scope, matches }) => scope === "rest" && matches(request));
    return rest?.reply ?? (hasReplies ? scriptEnded(request) : builtInAgent);
  }

  async function ask(chosen: Reply | ScriptFunction, request: RecordedRequest): Promise<Answer | Fault> {
    const state: ScriptState = { answered, notes };
    return toReply(typeof chosen === "function" ? await chosen(request, state) : chosen);
  }

  return {
    async reply(request) {
      try {
        const reply = await ask(choose(request), request);
        if (reply.kind === "answer") answered += 1;
        return reply;
      } catch (thrown) {
        return scriptFailed(request, thrown);
      }
    },
    async fault(request) {
      try {
        const rule = rules.find(({ scope, matches }) => scope === "every-endpoint" && matches(request));
        const reply = rule && (await ask(rule.reply, request));
        return reply?.kind === "fault" ? reply : null;
      } catch (thrown) {
        return scriptFailed(request, thrown);
      }
    },
  };
}

function isRule(entry: Reply | ScriptRule): entry is ScriptRule {
  return "kind" in entry && entry.kind === "rule";
}

function toReply(reply: Reply): Answer | Fault {
  if (reply === null || typeof reply !== "object") throw new TypeError(`it gave ${String(reply)} as a reply`);
  if ("kind" in reply && (reply.kind === "answer" || reply.kind === "fault")) return reply as Answer | Fault;
  return { kind: "answer", content: toBlocks(reply as AnswerBlock | readonly AnswerBlock[]) };
}

/** Wrong scripts are seen at once: clients do not try again. */
function scriptFault(message: string): Fault {
  return {
    kind: "fault",
    fault: "error",
    error: apiError("api_error", `emulator: ${message}`, { "x-should-retry": "false" }),
  };
}

function scriptEnded({ ordinal }: RecordedRequest): Fault {
  return scriptFault(`the script has no reply left for request ${ordinal}`);
}

function scriptFailed({ ordinal }: RecordedRequest, thrown: unknown): Fault {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return scriptFault(`the script failed at request ${ordinal}: ${message}`);
}
