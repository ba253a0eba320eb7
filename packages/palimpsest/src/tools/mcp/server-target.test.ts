import { describe, expect, it } from "vitest";
import { maskSecrets, serverTarget } from "./server-target.ts";

const scene = { environment: { PATH: "/bin", KEY: "s3cret", EMPTY: "" }, cwd: "/work" };

describe("serverTarget", () => {
  it("makes a program of a command, in the folder and with the variables it names", () => {
    const settings = { command: "serve", cwd: "sub", environment: { A: `<\${KEY}>`, B: "$KEY {KEY}" } };
    expect(serverTarget(settings, scene)).toEqual({
      ok: true,
      value: {
        kind: "stdio",
        command: "serve",
        args: [],
        environment: { PATH: "/bin", A: "<s3cret>", B: "$KEY {KEY}" },
        cwd: "/work/sub",
        secrets: ["s3cret", "<s3cret>", "$KEY {KEY}"],
      },
    });
  });

  it("puts variables into headers, and nowhere else", () => {
    const url = "https://example.org/%24{KEY}";
    expect(serverTarget({ url, headers: { "X-Key": `\${KEY}` } }, scene)).toEqual({
      ok: true,
      value: { kind: "http", url, headers: { "X-Key": "s3cret" }, secrets: ["s3cret", "s3cret"] },
    });
    const command = { command: `\${KEY}`, args: [`\${KEY}`] };
    expect(serverTarget(command, scene)).toMatchObject({ value: { ...command, secrets: [] } });
  });

  it.each(["EMPTY", "ABSENT", "toString"])("fails where %s is not set", (name) => {
    expect(serverTarget({ url: "https://a.example", headers: { A: `x\${${name}}` } }, scene)).toMatchObject({
      error: {
        code: "invalid-input",
        message: `its settings name ${name}, which is not set`,
        fix: `Set ${name} in the environment, or take it out of the settings of this server.`,
      },
    });
  });
});

describe("maskSecrets", () => {
  it("hides the longest first, and leaves what is too short to be one", () => {
    const secrets = ["abcdef", "abcdefgh", "true", ""];
    expect(maskSecrets("abcdefgh abcdef true", { secrets })).toBe("*** *** true");
  });
});
