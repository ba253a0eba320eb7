/** What a person did at the keyboard. Several characters that come at once are one key. */
export type Key = { readonly name: "text" | "paste"; readonly text: string } | { readonly name: NamedKey };

/** Keys by the names people have for them. */
export type NamedKey =
  | "enter"
  | "newline"
  | "tab"
  | "backtab"
  | "escape"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "word-left"
  | "word-right"
  | "delete-word"
  | "ctrl-c"
  | "ctrl-d"
  | "ctrl-k"
  | "ctrl-l"
  | "ctrl-o"
  | "ctrl-t"
  | "ctrl-u";
