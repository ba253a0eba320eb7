import { it } from "vitest";
import { examineClean, examineDoctored } from "../memory/examine-folders.ts";
import { seed } from "../support/seed.ts";

it("the doctor raises no alarm on clean folders", () => examineClean(seed, 8, 150));

it("the doctor finds at least 95 % of every kind in seeded folders, and nothing else", () =>
  examineDoctored(seed, 8, 3));
