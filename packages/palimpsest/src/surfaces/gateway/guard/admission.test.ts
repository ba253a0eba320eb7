import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAdmission } from "./admission.ts";

const roomy = { connections: 4, requests: 3, requestsPerConnection: 2, heldBytes: 100 };
const named = (name: string) => ({ name });

function begin(limits: Partial<typeof roomy> = {}) {
  const away: string[] = [];
  const admission = createAdmission<{ name: string }>({ ...roomy, ...limits }, ({ name }) => away.push(name));
  const connect = (name: string) => {
    const connection = named(name);
    admission.open(connection);
    return connection;
  };
  return { admission, away, connect };
}

describe("createAdmission", () => {
  it("sends away the connection that has been quiet for the longest time", () => {
    const { admission, away, connect } = begin();
    const [a] = ["a", "b", "c", "d"].map(connect) as [{ name: string }];
    admission.begin(a)?.end();
    for (const name of ["e", "f"]) connect(name);
    expect(away).toEqual(["b", "c"]);
  });

  it("sends no connection away on which something is under way", () => {
    const { admission, away, connect } = begin();
    for (const name of ["a", "b", "c"]) admission.begin(connect(name))?.complete();
    for (const name of ["d", "e", "f"]) connect(name);
    expect(away).toEqual(["d", "e"]);
  });

  it("lets a request in for one whose body does not end, and for none that was asked in full", () => {
    const { admission, away, connect } = begin();
    const [a, b, c, d] = ["a", "b", "c", "d"].map(connect) as { name: string }[];
    admission.begin(a as object as { name: string })?.complete();
    for (const one of [b, c]) expect(admission.begin(one as { name: string })).not.toBe(null);
    const fourth = admission.begin(d as { name: string });
    expect(away).toEqual(["b"]);
    fourth?.complete();
    admission.begin(connect("e"))?.complete();
    expect(away).toEqual(["b", "c"]);
    expect(admission.begin(connect("f"))).toBe(null);
    fourth?.end();
    expect(admission.begin(connect("g"))).not.toBe(null);
  });

  it("lets one connection have only so many requests at once", () => {
    const { admission, connect } = begin();
    const a = connect("a");
    const first = admission.begin(a);
    expect([admission.begin(a) === null, admission.begin(a) === null]).toEqual([false, true]);
    first?.end();
    first?.end();
    expect([admission.begin(a) === null, admission.begin(a) === null]).toEqual([false, true]);
  });

  it("keeps bodies within its bytes: the oldest that is not whole goes, then no more is taken", () => {
    const { admission, away, connect } = begin();
    const [a, b, c] = ["a", "b", "c"].map((name) => admission.begin(connect(name)));
    expect([a?.hold(60), b?.hold(40), c?.hold(1)]).toEqual([true, true, true]);
    expect(away).toEqual(["a"]);
    b?.complete();
    expect(c?.hold(60)).toBe(false);
    expect(a?.hold(1)).toBe(false);
    expect(away).toEqual(["a"]);
  });

  it("never has more than its limits, whatever comes in whatever order", () => {
    const step = fc.record({
      what: fc.constantFrom("open", "close", "begin", "hold", "complete", "end"),
      which: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const open = new Map<string, { name: string }>();
        const admission = createAdmission<{ name: string }>(roomy, ({ name }) => void open.delete(name));
        const requests: { name: string; bytes: number; request: ReturnType<typeof admission.begin> }[] = [];
        const alive = () => requests.filter(({ name }) => open.has(name));
        for (const { what, which } of steps) {
          const name = String(which);
          const connection = open.get(name);
          const mine = alive().find((one) => one.name === name);
          if (what === "open" && !connection) {
            const made = named(name);
            open.set(name, made);
            admission.open(made);
          }
          if (what === "begin" && connection) {
            const request = admission.begin(connection);
            if (request) requests.push({ name, bytes: 0, request });
          }
          if (what === "hold" && mine?.request?.hold(30)) mine.bytes += 30;
          if (what === "complete") mine?.request?.complete();
          const isOver = what === "end" || what === "close";
          for (const one of isOver ? alive().filter((other) => other.name === name) : []) {
            one.request?.end();
            requests.splice(requests.indexOf(one), 1);
          }
          if (what === "close" && connection) {
            admission.close(connection);
            open.delete(name);
          }
          for (const gone of requests.filter((one) => !open.has(one.name)))
            requests.splice(requests.indexOf(gone), 1);
          expect(open.size).toBeLessThanOrEqual(roomy.connections);
          expect(requests.length).toBeLessThanOrEqual(roomy.requests);
          expect(requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(roomy.heldBytes);
        }
      }),
    );
  });
});
