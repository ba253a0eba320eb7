const style = `
:root { --ground: #ffffff; --ink: #1f2328; --line: #d0d7de; --best: #0a7d4b; --other: #6e7781; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --ink: #e6edf3; --line: #30363d; --best: #3fb97f; --other: #8b949e; }
}
.ground { fill: var(--ground); }
text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); } .frontier { fill: none; stroke: var(--best); stroke-dasharray: 4 3; }
.best { fill: var(--best); } .other { fill: var(--other); }
.leader { stroke: var(--other); stroke-width: .6; }
.reach { stroke-width: 2; } .reach.best { stroke: var(--best); } .reach.other { stroke: var(--other); }
.curve { fill: none; stroke-width: 1.6; } .curve.best { fill: none; stroke: var(--best); }
.curve.other { fill: none; stroke: var(--other); }
`;

/** A picture that stands alone: it brings its colours and its ground, light or dark as the reader has it. */
export function withStyle(svg) {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg);
  const ground = `<rect class="ground" width="${width}" height="${height}"/>`;
  return `${svg.replace(/^(<svg[^>]*)>/, `$1 width="${width}" height="${height}"><style>${style}</style>${ground}`)}\n`;
}
