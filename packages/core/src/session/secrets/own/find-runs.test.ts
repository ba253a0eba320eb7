import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOwnMask } from "./create-own-mask.ts";
import { createRunFinder } from "./find-runs.ts";
import { spellingsOf } from "./spellings.ts";

const key = "sk-ant-api03-Qm7Zr2Lk9Xw4Tb6Vn1Hs8Jd3Fg5Pc0Ya-Rt_UeWiOoSdAqMzNx7BvCl2KjHg";
const password = "p@ss/w0rd+é=9";
const mask = createOwnMask([
  { name: "ANTHROPIC_API_KEY", value: key },
  { name: "DATABASE_URL", value: password },
]);
const shown = "[masked: ANTHROPIC_API_KEY]";

describe("secrets in a text", () => {
  it.each([
    ["as it is", `KEY=${key};`, `KEY=${shown};`],
    ["twice", `${key}${key}`, `${shown}${shown}`],
    ["wrapped", `> ${key.slice(0, 40)}\n> ${key.slice(40)} <`, `> ${shown} <`],
    ["wrapped in JSON", `"${key.slice(0, 40)}\\n${key.slice(40)}"`, `"${shown}"`],
    ["numbered", `1\t${key.slice(0, 30)}\n2\t${key.slice(30)}\n`, `1\t${shown}\n`],
    ["cut at its end", `KEY=${key.slice(0, 15)}`, `KEY=${shown}`],
    ["cut at its beginning", `${key.slice(-15)} B=1`, `${shown} B=1`],
    [
      "cut out of its middle",
      `A ${key.slice(0, 20)}\n[… 9 characters left out here …]\n${key.slice(-20)} B`,
      `A ${shown}\n[… 9 characters left out here …]\n${shown} B`,
    ],
    ["most of it", `x${key.slice(5, 60)}x`, `x${shown}x`],
    ["backwards", `<${[...key].reverse().join("")}>`, `<${shown}>`],
    [
      "as JSON in JSON",
      JSON.stringify(JSON.stringify({ password })),
      `"{\\"password\\":\\"[masked: DATABASE_URL]\\"}"`,
    ],
    ["in an address", `x:${encodeURIComponent(password)}@y`, "x:[masked: DATABASE_URL]@y"],
  ])("are masked %s", (_how, text, masked) => {
    expect(mask.text(text)).toBe(masked);
  });

  it("are masked in every spelling, wherever it stands", () => {
    for (const value of [key, password])
      for (const spelling of spellingsOf(value)) {
        const text = mask.text(`before ${spelling} behind`);
        expect(text).toMatch(/^before \S*\[masked: [A-Z_]+\] ?\S* ?behind$/);
        expect(text).not.toContain(spelling);
      }
  });

  it("are masked in base64 of what holds them, however their bytes lie", () => {
    for (let before = 0; before < 7; before += 1) {
      const encoded = Buffer.from(`${"x".repeat(before)}A=${key}\nB=1`).toString("base64");
      const lines = encoded.replaceAll(/.{76}/g, "$&\n");
      for (const text of [encoded, lines]) {
        const rest = mask.text(text).replaceAll(shown, "").replaceAll("\n", "");
        expect(Buffer.from(rest, "base64").toString()).not.toMatch(/Zr2Lk9|BvCl2K/);
      }
    }
  });

  it("leave every other text as the very same", () => {
    for (const text of [
      "",
      "sk-ant-api03-",
      "ANTHROPIC_API_KEY=",
      key.slice(10, 30),
      `a ${key.slice(0, 20)} b`,
    ])
      expect(mask.text(text)).toBe(text);
    const value = { content: [{ type: "text", text: "nothing" }], list: [1, null, true] };
    expect(mask.value(value)).toBe(value);
  });

  it("split no character of two halves", () => {
    const smileys = createOwnMask([{ name: "A_TOKEN", value: "a😀b😀c😀d😀" }]);
    expect(smileys.text("🎉a😀b😀c😀d😀🎉")).toBe("🎉[masked: A_TOKEN]🎉");
    const half = createOwnMask([{ name: "A_TOKEN", value: "abcdefgh1\ud83d" }]);
    expect(half.text("x abcdefgh1😀 y")).toBe("x [masked: A_TOKEN] y");
  });

  it("are found among random texts, however long, in whatever spelling and place", () => {
    const value = fc
      .string({ unit: "grapheme-ascii", minLength: 8, maxLength: 120 })
      .filter((one) => new Set(one).size > 3);
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.nat()), { maxLength: 12 }),
        (values, parts) => {
          const secrets = values.map((one, at) => ({ name: `KEY_${at}`, value: one }));
          const spellings = values.flatMap((one) => spellingsOf(one));
          const text = parts
            .map((part) => (typeof part === "number" ? spellings[part % spellings.length] : part))
            .join("");
          const masked = createOwnMask(secrets).text(text);
          for (const spelling of spellings) expect(masked.includes(spelling)).toBe(false);
          expect(masked.isWellFormed()).toBe(text.isWellFormed());
        },
      ),
      { numRuns: 300 },
    );
  });

  it("are not looked for where there are none", () => {
    expect(createRunFinder([])("anything")).toEqual([]);
  });
});

describe("the mask of a value", () => {
  it("reaches every string and key, and leaves what is opaque", () => {
    const block = {
      type: "tool_result",
      tool_use_id: "t",
      content: [
        { type: "text", text: key },
        { type: "image", source: { type: "base64", media_type: "image/png", data: key } },
        { type: "document", source: { type: "text", data: key } },
        { type: "thinking", thinking: key, signature: key },
        { [key]: [{ deep: key }] },
      ],
    };
    expect(mask.value(block)).toEqual({
      ...block,
      content: [
        { type: "text", text: shown },
        block.content[1],
        { type: "document", source: { type: "text", data: shown } },
        block.content[3],
        { [shown]: [{ deep: shown }] },
      ],
    });
    expect(mask.namesIn(mask.value(block))).toEqual(["ANTHROPIC_API_KEY"]);
  });
});
