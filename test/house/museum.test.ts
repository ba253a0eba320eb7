import { expect, it } from "vitest";
import { museumRows } from "../../scripts/docs/museum-table.mjs";

it("has a fixture and a test for every failure in the museum, and the page says which", () => {
  const rows = museumRows();
  expect(rows.length).toBeGreaterThanOrEqual(41);
  expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
});
