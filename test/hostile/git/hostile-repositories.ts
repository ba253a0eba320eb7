/** A repository that somebody has unpacked. `PAYLOAD` stands for a program that leaves a canary. */
export interface HostileRepository {
  readonly name: string;
  /** What it is made from. */
  readonly shape?: "whole" | "sparse" | "submodules" | "former-submodule" | "bare" | "elsewhere";
  /** Added to its configuration. */
  readonly config?: string;
  /** Written over or beside its files, by path; what begins with `#!` may be executed. `GIT` stands for its git folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** A text of the shell that makes in it what no text can name. */
  readonly script?: string;
  /** What the person's environment has besides; `WORK` stands for the folder. */
  readonly environment?: Readonly<Record<string, string>>;
}

const hook = "#!/bin/sh\nexec PAYLOAD\n";

/** Every file has these attributes, whatever the repository says in its own files. */
const attributes = (line: string) => ({ "GIT/info/attributes": `* ${line}\n` });

const promisor = (remote: string, more = "") =>
  `[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n[remote "origin"]\npromisor = true\n${remote}\n${more}`;

const everyProtocol = ["ext", "file", "git", "ssh", "http", "https"]
  .map((name) => `[protocol "${name}"]\nallow = always\n`)
  .join("");

const lazyFetches: readonly HostileRepository[] = [
  ["over ext", "url = ext::PAYLOAD", everyProtocol],
  ["over ext, allowed for all", "url = ext::PAYLOAD", "[protocol]\nallow = always\n"],
  ["through an alias for the helper of no protocol", "url = none::x", '[alias]\nremote-none = "!PAYLOAD"\n'],
  ["through an alias for a helper without a name", "url = ::x", '[alias]\nremote- = "!PAYLOAD"\n'],
  ["through an alias for a helper that is there", "url = fd::x", '[alias]\nremote-foo = "!PAYLOAD"\n'],
  ["through a foreign system with an alias", "vcs = foo", '[alias]\nremote-foo = "!PAYLOAD"\n'],
  ["over ssh with a command", "url = ssh://host/x", '[core]\nsshCommand = "PAYLOAD #"\n'],
  ["over the short form of ssh", "url = host:x", '[core]\nsshCommand = "PAYLOAD #"\n'],
  ["over git with a proxy", "url = git://host/x", "[core]\ngitProxy = PAYLOAD\n"],
  ["over a file with an upload-pack", "url = file:///tmp\nuploadpack = PAYLOAD", ""],
  ["over a path with an upload-pack", "url = /tmp\nuploadpack = PAYLOAD", ""],
  [
    "over an address that is rewritten",
    "url = https://host/x",
    '[url "ext::PAYLOAD #"]\ninsteadOf = https://host/\n',
  ],
  ["over https with a credential helper", "url = https://127.0.0.1:9/x", "[credential]\nhelper = !PAYLOAD\n"],
].map(([name, remote = "", more = ""]) => ({
  name: `lazy fetch ${name}`,
  shape: "sparse",
  config: promisor(remote, `${more}${everyProtocol}`),
}));

/** Names that a configuration may give a driver, as they are written in it and in attributes. */
const driverNames: readonly (readonly [string, string, string])[] = [
  ["plain", "evil", "evil"],
  ["upper-case", "EVIL", "EVIL"],
  ["dotted", "a.b.c", "a.b.c"],
  ["with an equals sign", "evil=worse", "evil=worse"],
  ["with a slash and a colon", "a/b:c", "a/b:c"],
  ["unicode", "größe-🦆", "größe-🦆"],
  ["named like a variable", "x.clean", "x.clean"],
  ["quoted", 'q\\"q', 'q"q'],
  ["with a backslash", "b\\\\b", "b\\b"],
  ["named like an option", "-c", "-c"],
  ["without a name", "", ""],
];

const filters: readonly HostileRepository[] = [
  ...driverNames.map(([what, written, name]) => ({
    name: `filter ${what}`,
    config: `[filter "${written}"]\nclean = PAYLOAD\nsmudge = PAYLOAD\nrequired = true\n`,
    files: attributes(`filter=${name}`),
  })),
  {
    name: "filter as a process",
    config: '[filter "evil"]\nprocess = PAYLOAD\nrequired = true\n',
    files: attributes("filter=evil"),
  },
  {
    name: "filter as a process beside single ones",
    config: '[filter "evil"]\nprocess = PAYLOAD\nclean = PAYLOAD\nsmudge = PAYLOAD\n',
    files: attributes("filter=evil"),
  },
  {
    name: "filter in the old form of a section",
    config: "[filter.Evil]\nclean = PAYLOAD\nsmudge = PAYLOAD\n",
    files: attributes("filter=evil"),
  },
  {
    name: "filter that a tracked file asks for",
    config: '[filter "committed"]\nclean = PAYLOAD\nsmudge = PAYLOAD\n',
  },
  {
    name: "filter of attributes in another file",
    config: '[core]\nattributesFile = GIT/other\n[filter "evil"]\nclean = PAYLOAD\nsmudge = PAYLOAD\n',
    files: { "GIT/other": "* filter=evil\n" },
  },
  {
    name: "filter in an included file",
    config: "[include]\npath = more.inc\n",
    files: {
      "GIT/more.inc": '[filter "evil"]\nclean = PAYLOAD\nsmudge = PAYLOAD\n',
      ...attributes("filter=evil"),
    },
  },
  {
    name: "filter included in worktrees only",
    config: '[includeIf "gitdir:**/worktrees/**"]\npath = more.inc\n',
    files: {
      "GIT/more.inc": '[filter "evil"]\nclean = PAYLOAD\nsmudge = PAYLOAD\n',
      ...attributes("filter=evil"),
    },
  },
  {
    name: "filter included on a branch",
    config: '[includeIf "onbranch:main"]\npath = more.inc\n',
    files: { "GIT/more.inc": '[filter "evil"]\nclean = PAYLOAD\n', ...attributes("filter=evil") },
  },
  {
    name: "filter included for a remote",
    config:
      '[remote "o"]\nurl = https://h/x\n[includeIf "hasconfig:remote.*.url:https://h/**"]\npath = more.inc\n',
    files: { "GIT/more.inc": '[filter "evil"]\nclean = PAYLOAD\n', ...attributes("filter=evil") },
  },
  {
    name: "filter in the configuration of a worktree",
    config: "[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n",
    files: {
      "GIT/config.worktree": '[filter "evil"]\nclean = PAYLOAD\nsmudge = PAYLOAD\n',
      ...attributes("filter=evil"),
    },
  },
  {
    name: "filter that is delayed by workers",
    config: '[checkout]\nworkers = 4\nthresholdForParallelism = 1\n[filter "evil"]\nsmudge = PAYLOAD\n',
    files: attributes("filter=evil"),
  },
];

const diffs: readonly HostileRepository[] = [
  { name: "external diff", config: "[diff]\nexternal = PAYLOAD\n" },
  ...driverNames.slice(0, 8).map(([what, written, name]) => ({
    name: `diff driver with a command, ${what}`,
    config: `[diff "${written}"]\ncommand = PAYLOAD\n`,
    files: attributes(`diff=${name}`),
  })),
  ...driverNames.slice(0, 8).map(([what, written, name]) => ({
    name: `diff driver with a textconv, ${what}`,
    config: `[diff "${written}"]\ntextconv = PAYLOAD\ncachetextconv = true\n`,
    files: attributes(`diff=${name}`),
  })),
  { name: "diff driver that a tracked file asks for", config: '[diff "committed"]\ntextconv = PAYLOAD\n' },
];

const programs: readonly HostileRepository[] = [
  { name: "file monitor", config: "[core]\nfsmonitor = PAYLOAD\n" },
  { name: "file monitor of version 1", config: "[core]\nfsmonitor = PAYLOAD\nfsmonitorHookVersion = 1\n" },
  {
    name: "file monitor in an included file",
    config: "[include]\npath = more.inc\n",
    files: { "GIT/more.inc": "[core]\nfsmonitor = PAYLOAD\n" },
  },
  { name: "signatures shown", config: "[log]\nshowSignature = true\n[gpg]\nprogram = PAYLOAD\n" },
  {
    name: "signatures in a format of its own",
    config: '[format]\npretty = "%G? %h"\n[gpg]\nprogram = PAYLOAD\n',
  },
  {
    name: "signatures by a program for their form",
    config: '[log]\nshowSignature = true\n[gpg "openpgp"]\nprogram = PAYLOAD\n',
  },
  {
    name: "pager",
    config: "[core]\npager = PAYLOAD\n[pager]\nstatus = PAYLOAD\nlog = PAYLOAD\ndiff = true\n",
  },
  { name: "editor", config: "[core]\neditor = PAYLOAD\n[sequence]\neditor = PAYLOAD\n" },
  {
    name: "aliases of commands that are there",
    config: '[alias]\nstatus = "!PAYLOAD"\nlog = "!PAYLOAD"\nls-files = "!PAYLOAD"\n',
  },
  {
    name: "submodules in the status",
    config: "[status]\nsubmoduleSummary = true\n[core]\nfsmonitor = PAYLOAD\n",
  },
  {
    name: "maintenance in the background",
    config: "[gc]\nauto = 1\nautoDetach = true\n[core]\nalternateRefsCommand = PAYLOAD\n",
    files: { "GIT/hooks/pre-auto-gc": hook },
  },
  {
    name: "trailers, merge drivers and tools",
    config:
      '[trailer "x"]\ncommand = PAYLOAD\n[merge "x"]\ndriver = PAYLOAD\n[diff]\ntool = x\n[difftool "x"]\ncmd = PAYLOAD\n',
  },
  {
    name: "hooks in the configuration",
    config: '[hook "x"]\ncommand = PAYLOAD\nevent = post-checkout\nevent = post-index-change\n',
  },
  {
    name: "templates",
    config: "[init]\ntemplateDir = GIT/evil\n",
    files: { "GIT/evil/hooks/post-checkout": hook },
  },
];

/** Names that are no text, as `printf` writes their bytes. */
const byteNames: readonly (readonly [string, string])[] = [
  ["with a byte of no text", "\\377"],
  ["in Latin-1", "caf\\351"],
  ["with half of a pair", "\\355\\240\\200"],
  ["in a longer form than is allowed", "\\300\\257"],
  ["cut off within a letter", "x\\342\\202"],
];

/** In a git folder: a section of this name, and every file of a kind that asks for it. */
const byteDriver = (gitFolder: string, section: string, name: string, lines: string) =>
  `mkdir -p ${gitFolder}/info
  printf '[${section} "${name}"]\n${lines}' >> ${gitFolder}/config
  printf '* ${section}=${name}\n' > ${gitFolder}/info/attributes`;

/** A repository with a filter of its own in a folder, which the index of another has as a submodule. */
const byteSubmodule = (path: string, from = ".") =>
  `sub=$(printf '${path}')
  mkdir -p ${from}/"$sub" && git init -q ${from}/"$sub" && cd ${from}/"$sub"
  echo s > s.txt && git add . && git -c user.name=a -c user.email=a@b commit -q -m one
  ${byteDriver(".git", "filter", "x", "clean = PAYLOAD\\n")}
  echo t > s.txt && touch -t 200001010000 s.txt
  id=$(git rev-parse HEAD) && cd "$OLDPWD" && cd ${from}
  git update-index --add --cacheinfo "160000,$id,$sub"`;

const bytes: readonly HostileRepository[] = [
  ...byteNames.flatMap(([what, name]) =>
    [
      ["filter", "filter", "clean = PAYLOAD\\nsmudge = PAYLOAD\\n"],
      ["filter as a process", "filter", "process = PAYLOAD\\n"],
      ["diff driver with a textconv", "diff", "textconv = PAYLOAD\\n"],
      ["diff driver with a command", "diff", "command = PAYLOAD\\n"],
    ].map(([kind = "", section = "", lines = ""]) => ({
      name: `${kind} ${what}`,
      script: byteDriver(".git", section, name, lines),
    })),
  ),
  {
    name: "filter with a byte of no text in an included file",
    script: `mkdir -p .git/info
      printf '[filter "\\377"]\nclean = PAYLOAD\n' > .git/more.inc
      printf '[include]\npath = more.inc\n' >> .git/config
      printf '* filter=\\377\n' > .git/info/attributes`,
  },
  {
    name: "filter in an included file with a byte of no text in its name",
    script: `mkdir -p .git/info
      printf '[filter "evil"]\nclean = PAYLOAD\n' > ".git/$(printf '\\377')"
      printf '[include]\npath = \\377\n' >> .git/config
      printf '* filter=evil\n' > .git/info/attributes`,
  },
  {
    name: "filter of a submodule, with a byte of no text",
    shape: "submodules",
    script: byteDriver(".git/modules/sub", "filter", "\\377", "clean = PAYLOAD\\n"),
  },
  { name: "filter of a submodule at a path that is no text", script: byteSubmodule("s\\377") },
  { name: "filter of a submodule in a folder that is no text", script: byteSubmodule("d/\\351/s") },
  {
    name: "filter of a submodule at a path that is no text, beside its twin",
    script: `mkdir "$(printf 's\\357\\277\\275')"
      ${byteSubmodule("s\\377")}`,
  },
  {
    name: "filter of a submodule in a submodule, at a path that is no text",
    shape: "submodules",
    script: byteSubmodule("\\351", "sub"),
  },
  {
    name: "filter where the working tree is named by no text",
    shape: "submodules",
    script: `tree=$(printf '../w\\377') && mkdir "$tree" && mv a.txt c.txt b.bin d sub .gitattributes .gitmodules "$tree"
      printf '[core]\nworktree = ../../w\\377\n' >> .git/config
      printf '[core]\nworktree = ../../../../w\\377/sub\n' >> .git/modules/sub/config
      printf 'gitdir: ../../work/.git/modules/sub\n' > "$tree/sub/.git"
      ${byteDriver(".git/modules/sub", "filter", "x", "clean = PAYLOAD\\n")}`,
  },
];

const hooks: readonly HostileRepository[] = [
  ...["post-checkout", "post-index-change", "reference-transaction", "post-commit"].map((name) => ({
    name: `hook ${name}`,
    files: { [`GIT/hooks/${name}`]: hook },
  })),
  {
    name: "hooks in a folder of its own",
    config: "[core]\nhooksPath = GIT/mine\n",
    files: { "GIT/mine/post-checkout": hook, "GIT/mine/post-index-change": hook },
  },
  {
    name: "hooks in the working tree",
    config: "[core]\nhooksPath = .husky\n",
    files: { ".husky/post-checkout": hook },
  },
];

const submoduleFiles: readonly HostileRepository[] = [
  {
    name: "filter of a submodule",
    files: {
      "GIT/modules/sub/config.more": '[filter "deep"]\nclean = PAYLOAD\n',
      "GIT/modules/sub/info/attributes": "* filter=deep\n",
    },
  },
  {
    name: "file monitor of a submodule",
    files: { "GIT/modules/sub/config.more": "[core]\nfsmonitor = PAYLOAD\n" },
  },
  {
    name: "diff driver of a submodule",
    config: "[diff]\nsubmodule = diff\n",
    files: {
      "GIT/modules/sub/config.more": '[diff "deep"]\ntextconv = PAYLOAD\n[diff]\nexternal = PAYLOAD\n',
      "GIT/modules/sub/info/attributes": "* diff=deep\n",
    },
  },
  {
    name: "update of a submodule",
    config: '[submodule]\nrecurse = true\n[submodule "sub"]\nupdate = !PAYLOAD\nignore = none\n',
  },
];
const submodules: readonly HostileRepository[] = [
  ...submoduleFiles.map((one) => ({ ...one, shape: "submodules" as const })),
  {
    name: "diff driver of a folder that was a submodule",
    shape: "former-submodule",
    config: "[diff]\n\tsubmodule = diff\n",
    files: {
      "GIT/modules/sub/config.more": '[diff]\nexternal = PAYLOAD\n[diff "deep"]\ntextconv = PAYLOAD\n',
      "GIT/modules/sub/info/attributes": "* diff=deep\n",
    },
  },
];

const places: readonly HostileRepository[] = [
  {
    name: "bare repository in a folder",
    shape: "bare",
    config: "[core]\nfsmonitor = PAYLOAD\nworktree = ..\n",
  },
  {
    name: "bare repository in a folder, with filters",
    shape: "bare",
    config: '[core]\nworktree = ..\n[filter "evil"]\nclean = PAYLOAD\n',
    files: { "inside/info/attributes": "* filter=evil\n" },
  },
  {
    name: "git folder elsewhere",
    shape: "elsewhere",
    config: "[core]\nfsmonitor = PAYLOAD\n[diff]\nexternal = PAYLOAD\n",
  },
  {
    name: "work tree elsewhere",
    config: '[core]\nworktree = ..\n[filter "evil"]\nclean = PAYLOAD\n',
    files: attributes("filter=evil"),
  },
];

/** A person's environment that leads into the folder. */
const environments: readonly HostileRepository[] = [
  ["GIT_EXTERNAL_DIFF", "PAYLOAD"],
  ["GIT_CONFIG_PARAMETERS", "'diff.external'='PAYLOAD'"],
  ["GIT_CONFIG_GLOBAL", "WORK/evil.config"],
  ["GIT_CONFIG_SYSTEM", "WORK/evil.config"],
  ["GIT_EXEC_PATH", "WORK/bin"],
  ["PATH", "bin"],
  ["PATH", "."],
  ["PATH", "WORK/bin"],
  ["PATH", "WORK/d/../bin"],
].map(([variable = "", value = ""]) => ({
  name: `environment with ${variable}=${value}`,
  environment: { [variable]: value },
  files: {
    "evil.config": "[core]\nfsmonitor = PAYLOAD\n[diff]\nexternal = PAYLOAD\n",
    git: hook,
    "bin/git": hook,
    "bin/git-status": hook,
  },
}));

export const hostileRepositories: readonly HostileRepository[] = [
  ...lazyFetches,
  ...filters,
  ...diffs,
  ...programs,
  ...hooks,
  ...submodules,
  ...places,
  ...bytes,
  ...environments,
];
