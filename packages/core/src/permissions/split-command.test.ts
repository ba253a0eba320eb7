import { describe, expect, it } from "vitest";
import { splitCommand } from "./command-scanner.ts";

const wordsOf = (command: string) => splitCommand(command).parts.map(({ words }) => words.join(" "));

describe("splitCommand", () => {
  it.each([
    ["git status", ["git status"]],
    ["a; b && c || d | e & f\ng |& h", ["a", "b", "c", "d", "e", "f", "g", "h"]],
    ["echo 'a; b' \"c && d\" e\\;f", ["echo a; b c && d e;f"]],
    ["g'i't \"st\"atus", ["git status"]],
    ["echo $HOME", ["echo $HOME"]],
    ["make 2>&1 | tail >/dev/null 2> /dev/null", ["make", "tail"]],
    ["make &>/dev/null", ["make"]],
    ["cat </dev/null;", ["cat"]],
    ["a;\n\n b", ["a", "b"]],
    ["", []],
  ])("takes %j apart and understands it", (command, parts) => {
    expect(wordsOf(command)).toEqual(parts);
    expect(splitCommand(command).isPlain).toBe(true);
  });

  it.each([
    ["a $(b c) d", ["a $(b c) d"], ["b c"]],
    ['a "x `b` y"', ["a x `b` y"], ["b"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not ours.
    ["a ${x:=$(b)}", ["a ${x:=$(b)}"], ["x:=$(b)"]],
    ["a <(b)", ["a", "b"], []],
    ["(a; b)", ["a", "b"], []],
    ["a > out b", ["a b"], []],
    ["a 3>>out", ["a"], []],
    ["a >/dev/nullx", ["a"], []],
    ["a <<E\nb\nE", ["a", "b", "E"], []],
    ["a # b\nc", ["a # b", "c"], []],
    ["a 'b", ["a b"], []],
    ['a "b', ["a b"], []],
    ["a `b", ["a `b"], ["b"]],
    ["a \\\nb", ["a b"], []],
    ["a\\", ["a"], []],
    ["a $'b'", ["a b"], []],
    ["a $?", ["a $?"], []],
    ["a\rb", ["a\rb"], []],
    ["a\0b", ["a\0b"], []],
    ["f() { rm x; }", ["f", "{ rm x", "}"], []],
    ["case x in a) b;; esac", ["case x in a", "b", "esac"], []],
  ])("is not sure about %j", (command, parts, nested) => {
    expect(wordsOf(command)).toEqual(parts);
    expect(splitCommand(command)).toMatchObject({ isPlain: false, nested });
  });

  it("keeps what was written, and sees variables in front", () => {
    expect(splitCommand("A=b  cmd 'x y' ;  next").parts).toEqual([
      { text: "A=b  cmd 'x y'", words: ["A=b", "cmd", "x y"], hasAssignment: true },
      { text: "next", words: ["next"], hasAssignment: false },
    ]);
  });
});
