import { chmod, lstat, readdir, rm, symlink } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { userInfo } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../../testing/src/virtual-clock.ts";
import { createRuntime } from "../../../runtime.ts";
import { fail, type Mail, ok, type Result } from "../../../spec/index.ts";
import { locationOfSocket, socketFolder, socketLocation } from "./check-location.ts";
import { listenForMail } from "./listen-for-mail.ts";
import { createSocketSender } from "./send-over-socket.ts";

const { uid: owner } = userInfo();
const at = "2026-11-15T12:00:00.000Z";
const mailFrom = (from: string, body: unknown = "x") => ({ id: "mail_1", from, at, body });

/** Sessions that listen in one folder. */
async function createScene() {
  const folder = `${await temporaryFolder()}/sockets`;
  const shared = { owner, ids: createRuntime().ids, clock: createVirtualClock() };
  async function listen(id: string, accept: (mail: Mail) => Promise<Result<void>> = async () => ok()) {
    const listener = must(
      await listenForMail({ ...shared, location: socketLocation(folder, id), id, accept }),
    );
    onTestFinished(listener.close);
    return listener;
  }
  return { folder, shared, listen, send: createSocketSender({ ...shared, folder }) };
}

describe("mail over a socket", () => {
  it("is accepted from a session that proves who it is, or an agent of it", async () => {
    const { listen, send } = await createScene();
    const got: Mail[] = [];
    const { path } = await listen("ses_2", async (mail) => {
      got.push(mail);
      return ok();
    });
    await listen("ses_1");
    const body = { content: "ü\n".repeat(50_000) };
    expect(must(await send(path, mailFrom("ses_1", body)))).toBe("ses_2");
    expect(must(await send(path, mailFrom("ses_1/agent_1")))).toBe("ses_2");
    expect(got).toEqual([
      { ...mailFrom("ses_1", body), to: "ses_2" },
      { ...mailFrom("ses_1/agent_1"), to: "ses_2" },
    ]);
  });

  it("is only its owner's: folder 0700, socket and token 0600", async () => {
    const { folder, listen } = await createScene();
    await listen("ses_1");
    const modes: Record<string, number> = { folder: (await lstat(folder)).mode & 0o777 };
    for (const name of await readdir(folder))
      modes[name.split(".")[1] ?? ""] = (await lstat(`${folder}/${name}`)).mode & 0o777;
    expect(modes).toEqual({ folder: 0o700, sock: 0o600, token: 0o600 });
  });

  it("is refused from who has no token, or another's", async () => {
    const { listen, send } = await createScene();
    const { path } = await listen("ses_2");
    expect(refused(await send(path, mailFrom("ses_1")))).toBe("not-found");
    await listen("ses_1");
    const line = await talk(path, (hello) => ({ from: "ses_1", nonce: hello.nonce, proof: "0".repeat(64) }));
    expect(line).toMatchObject({ ok: false, code: "unauthenticated" });
    expect(await talk(path, () => ({ from: "../ses_1", nonce: "n", proof: "" }))).toMatchObject({
      ok: false,
    });
    expect(await talk(path, () => [1])).toMatchObject({ ok: false, code: "unauthenticated" });
  });

  it("is not handed to who cannot prove to be the session", async () => {
    const { folder, listen, send } = await createScene();
    await listen("ses_1");
    const { path } = await listen("ses_2");
    await rm(path);
    const got: string[] = [];
    const impostor = createServer((socket) => {
      socket.write(`${JSON.stringify({ v: 1, id: "ses_2", nonce: "n" })}\n`);
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        got.push(String(chunk));
        socket.write(`${JSON.stringify({ proof: "0".repeat(64) })}\n`);
      });
    });
    await new Promise<void>((resolve) => impostor.listen(path, resolve));
    onTestFinished(() => void impostor.close());
    await chmod(path, 0o600);
    expect(refused(await send(path, mailFrom("ses_1", "secret")))).toBe("unauthenticated");
    expect(got.join("")).not.toContain("secret");
    expect(await readdir(folder)).toHaveLength(4);
  });

  it("trusts no folder, socket or token that others may touch, and no link", async () => {
    const { folder, listen, send, shared } = await createScene();
    await listen("ses_1");
    const { path } = await listen("ses_2");
    await chmod(path, 0o666);
    expect(refused(await send(path, mailFrom("ses_1")))).toBe("permission");
    await chmod(path, 0o600);
    await chmod(socketLocation(folder, "ses_1").token, 0o644);
    expect(refused(await send(path, mailFrom("ses_1")))).toBe("permission");
    await chmod(socketLocation(folder, "ses_1").token, 0o600);
    must(await send(path, mailFrom("ses_1")));
    await chmod(folder, 0o755);
    expect(refused(await send(path, mailFrom("ses_1")))).toBe("permission");
    const location = socketLocation(folder, "ses_3");
    const options = { ...shared, id: "ses_3", accept: async () => ok() };
    expect(refused(await listenForMail({ ...options, location }))).toBe("permission");
    await chmod(folder, 0o700);
    const strange = createSocketSender({ ...shared, folder, owner: owner + 1 });
    expect(refused(await strange(path, mailFrom("ses_1")))).toBe("permission");
    const linked = `${await temporaryFolder()}/linked`;
    await symlink(folder, linked);
    const through = createSocketSender({ ...shared, folder: linked });
    expect(refused(await through(path.replace(folder, linked), mailFrom("ses_1")))).toBe("permission");
  });

  it("leads nowhere outside its folder", async () => {
    const { send, listen } = await createScene();
    const other = await createScene();
    const { path } = await other.listen("ses_2");
    await listen("ses_1");
    for (const odd of [path, "/etc/passwd", `${path}/../x.sock`, "relative.sock"])
      expect(refused(await send(odd, mailFrom("ses_1")))).toBe("permission");
  });

  it("says that nobody listens, also where a dead session has left its socket", async () => {
    const { folder, send, listen } = await createScene();
    await listen("ses_1");
    expect(refused(await send(socketLocation(folder, "ses_2").socket, mailFrom("ses_1")))).toBe(
      "disconnected",
    );
    const { path, close } = await listen("ses_2");
    await close();
    expect(refused(await send(path, mailFrom("ses_1")))).toBe("disconnected");
    const left = await listen("ses_2");
    expect(must(await send(left.path, mailFrom("ses_1")))).toBe("ses_2");
  });

  it("tells the sender when the mail could not be kept", async () => {
    const { listen, send } = await createScene();
    await listen("ses_1");
    const { path } = await listen("ses_2", async () =>
      fail("too-large", "The mailbox is full.", { retryable: true }),
    );
    const sent = await send(path, mailFrom("ses_1"));
    expect(!sent.ok && [sent.error.code, sent.error.retryable]).toEqual(["too-large", true]);
  });

  it("hangs up on who says too much, or nothing", async () => {
    const { listen, shared } = await createScene();
    const { path } = await listen("ses_2");
    const flood = connect(path);
    flood.on("error", () => {});
    const flooded = new Promise((resolve) => flood.on("close", resolve));
    flood.write(Buffer.alloc(2 * 1024 * 1024, 65));
    await flooded;
    const silent = connect(path);
    const ended = new Promise((resolve) => silent.on("close", resolve));
    await new Promise((resolve) => silent.once("data", resolve));
    await shared.clock.advance(10_000);
    await ended;
  });
});

describe("the place of a socket", () => {
  it("is short, whatever the data root and the session are called", () => {
    const folder = socketFolder(`/${"deep/".repeat(40)}home`, "/tmp");
    for (const at of [folder, socketFolder("/home/me/.palimpsest", "/tmp")])
      expect(Buffer.byteLength(socketLocation(at, "s".repeat(128)).socket)).toBeLessThanOrEqual(100);
    expect(socketFolder("/home/me/.palimpsest", "/tmp")).toBe("/home/me/.palimpsest/sockets");
  });

  it("is known by its path, and no other path is one", () => {
    const location = socketLocation("/s", "ses_1");
    expect(locationOfSocket(location.socket)).toEqual(location);
    expect(socketLocation("/s", "ses_1/agent_2")).toEqual(location);
    for (const path of ["/s/a.sock", "s/0123456789abcdef.sock", "/s/0123456789abcdef.sock/x", ""])
      expect(locationOfSocket(path)).toBeNull();
  });
});

/** Speaks to a listener by hand: answers its greeting, and gives what it says then. */
function talk(path: string, answer: (hello: Record<string, unknown>) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let said = 0;
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      const value = JSON.parse(String(chunk)) as Record<string, unknown>;
      said += 1;
      if (said === 1) socket.write(`${JSON.stringify(answer(value))}\n`);
      else resolve(value);
    });
  });
}
