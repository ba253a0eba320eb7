import { machineLine } from "../../bench/machine-line.mjs";
import { version } from "../../packages/core/build/version.js";
import { benchSection } from "./bench-section.mjs";
import { contextSection } from "./context-section.mjs";
import { duration, escaped } from "./markdown.mjs";
import { replaySection } from "./replay-section.mjs";

/** The page: parts that ran with their numbers, then those that did not with the reason. */
export function page({ parts, outcomes, measured, options, isQuick, tookMs, pictures }) {
  const ran = parts.filter((_, at) => outcomes[at].ok);
  const notRun = parts.flatMap((part, at) => (outcomes[at].ok ? [] : [{ part, ...outcomes[at] }]));
  const lines = [
    "# Results",
    "",
    `Made by \`${["npm run results", ...(options.length > 0 ? ["--", ...options] : [])].join(" ")}\`; do not edit. Every number is of this run.`,
    "",
    `- machine: ${machineLine()}`,
    `- measured: version ${version}, commit ${measured.commit} of ${measured.day}${measured.isChanged ? ", with changes that are not in it" : ""}`,
    `- took ${duration(tookMs)}; the parts ran one after the other`,
    ...(isQuick
      ? ["- **quick**: fewer policies and sessions, smaller inputs; goals are meant for the full run"]
      : []),
    "",
    "SESSIONS stands for the folder of recorded sessions that was given; nothing of what they say is on this page. Replay is a simulation without a model, and survival a necessary condition: what is not in view cannot be used word for word, what is in view need not be used rightly. What each bench does not show is in [the guide](../docs/guides/benches.md).",
    "",
    ...pictures.flatMap(({ text, path }) => [`![${text}](../${path})`, ""]),
    ...ran.flatMap((part) => section(part, outcomes[parts.indexOf(part)], isQuick)),
    "## Not run",
    "",
    ...(notRun.length === 0
      ? ["Everything was run."]
      : notRun.map(({ part, reason }) => `- ${part.id}: ${escaped(reason)}`)),
    "",
  ];
  return lines.join("\n");
}

function section(part, { value, took }, isQuick) {
  const cpu = took.cpuMs === null ? "" : `, ${duration(took.cpuMs)} of CPU`;
  const memory =
    part.kind === "replay" && took.rss !== null ? `, peak ${Math.round(took.rss / 2 ** 20)} MiB` : "";
  return [
    `## ${part.title}`,
    "",
    `\`${part.shown}\` took ${duration(took.wallMs)}${cpu}${memory}.`,
    "",
    ...body(part, value, { isWholeSet: part.id === "replay-sessions" && !isQuick, took }),
    "",
  ];
}

function body(part, value, about) {
  if (part.kind === "replay") return replaySection(value, about);
  return part.kind === "context" ? contextSection(value) : benchSection(value);
}
