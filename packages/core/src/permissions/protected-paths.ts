import { foldPath, isWithin } from "./plain-path.ts";

/** Folders whose files are run or obeyed by other programs: hooks, editors' tasks, agents' rules, keys, our own settings. */
export const protectedFolders: readonly string[] = [
  ".amazonq",
  ".augment",
  ".buildkite",
  ".cargo",
  ".circleci",
  ".claude",
  ".clinerules",
  ".codex",
  ".config/fish",
  ".config/git",
  ".continue",
  ".cursor",
  ".devcontainer",
  ".forgejo",
  ".gemini",
  ".git",
  ".gitea",
  ".githooks",
  ".github/actions",
  ".github/instructions",
  ".github/workflows",
  ".gitlab/ci",
  ".gnupg",
  ".husky",
  ".idea",
  ".junie",
  ".kiro",
  ".lefthook",
  ".lefthook-local",
  ".mise",
  ".opencode",
  ".palimpsest",
  ".qwen",
  ".roo",
  ".ssh",
  ".trae",
  ".vscode",
  ".windsurf",
  ".woodpecker",
  ".yarn/plugins",
  ".yarn/releases",
  ".zed",
];

/** Files that agents take for orders: rules files and what other agents call theirs. */
const rulesFiles: readonly string[] = [
  ...["agent", "agents", "claude", "gemini", "palimpsest", "qwen", "warp"].flatMap((name) => [
    `${name}.md`,
    `${name}.local.md`,
  ]),
  ".cursorrules",
  ".roorules",
  ".windsurfrules",
  "agents.override.md",
  "copilot-instructions.md",
];

/** Files that shells, package managers, hooks, build servers and other programs obey when they start. */
const startFiles: readonly string[] = [
  ".aider.conf.yml",
  ".appveyor.yml",
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".cshrc",
  ".devcontainer.json",
  ".drone.yml",
  ".envrc",
  ".gitattributes",
  ".gitconfig",
  ".gitlab-ci.yml",
  ".gitmodules",
  ".inputrc",
  ".kshrc",
  ".lintstagedrc",
  ".login",
  ".mcp.json",
  ".mise.toml",
  ".netrc",
  ".npmrc",
  ".overcommit.yml",
  ".pnp.cjs",
  ".pnpmfile.cjs",
  ".profile",
  ".pypirc",
  ".tcshrc",
  ".travis.yml",
  ".vimrc",
  ".woodpecker.yml",
  ".xprofile",
  ".yarnrc",
  ".yarnrc.yml",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "appveyor.yml",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  "cloudbuild.yaml",
  "config.fish",
  "jenkinsfile",
  "mise.toml",
];

/** Hook managers' settings, which have many endings: `lefthook.yml`, `.pre-commit-config.yaml`, `.huskyrc.json`. */
const hookSettings: readonly string[] = [
  ...[
    "lefthook",
    ".lefthook",
    "lefthook-local",
    ".lefthook-local",
    ".pre-commit-config",
    ".pre-commit-hooks",
  ],
  ...[".huskyrc", ".lintstagedrc", "lint-staged.config", "simple-git-hooks", ".simple-git-hooks"],
].flatMap((name) =>
  ["", ".yml", ".yaml", ".toml", ".json", ".jsonc", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"].map(
    (ending) => name + ending,
  ),
);

export const protectedFiles: readonly string[] = [
  ...new Set([...rulesFiles, ...startFiles, ...hookSettings]),
];

/** Whether a change there is asked for although it is in the workspace. `more` are absolute paths of files and folders. */
export function isProtectedPath(path: string, more: readonly string[] = []): boolean {
  const folded = foldPath(path);
  const whole = `/${folded.split("/").filter(Boolean).join("/")}/`;
  const name = whole.slice(whole.lastIndexOf("/", whole.length - 2) + 1, -1);
  return (
    protectedFolders.some((folder) => whole.includes(`/${folder}/`)) ||
    protectedFiles.includes(name) ||
    more.some((one) => isWithin(folded, foldPath(one)))
  );
}
