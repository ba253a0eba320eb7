import { expect, it } from "vitest";
import { createSecretMask } from "../../src/engine/secrets/index.ts";
import { must } from "../../src/testing/conformance/outcomes.ts";
import { sourceFiles } from "../house/source-files.ts";

const maxFalsePositives = 1;

it("finds hardly a secret in this package's own source, where there is none", async () => {
  const mask = createSecretMask({ key: "a key for the tests" });
  const found: string[] = [];
  for (const { path, text } of sourceFiles("src").filter(({ path }) => !path.endsWith(".test.ts"))) {
    const { secrets } = must(await mask.mask(text));
    for (const { kind, occurrences } of secrets) found.push(`${path}: ${kind}, ${occurrences} times`);
  }
  console.log(`false positives in our own source: ${found.length}\n${found.join("\n")}`);
  expect(found.length).toBeLessThanOrEqual(maxFalsePositives);
});
