import { play as facts } from "./01-facts.mjs";
import { play as idleGaps } from "./02-idle-gaps.mjs";
import { play as tornTail } from "./03-torn-tail.mjs";
import { play as placeIndex } from "./04-place-index.mjs";
import { play as cancelledPlan } from "./05-cancelled-plan.mjs";
import { play as report } from "./06-report.mjs";
import { play as lockfile } from "./07-lockfile.mjs";
import { play as blobs } from "./08-blobs.mjs";
import { play as clockAudit } from "./09-clock-audit.mjs";
import { play as words } from "./10-words.mjs";
import { play as guide } from "./11-guide.mjs";
import { play as timelineParts } from "./12-timeline-parts.mjs";
import { play as timelineWhole } from "./12-timeline-whole.mjs";
import { play as wrapUp } from "./13-wrap-up.mjs";

/** The chapters in order; each builds on what the ones before it left in the working copy. */
const chapters = {
  facts,
  idleGaps,
  tornTail,
  placeIndex,
  cancelledPlan,
  report,
  lockfile,
  blobs,
  clockAudit,
  words,
  guide,
  timelineParts,
  timelineWhole,
  wrapUp,
};

export function playScenario(recorder, workspace, until, onChapter) {
  for (const [name, play] of Object.entries(chapters)) {
    onChapter(name);
    recorder.begin(name);
    play(recorder, workspace);
    if (name === until) return;
  }
}
