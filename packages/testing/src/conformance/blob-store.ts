import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { BlobStore } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** The contract of every blob store. `create` gives two stores over one new storage, as two processes have them. */
export function blobStoreConformance(
  create: () => Promise<{ readonly first: BlobStore; readonly second: BlobStore }>,
): readonly ConformanceCase[] {
  const contents: readonly (readonly [string, Uint8Array, number])[] = [
    ["an empty one", bytesOf(""), 0],
    ["a line", bytesOf("one\n"), 1],
    ["an unfinished line", bytesOf("one\ntwo"), 2],
    ["nothing but newlines", bytesOf("\n\n\n"), 3],
    ["lone carriage returns and U+2028", bytesOf("a\rb\u2028c"), 1],
    ["bytes that are no text", Uint8Array.from({ length: 512 }, (_, index) => index % 256), 3],
    ["a megabyte", new Uint8Array(1024 * 1024).fill(65), 1],
  ];
  return [
    ...contents.flatMap(([what, bytes, lines]) =>
      [false, true].map((durable) => ({
        name: `gives back ${what}${durable ? ", put durably" : ""}, and says how much it is`,
        async run() {
          const { first, second } = await create();
          const ref = must(await first.put("one", bytes, { durable }));
          assert.deepEqual(ref, { blob: sha256Of(bytes), bytes: bytes.length, lines });
          for (const store of [first, second]) {
            assert.equal(plain(must(await store.get("one", ref.blob))), plain(bytes));
          }
        },
      })),
    ),
    {
      name: "stores the same bytes once, however often and by whomever they are put",
      async run() {
        const { first, second } = await create();
        const bytes = bytesOf("the same");
        const puts = [first, second, first, second].map((store, index) =>
          store.put("one", bytes, { durable: index % 2 === 0 }),
        );
        for (const put of await Promise.all(puts)) assert.equal(must(put).blob, sha256Of(bytes));
        must(await second.put("one", bytes));
        must(await second.put("one", bytes, { durable: true }));
        assert.deepEqual(must(await first.list("one")), [sha256Of(bytes)]);
        assert.equal(plain(must(await first.get("one", sha256Of(bytes)))), "the same");
      },
    },
    {
      name: "lists the blobs of a session, sorted, and none for a session that has none",
      async run() {
        const { first, second } = await create();
        const refs = [];
        for (const text of ["a", "b", "c", "d"]) refs.push(must(await first.put("one", bytesOf(text))).blob);
        assert.deepEqual(must(await second.list("one")), refs.toSorted());
        assert.deepEqual(must(await second.list("two")), []);
      },
    },
    {
      name: "keeps sessions apart, a fork from its parent too",
      async run() {
        const { first } = await create();
        const { blob } = must(await first.put("one", bytesOf("mine")));
        assert.equal(refused(await first.get("two", blob)), "not-found");
        assert.equal(refused(await first.get("one/fork", blob)), "not-found");
        const forked = must(await first.put("one/fork", bytesOf("the fork's"))).blob;
        assert.deepEqual(must(await first.list("one")), [blob]);
        assert.deepEqual(must(await first.list("one/fork")), [forked]);
      },
    },
    {
      name: "says that a blob it never had is not found",
      async run() {
        const { first } = await create();
        must(await first.put("one", bytesOf("something")));
        assert.equal(refused(await first.get("one", sha256Of(bytesOf("else")))), "not-found");
        assert.equal(refused(await first.get("never", sha256Of(bytesOf("else")))), "not-found");
      },
    },
    {
      name: "refuses what is not a hash and what is not a session id, in every call",
      async run() {
        const { first } = await create();
        const { blob } = must(await first.put("one", bytesOf("x")));
        for (const hash of [
          "",
          "..",
          "../../secret",
          blob.toUpperCase(),
          blob.slice(1),
          `${blob}0`,
          `${blob}\n`,
        ]) {
          assert.equal(refused(await first.get("one", hash)), "invalid-input", hash);
          assert.equal(refused(await first.name("one", hash, "name")), "invalid-input", hash);
        }
        for (const session of ["", "..", "a/../b", "/a", "a/b/c", "a b", "a\0"]) {
          assert.equal(refused(await first.put(session, bytesOf("x"))), "invalid-input", session);
          assert.equal(refused(await first.get(session, blob)), "invalid-input", session);
          assert.equal(refused(await first.list(session)), "invalid-input", session);
          assert.equal(refused(await first.name(session, blob, "name")), "invalid-input", session);
          assert.equal(refused(await first.removeAll(session)), "invalid-input", session);
        }
      },
    },
    {
      name: "gives a name an address, the same one when it is given again",
      async run() {
        const { first, second } = await create();
        const { blob } = must(await first.put("one", bytesOf("result")));
        const address = must(await first.name("one", blob, "toolu_01"));
        assert.ok(address.length > 0);
        assert.equal(must(await second.name("one", blob, "toolu_01")), address);
        assert.notEqual(must(await first.name("one", blob, "toolu_02")), address);
        assert.notEqual(must(await first.name("one", blob, "../../odd name\n")), address);
      },
    },
    {
      name: "refuses a name that means other content already, and a name for nothing",
      async run() {
        const { first, second } = await create();
        const { blob } = must(await first.put("one", bytesOf("result")));
        const other = must(await first.put("one", bytesOf("another"))).blob;
        must(await first.name("one", blob, "toolu_01"));
        assert.equal(refused(await second.name("one", other, "toolu_01")), "exists");
        assert.equal(refused(await first.name("one", sha256Of(bytesOf("never")), "toolu_02")), "not-found");
        must(await first.name("one", blob, "toolu_01"));
      },
    },
    {
      name: "removes all blobs of one session and no others, and is content if there are none",
      async run() {
        const { first, second } = await create();
        const bytes = bytesOf("shared text");
        const { blob } = must(await first.put("one", bytes));
        must(await first.put("two", bytes));
        must(await first.name("one", blob, "toolu_01"));
        must(await second.removeAll("one"));
        must(await second.removeAll("one"));
        must(await second.removeAll("never"));
        assert.ok(["collected", "not-found"].includes(refused(await first.get("one", blob))));
        assert.deepEqual(must(await first.list("one")), []);
        assert.equal(plain(must(await first.get("two", blob))), "shared text");
      },
    },
    {
      name: "takes a blob again after its session's blobs were removed",
      async run() {
        const { first, second } = await create();
        const bytes = bytesOf("again");
        const { blob } = must(await first.put("one", bytes, { durable: true }));
        must(await second.removeAll("one"));
        must(await first.put("one", bytes, { durable: true }));
        assert.equal(plain(must(await second.get("one", blob))), "again");
      },
    },
    {
      name: "gives bytes that are the caller's own",
      async run() {
        const { first } = await create();
        const bytes = bytesOf("unchanged");
        const { blob } = must(await first.put("one", bytes));
        bytes.fill(0);
        must(await first.get("one", blob)).fill(0);
        assert.equal(plain(must(await first.get("one", blob))), "unchanged");
      },
    },
  ];
}
