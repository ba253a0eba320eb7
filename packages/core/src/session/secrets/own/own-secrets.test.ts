import { describe, expect, it } from "vitest";
import { type OwnSecretSources, ownSecretsOf } from "./own-secrets.ts";

const random = "Qm7Zr2Lk9Xw4Tb6Vn1Hs";
const found = (environment: Record<string, string>, more: Partial<OwnSecretSources> = {}) =>
  Object.fromEntries(ownSecretsOf({ environment, ...more }).map(({ name, value }) => [value, name]));

describe("the process's own secrets", () => {
  it.each([
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "GITHUB_TOKEN",
    "NPM_TOKEN",
    "npm_config__authToken",
    "CLIENT_SECRET",
    "PGPASSWORD",
    "MYSQL_PWD",
    "GOOGLE_CREDENTIALS",
    "GITLAB_PAT",
    "STRIPE_PRIVATE",
    "BASIC_AUTH",
    "ci_job_jwt",
  ])("are values of names such as %s", (name) => {
    expect(found({ [name]: random })).toEqual({ [random]: name });
  });

  it("are none of what other variables hold", () => {
    expect(
      found({ PATH: "/usr/bin:/bin", KEYBOARD: random, GIT_AUTHOR_NAME: random, HOME: "/root/x" }),
    ).toEqual({});
  });

  it.each([
    "true",
    "localhost",
    "/usr/bin",
    "/run/user/1000/keyring/ssh",
    "~/.config/gcloud/application_default_credentials.json",
    "C:\\Users\\me\\key.pem",
    "1234567890",
    "production",
    "my-company-key",
    "xxxxxxxxxxxx",
    "abc123",
    "https://example.org/token",
  ])("are not such values as %s", (value) => {
    expect(found({ API_KEY: value })).toEqual({});
  });

  it("are found inside of other values", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N";
    expect(
      found({
        DATABASE_URL: "postgres://app:s3cr%2Ft-w0rd@db.example:5432/app?sslmode=require",
        HTTPS_PROXY: "http://me:Pr0xy-Passw0rd@proxy:3128",
        CLONE_FROM: "https://ghs_0123456789abcdef@example.org/x.git",
        CALLBACK: "https://example.org/hook?user=me&api_key=Ky7-abcdefgh",
        ODBC: "Server=db;User=me;Password=Hj8kLm2Nq;Port=1",
        OTHER: "sk-ant-api03-AbC_dEf-0123456789xyz",
        SERVICE_CREDENTIALS: JSON.stringify({
          token_uri: "https://oauth.example/token",
          private_key:
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nAsdfGhj0123456789\n-----END PRIVATE KEY-----\n",
        }),
        SESSION_JWT: jwt,
      }),
    ).toEqual({
      "s3cr%2Ft-w0rd": "DATABASE_URL",
      "s3cr/t-w0rd": "DATABASE_URL",
      "Pr0xy-Passw0rd": "HTTPS_PROXY",
      ghs_0123456789abcdef: "CLONE_FROM",
      "Ky7-abcdefgh": "CALLBACK",
      Hj8kLm2Nq: "ODBC",
      "sk-ant-api03-AbC_dEf-0123456789xyz": "OTHER",
      MIIEvQIBADANBgkqhkiG9w0BAQ: "SERVICE_CREDENTIALS",
      AsdfGhj0123456789: "SERVICE_CREDENTIALS",
      [jwt.slice(jwt.indexOf(".") + 1)]: "SESSION_JWT",
    });
  });

  it("are those of settings, of servers and of models too", () => {
    const basic = Buffer.from("me:B4sic-Passw0rd").toString("base64");
    const sources: Partial<OwnSecretSources> = {
      settings: {
        environment: { DEPLOY_TOKEN: `${random}1` },
        mcp: {
          one: { command: "x", environment: { ONE_KEY: `${random}2`, MODE: random } },
          two: {
            url: "https://x",
            headers: { Authorization: `Bearer ${random}3`, "X-Api-Key": `${random}4` },
          },
          three: {
            url: "https://y",
            headers: { authorization: `Basic ${basic}`, accept: "application/json" },
          },
        },
      },
      given: [{ name: "apiKey", value: `${random}5` }],
    };
    expect(found({}, sources)).toEqual({
      [`${random}1`]: "DEPLOY_TOKEN",
      [`${random}2`]: "ONE_KEY",
      [`${random}3`]: "Authorization",
      [`${random}4`]: "X-Api-Key",
      [basic]: "authorization",
      "B4sic-Passw0rd": "authorization",
      [`${random}5`]: "apiKey",
    });
  });
});
