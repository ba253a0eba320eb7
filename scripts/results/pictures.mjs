import { contextSvg } from "./context-svg.mjs";
import { paretoPicture } from "./pareto-picture.mjs";
import { withStyle } from "./svg-style.mjs";

/** The pictures of what has run: cost against survival of the largest set of sessions, and context over requests. */
export function drawPictures(parts, outcomes) {
  const of = (id) => {
    const outcome = outcomes[parts.findIndex((part) => part.id === id)];
    return outcome?.ok ? outcome.value : null;
  };
  const [sample, sessions] = [of("replay-sample"), of("replay-sessions")];
  const context = of("context");
  return [
    ...paretoOf(sample, sessions),
    ...(context
      ? [
          {
            path: "docs/pictures/context.svg",
            text: "Tokens of each request of the bundled session, without layers and in each mode",
            svg: withStyle(contextSvg(context.sizes)),
          },
        ]
      : []),
  ];
}

/** Of many sessions where there are some, else of the bundled one. */
function paretoOf(sample, sessions) {
  if (sessions && sessions.sessions.measured > 1)
    return [pareto(sessions, `${sessions.sessions.measured} recorded sessions`)];
  return sample && sample.sessions.measured > 0 ? [pareto(sample, "the bundled session")] : [];
}

function pareto(report, which) {
  return {
    path: "docs/pictures/replay.svg",
    text: `Cost against survival of each policy on ${which}, ${report.sessions.measuredRequests} requests`,
    svg: withStyle(paretoPicture(report)),
  };
}
