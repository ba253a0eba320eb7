import type { Result, ShellEnd } from "@palimpsest/core/spec";

/** How a command ended, in a few words. */
export function describeEnd(end: Result<ShellEnd>): string {
  if (!end.ok) return [end.error.message, end.error.fix].filter(Boolean).join(" ");
  const { exitCode, signal } = end.value;
  return signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
}

export function isSuccess(end: Result<ShellEnd>): boolean {
  return end.ok && end.value.exitCode === 0;
}
