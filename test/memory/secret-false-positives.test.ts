import { expect, it } from "vitest";
import { createSecretMask } from "../../packages/core/src/session/secrets/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { sourceFiles } from "../house/source-files.ts";
import { documentedSamples, unseenSamples } from "../support/secret-samples.ts";

const maxFalsePositives = 1;

it("finds hardly a secret in this package's own source, where there is none", async () => {
  const mask = createSecretMask({ key: "a key for the tests" });
  const found: string[] = [];
  for (const { path, text } of sourceFiles("packages").filter(({ path }) => !path.endsWith(".test.ts"))) {
    const { secrets } = must(await mask.mask(text));
    for (const { kind, occurrences } of secrets) found.push(`${path}: ${kind}, ${occurrences} times`);
  }
  console.log(`false positives in our own source: ${found.length}\n${found.join("\n")}`);
  expect(found.length).toBeLessThanOrEqual(maxFalsePositives);
});

it("masks all documented secrets, and most of kinds that no rule names", async () => {
  const mask = createSecretMask({ key: "a key for the tests" });
  const count = async (samples: ReturnType<typeof documentedSamples>) => {
    let hidden = 0;
    for (const { text, secret } of samples)
      if (!must(await mask.mask(text)).text.includes(secret)) hidden += 1;
    return { hidden, of: samples.length, kinds: new Set(samples.map(({ kind }) => kind)).size };
  };
  const [documented, unseen] = [await count(documentedSamples()), await count(unseenSamples())];
  console.log(
    `secrets masked: ${documented.hidden} of ${documented.of} documented (${documented.kinds} kinds), ${unseen.hidden} of ${unseen.of} of unseen kinds`,
  );
  expect(documented).toEqual({ hidden: 32, of: 32, kinds: 13 });
  expect(unseen).toEqual({ hidden: 11, of: 16, kinds: 16 });
});
