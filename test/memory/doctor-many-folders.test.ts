import { it } from "vitest";
import { seed } from "../support/seed.ts";
import { examineClean, examineDoctored } from "./examine-folders.ts";

it("the doctor raises no alarm on a clean folder", () => examineClean(seed, 1, 60));

it("the doctor finds at least 95 % of every kind in seeded folders, and nothing else", () =>
  examineDoctored(seed, 2, 1));
