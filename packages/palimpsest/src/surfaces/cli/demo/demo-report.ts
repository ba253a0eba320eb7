import { fail, ok, type Result } from "@palimpsest/core/spec";
import {
  buildReport,
  catalogRowName,
  type ReplayReport,
  type SessionOutcome,
} from "../../../replay/index.ts";
import { comparedPolicies } from "./runs/demo-policies.ts";

/** The comparison of the policies that were run, each of which has an outcome of its own. */
export function toReport(outcomes: ReadonlyMap<string, SessionOutcome>): Result<ReplayReport> {
  const policies = comparedPolicies.filter((name) => outcomes.has(name));
  const [first] = outcomes.values();
  const runs = policies.flatMap((name) => outcomes.get(name)?.runs ?? []);
  if (!first || runs.length < policies.length)
    return fail(
      "corrupt",
      `The bundled session cannot be measured: ${first?.calibration.reason ?? "no run"}.`,
      {
        fix: "Install the package again.",
      },
    );
  return ok(
    buildReport({
      ttl: "5m",
      priceRows: [catalogRowName],
      policies,
      files: 1,
      outcomes: [{ ...first, runs }],
      unreadable: [],
      duplicates: [],
    }),
  );
}
