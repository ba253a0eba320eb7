import { type ErrorCode, fail, PalimpsestError, type Result } from "@palimpsest/core/spec";

/** One call that reached the disk; `file-…` names are calls on an open file that the disk has too. */
export interface DiskRequest {
  readonly name:
    | "open"
    | "stat"
    | "list"
    | "makeDirectory"
    | "rename"
    | "link"
    | "remove"
    | "removeTree"
    | "syncDirectory"
    | "realPath"
    | "read"
    | "append"
    | "truncate"
    | "setModified"
    | "sync"
    | "file-stat"
    | "close";
  /** For a call on an open file the path it was opened by. */
  readonly path: string;
  readonly to?: string;
  readonly how?: "read" | "append" | "create";
  /** Asked for in `read`, given to `append`, left by `truncate`. */
  readonly bytes?: number;
}

export interface DiskOperation extends DiskRequest {
  /** Counts from 0. */
  readonly index: number;
  readonly outcome: "ok" | ErrorCode;
}

export interface PartialOptions {
  /**
   * How much of the operation happens all the same: bytes of an `append`, directories of a `makeDirectory`, names of
   * a `removeTree`. Default 0: nothing. `Infinity`: all of it, for every operation.
   */
  readonly partial?: number;
}

export type OperationPredicate = (operation: Omit<DiskOperation, "outcome">) => boolean;

/** The effect of an operation when it happens wholly, and when a fault stops it. */
export interface Action<T> {
  whole(): Result<T>;
  partly?(amount: number): void;
  /** Runs when the operation fails by a planted fault and did not happen wholly. */
  refused?(): void;
}

/** The calls of one process: counted, recorded, and failed or cut off as planned. Of two faults the older one counts. */
export interface Operations {
  readonly trace: readonly DiskOperation[];
  /** True once every further call fails with `crashed`. */
  readonly crashed: boolean;
  /** Operation `index` fails with `code`. */
  failAt(index: number, code: ErrorCode, options?: PartialOptions): void;
  /** Every operation that matches fails with `code`, until the returned function is called; `crashed` is a crash. */
  failWhen(matches: OperationPredicate, code: ErrorCode, options?: PartialOptions): () => void;
  /** The process dies at operation `index`: it and all that follow fail with `crashed`. */
  crashAt(index: number, options?: PartialOptions): void;
  /** The process dies now. */
  crash(): void;
  /** Counts the request and does what it asks for, one microtask from now. */
  perform<T>(request: DiskRequest, action: Action<T>): Promise<Result<T>>;
}

interface Fault {
  readonly matches: OperationPredicate;
  readonly code: ErrorCode;
  readonly partial: number;
}

/** `beforeEach` runs before an operation happens. */
export function createOperations(beforeEach: () => void): Operations {
  const trace: DiskOperation[] = [];
  const faults = new Set<Fault>();
  let crashed = false;

  function plan(matches: OperationPredicate, code: ErrorCode, options: PartialOptions = {}) {
    const fault = { matches, code, partial: options.partial ?? 0 };
    faults.add(fault);
    return () => void faults.delete(fault);
  }

  function isAt(index: number): OperationPredicate {
    if (!(Number.isInteger(index) && index >= trace.length)) {
      throw new PalimpsestError("invalid-input", `Operation ${index} cannot fail: ${trace.length} have run.`);
    }
    return (operation) => operation.index === index;
  }

  function execute<T>(operation: DiskRequest & { readonly index: number }, action: Action<T>): Result<T> {
    const fault = [...faults].find(({ matches }) => matches(operation));
    if (fault === undefined) return action.whole();
    if (fault.code === "crashed") crashed = true;
    if (fault.partial === Number.POSITIVE_INFINITY) action.whole();
    else if (fault.partial > 0) action.partly?.(fault.partial);
    if (fault.partial !== Number.POSITIVE_INFINITY && !crashed) action.refused?.();
    return crashed ? goneError(operation) : plantedError(operation, fault.code);
  }

  return {
    trace,
    get crashed() {
      return crashed;
    },
    failAt: (index, code, options) => void plan(isAt(index), code, options),
    failWhen: plan,
    crashAt: (index, options) => void plan(isAt(index), "crashed", options),
    crash() {
      crashed = true;
    },
    async perform(request, action) {
      // The caller goes on before the operation happens, as with a real disk.
      await undefined;
      if (crashed) return goneError(request);
      beforeEach();
      const operation = { index: trace.length, ...request };
      const result = execute(operation, action);
      trace.push({ ...operation, outcome: result.ok ? "ok" : result.error.code });
      return result;
    },
  };
}

function goneError({ name, path }: DiskRequest) {
  return fail("crashed", `${name} ${path}: the process has crashed`, { path });
}

function plantedError({ name, path }: DiskRequest, code: ErrorCode) {
  return fail(code, `${name} ${path}: fails with ${code}, as the test planned`, { path });
}
