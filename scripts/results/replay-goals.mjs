// What the engine should reach on recorded sessions, beside what it does.
import { isMet } from "../../bench/reporting.mjs";
import { duration } from "./markdown.mjs";

/** The goals of the report and, of a whole folder of sessions, those of the set. Each is a headline. */
export function replayGoals(report, { isWholeSet, took }) {
  if (report.goals.length === 0) return [];
  const judged = report.goals.map((goal) => ({
    ...goal,
    unit: goal.what === "invalid requests" ? "count" : "",
  }));
  return isWholeSet ? [...judged, ...setGoals(report, took)] : judged;
}

/** Those of a whole folder of sessions. What is left out is named above the goals. */
function setGoals({ sessions }, { wallMs, cpuMs, rss }) {
  const left = sessions.excluded.length + sessions.unreadable.length;
  const goals = [
    {
      what: "sessions that pass the calibration gate, whole or in parts",
      value: sessions.measured,
      unit: "count",
      atLeast: 25,
      whyMissed: `${left} of ${sessions.files} files are left out, each named above with its reason`,
    },
    { what: "of them whole", value: sessions.whole, unit: "count" },
    {
      what: "all sessions under all policies, minutes",
      value: wallMs / 60_000,
      unit: "",
      atMost: 3,
      whyMissed:
        cpuMs === null ? "CPU time is not known" : `${duration(cpuMs)} of CPU in ${duration(wallMs)}`,
    },
    ...(rss === null
      ? []
      : [
          {
            what: "peak memory",
            value: rss / 2 ** 20,
            unit: "MB",
            atMost: 1024,
            whyMissed: `with ${sessions.files} files, of the whole process`,
          },
        ]),
  ];
  return goals.map(({ whyMissed, ...goal }) =>
    isMet(goal) === false ? { ...goal, why: { text: whyMissed, sessions: [] } } : goal,
  );
}

export function breaksPer30({ breaks, requests }) {
  return (30 * breaks.policy) / Math.max(1, requests);
}

export function part({ asked, kept }) {
  return asked === 0 ? null : kept / asked;
}
