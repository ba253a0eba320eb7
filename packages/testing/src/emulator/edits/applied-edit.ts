/** An entry of `context_management.applied_edits`, as it is on the wire: what one edit cleared of one request. */
export type AppliedEdit =
  | {
      readonly type: "clear_tool_uses_20250919";
      readonly cleared_tool_uses: number;
      readonly cleared_input_tokens: number;
    }
  | {
      readonly type: "clear_thinking_20251015";
      readonly cleared_thinking_turns: number;
      readonly cleared_input_tokens: number;
    }
  /** In no public API. All deletions that the request's `cache_edits` blocks hold, new and repeated. */
  | {
      readonly type: "cache_edits";
      readonly deleted_tool_uses: number;
      readonly cleared_input_tokens: number;
    };
