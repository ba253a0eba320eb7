import { normalizeToolInput } from "@palimpsest/core/internal";
import type { Tool } from "@palimpsest/core/spec";
import { checkToolInput } from "../check-input.ts";
import { nearNames } from "./tool-search-tool.ts";

export const dispatcherName = "UseTool";

export interface DispatcherOptions {
  /** A deferred or late tool that may be called this way. */
  readonly find: (name: string) => Tool | undefined;
  /** All names that `find` knows, for who gets one wrong. */
  readonly names: () => readonly string[];
  readonly warn?: (text: string) => void;
}

/** The inner call of a call of the dispatcher; `undefined` for every other call, and one that names nothing. */
export function toInnerCall(
  tool: string,
  input: unknown,
): { readonly name: string; readonly input: unknown } | undefined {
  const { name, input: inner = {} } = (input ?? {}) as { readonly name?: unknown; readonly input?: unknown };
  return tool === dispatcherName && typeof name === "string" ? { name, input: inner } : undefined;
}

/**
 * Calls tools that are not in the list of tools, so that the list, and with it the prefix, stays as it is. What it
 * touches is what the tool inside touches; rules and hooks see that tool, by `standsFor`.
 */
export function createDispatcherTool({ find, names, warn }: DispatcherOptions): Tool {
  const innerOf = (input: unknown) => {
    const call = toInnerCall(dispatcherName, input);
    const tool = call && call.name !== dispatcherName ? find(call.name) : undefined;
    return call && tool && { tool, input: normalizeToolInput(call.input, tool.input_schema) };
  };
  return {
    name: dispatcherName,
    description:
      "Calls a tool that is not in your list: one that ToolSearch found, or that you were told of. The input is that tool's own.",
    input_schema: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, description: "The tool's name." },
        input: { type: "object", description: "Its input, by its own schema." },
      },
      required: ["name", "input"],
      additionalProperties: false,
    },
    standsFor: innerOf,
    subjectsOf(input) {
      const inner = innerOf(input);
      return inner?.tool.subjectsOf?.(inner.input) ?? [];
    },
    async run(input, context) {
      const inner = innerOf(input);
      if (inner === undefined)
        return {
          content: describeUnknownTool((input as { readonly name: string }).name, names()),
          isError: true,
        };
      const { tool } = inner;
      if (tool.run === undefined) return { content: `${tool.name} cannot be called here.`, isError: true };
      const checked = await checkToolInput(tool, inner.input, warn);
      if (!checked.ok) {
        const schema = JSON.stringify(tool.input_schema);
        const shown =
          schema.length <= 4_000
            ? ` Its schema: ${schema}`
            : ` ToolSearch with “select:${tool.name}” gives its schema.`;
        return { content: checked.error.message + shown, isError: true };
      }
      return tool.run(inner.input, context);
    },
  };
}

function describeUnknownTool(name: string, known: readonly string[]): string {
  if (name === dispatcherName) return `${dispatcherName} does not call itself. Name the tool you mean.`;
  const near = nearNames(name, known, 5);
  const there = near.length > 0 ? `Near are: ${near.join(", ")}.` : "ToolSearch finds what there is.";
  return `There is no tool ${name} to be called this way. ${there} Tools in your list are called directly.`;
}
