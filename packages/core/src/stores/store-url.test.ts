import { describe, expect, it } from "vitest";
import { must } from "../../../testing/src/conformance/outcomes.ts";
import { decideStore, maskUrl } from "./store-url.ts";

const url = "postgres://me:hunter2@db.example:5433/work?password=hunter2";

describe("the choice of a store", () => {
  it("is files where nothing is said", () => {
    expect(must(decideStore({ environment: {} }))).toEqual({ kind: "files" });
    expect(must(decideStore({ environment: { DATABASE_URL: "" } }))).toEqual({ kind: "files" });
  });

  it("is the database of DATABASE_URL, and what was asked for by hand before that", () => {
    const environment = { DATABASE_URL: url };
    expect(must(decideStore({ environment }))).toEqual({ kind: "postgres", url });
    expect(must(decideStore({ environment, store: "files" }))).toEqual({ kind: "files" });
    const other = "postgresql://other/db";
    expect(must(decideStore({ environment, store: other }))).toEqual({ kind: "postgres", url: other });
  });

  it("is what a program names", () => {
    expect(must(decideStore({ environment: {}, databaseUrl: url }))).toEqual({ kind: "postgres", url });
    const refusal = decideStore({ environment: {}, databaseUrl: "files" });
    expect(refusal.ok ? "" : refusal.error.path).toBe("databaseUrl");
  });

  it("refuses everything else, says where it came from and what to do, and never shows a password", () => {
    const wrong = ["mysql://me:hunter2@host/db", "hunter2", "", "http://x", "postgres//me:hunter2@host"];
    for (const text of wrong) {
      const refusals = [decideStore({ environment: {}, store: text })];
      if (text !== "") refusals.push(decideStore({ environment: { DATABASE_URL: text } }));
      for (const [at, refusal] of refusals.entries()) {
        if (refusal.ok) throw new Error(`${text} was taken`);
        const { code, message, path, fix } = refusal.error;
        expect([code, path]).toEqual(["invalid-input", at === 0 ? "--store" : "DATABASE_URL"]);
        expect(fix).toContain("postgres://");
        expect(`${message} ${fix}`).not.toContain("hunter2");
      }
    }
  });

  it("masks passwords for people", () => {
    expect(maskUrl(url)).toBe("postgres://me:***@db.example:5433/work");
    expect(maskUrl("postgres://host/db")).toBe("postgres://host/db");
    expect(maskUrl("hunter2")).toBe("(no URL)");
  });
});
