/** The policy that is the engine as it ships: what pictures and tables lead with. */
export const shipped = "faithful";

/** A report of `palimpsest replay --json` in which nothing stands under two names: “engine” is the default's. */
export function withOneName(report) {
  const names = report.policies.map(({ policy }) => policy);
  if (!names.includes(shipped)) return report;
  return { ...report, policies: report.policies.filter(({ policy }) => policy !== "engine") };
}
