import { expect, it } from "vitest";
import { stemEnglish } from "./stem-english.ts";

it("stems as Porter's paper and its published vocabulary do", () => {
  const stems = {
    caresses: "caress",
    ponies: "poni",
    cats: "cat",
    feed: "feed",
    agreed: "agre",
    plastered: "plaster",
    bled: "bled",
    motoring: "motor",
    sing: "sing",
    conflated: "conflat",
    troubled: "troubl",
    sized: "size",
    hopping: "hop",
    falling: "fall",
    hissing: "hiss",
    filing: "file",
    happy: "happi",
    relational: "relat",
    conditional: "condit",
    digitizer: "digit",
    operator: "oper",
    decisiveness: "decis",
    hopefulness: "hope",
    formality: "formal",
    sensibility: "sensibl",
    electrical: "electr",
    goodness: "good",
    adjustment: "adjust",
    replacement: "replac",
    adoption: "adopt",
    communism: "commun",
    effective: "effect",
    probate: "probat",
    rate: "rate",
    cease: "ceas",
    controlling: "control",
    rolling: "roll",
    generalizations: "gener",
    oscillators: "oscil",
    by: "by",
  };
  const found = Object.fromEntries(Object.keys(stems).map((word) => [word, stemEnglish(word)]));
  expect(found).toEqual(stems);
});

it("gives the forms of a word with y one stem", () => {
  const families = [
    ["deploy", "deploys", "deployed", "deploying", "deployment", "deployments"],
    ["play", "plays", "played", "playing"],
    ["sky", "skies"],
    ["try", "tries", "tried"],
    ["copy", "copies", "copied"],
  ];
  expect(families.map((words) => new Set(words.map(stemEnglish)).size)).toEqual([1, 1, 1, 1, 1]);
});
