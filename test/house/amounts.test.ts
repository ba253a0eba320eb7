import picomatch from "picomatch";
import { expect, it } from "vitest";
import { wholeHere } from "../../vitest.slow.config.ts";
import { sourceFiles } from "./source-files.ts";

it("has every test of which npm test tries a part in the slow suite, whole", () => {
  const inSlowSuite = picomatch(wholeHere);
  const partly = [...sourceFiles("packages"), ...sourceFiles("test")]
    .filter(({ path, text }) => path.endsWith(".test.ts") && /from "[./\w-]+\/amount\.ts"/.test(text))
    .map(({ path }) => path);
  expect(partly.length).toBeGreaterThan(10);
  expect(partly.filter((path) => !inSlowSuite(path))).toEqual([]);
});
