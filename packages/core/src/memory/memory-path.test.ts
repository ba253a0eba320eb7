import { expect, it } from "vitest";
import {
  fromQuarantinePath,
  memoryPathKind,
  toMemoryName,
  toMemoryPath,
  toQuarantinePath,
} from "./check-memory.ts";

it("makes a path of a name, in every script", () => {
  const names = [
    "Deploys on Tuesday!",
    "../../etc/passwd",
    "Über Köln",
    "部署 手順",
    "\u0301a",
    "",
    "MEMORY",
    "x".repeat(200),
  ];
  expect(names.map(toMemoryPath)).toEqual([
    "deploys-on-tuesday.md",
    "etc-passwd.md",
    "über-köln.md",
    "部署-手順.md",
    "a.md",
    "note.md",
    "memory-note.md",
    `${"x".repeat(60)}.md`,
  ]);
  expect(["how-we_deploy.md", "a/b.md", ".md"].map(toMemoryName)).toEqual(["How we deploy", "B", "Note"]);
});

it("tells files of a memory folder apart", () => {
  const paths = [
    "topic.md",
    "a/topic.md",
    "quarantine/topic.md",
    "MEMORY.md",
    "logs/2026/01/2026-01-05.md",
    "x.txt",
  ];
  expect(paths.map(memoryPathKind)).toEqual(["memory", "memory", "quarantined", "index", "log", "other"]);
  const spellings = ["memory.md", "Quarantine/a.md", "LOGS/a.md", "a.MD"];
  expect(spellings.map(memoryPathKind)).toEqual(["other", "other", "other", "other"]);
  expect([
    toQuarantinePath("a.md"),
    toQuarantinePath("quarantine/a.md"),
    fromQuarantinePath("quarantine/a.md"),
  ]).toEqual(["quarantine/a.md", "quarantine/a.md", "a.md"]);
});
