import type { Policy } from "../policy.ts";
import type { ReplayReport } from "../report/replay-report.ts";

/** Policies that are asked for, sorted so that one of two names is run once. */
export interface NamedPolicies {
  readonly run: readonly Policy[];
  /** Every name that was asked for, in its order, with the policy whose numbers stand under it. */
  readonly names: ReadonlyMap<string, string>;
}

export function namePolicies(policies: readonly Policy[]): NamedPolicies {
  const asked = new Set(policies.map(({ name }) => name));
  const runAs = ({ name, sameAs = name }: Policy) => (asked.has(sameAs) ? sameAs : name);
  return {
    run: policies.filter((policy) => runAs(policy) === policy.name),
    names: new Map(policies.map((policy) => [policy.name, runAs(policy)])),
  };
}

/** The report with every name that was asked for. A person is shown it without: nothing stands there twice. */
export function withAllNames(report: ReplayReport, { names }: Pick<NamedPolicies, "names">): ReplayReport {
  const all = [...names];
  const costs = (own: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      all
        .flatMap(([name, run]) => (own[run] === undefined ? [] : [[name, own[run]] as const]))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return {
    ...report,
    policies: all.flatMap(([name, run]) => {
      const summary = report.policies.find(({ policy }) => policy === run);
      return summary ? [{ ...summary, policy: name }] : [];
    }),
    bySession: report.bySession.map((session) => ({
      ...session,
      cost: Object.fromEntries(Object.entries(session.cost).map(([row, own]) => [row, costs(own)])),
    })),
  };
}
