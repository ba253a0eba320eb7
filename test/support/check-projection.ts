import { expect } from "vitest";
import { project } from "../../src/context/projection/project.ts";
import { createProjection, type Projection } from "../../src/context/projection/projection.ts";
import type { Entry } from "../../src/spec/index.ts";
import { createHistory, type Operation } from "./histories.ts";

/** Adds an entry as the engine does: what is no longer in memory is read again from the log. */
export function addTo(projection: Projection, entry: Entry, log: readonly Entry[]): void {
  const needs = projection.add(entry);
  if (needs !== null) projection.rebuild(log.filter(({ seq }) => seq > needs));
}

/** A log that is opened: entries come one by one, and what must be read again is read once, at the end. */
export function checkOpening(operations: readonly Operation[]): void {
  const history = createHistory();
  for (const operation of operations) history.write(operation);
  const projection = createProjection();
  let needs: number | null = null;
  for (const entry of history.entries) needs = projection.add(entry);
  if (needs !== null) projection.rebuild(history.entries.filter(({ seq }) => seq > (needs ?? 0)));
  expect(projection.projected).toEqual(project(history.entries));
}

/** The incremental projection is the projection of the whole log, after every operation. */
export function checkProjection(operations: readonly Operation[]): void {
  const history = createHistory();
  const projection = createProjection();
  for (const [index, operation] of operations.entries()) {
    const entry = history.write(operation);
    if (!entry) continue;
    addTo(projection, entry, history.entries);
    expect(projection.projected, `after operation ${index}`).toEqual(project(history.entries));
  }
}
