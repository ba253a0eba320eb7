import assert from "node:assert/strict";
import type { ErrorCode, Result } from "@palimpsest/core/spec";

/** The value of a result that has to be one. */
export function must<T>(result: Result<T>): T {
  assert.ok(result.ok, result.ok ? "" : `${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** The code of a failure that has to be one. */
export function refused(result: Result<unknown>): ErrorCode {
  assert.ok(!result.ok, "this should have been refused");
  return result.error.code;
}

/** One promise of a port, checked: `run` rejects if an implementation breaks it. Fits every test runner. */
export interface ConformanceCase {
  /** A sentence in the present tense. */
  readonly name: string;
  readonly run: () => Promise<void>;
}
