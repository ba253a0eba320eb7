import { toSettingVariables } from "@palimpsest/core/internal";

/** The environment of the machine, as the runtime gives it. */
export type MachineEnvironment = Readonly<Record<string, string | undefined>>;

export interface CommandEnvironmentOptions {
  /** Names that settings hand over besides, secrets too; `AWS_*` stands for all that begin so. */
  readonly pass?: readonly string[];
  /** Variables that settings give a value. */
  readonly set?: Readonly<Record<string, string>>;
}

/** What commands need to find programs, files, languages, certificates and proxies. A `*` ends a beginning. */
const passed = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  "XDG_*",
  "HOSTNAME",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "SSH_AUTH_SOCK",
  "GPG_AGENT_INFO",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "CI",
  "NODE_ENV",
  "NVM_*",
  "FNM_*",
  "VOLTA_HOME",
  "PNPM_HOME",
  "COREPACK_*",
  "BUN_INSTALL",
  "DENO_*",
  "JAVA_HOME",
  "GRADLE_HOME",
  "MAVEN_HOME",
  "M2_HOME",
  "ANDROID_HOME",
  "ANDROID_SDK_ROOT",
  "GOPATH",
  "GOROOT",
  "GOBIN",
  "GOPROXY",
  "GOFLAGS",
  "CARGO_HOME",
  "RUSTUP_*",
  "PYTHONPATH",
  "PYENV_*",
  "VIRTUAL_ENV",
  "CONDA_*",
  "UV_*",
  "PIP_INDEX_URL",
  "GEM_HOME",
  "GEM_PATH",
  "RBENV_*",
  "DOTNET_*",
  "DOCKER_HOST",
  "KUBECONFIG",
  "CC",
  "CXX",
  "CFLAGS",
  "CXXFLAGS",
  "LDFLAGS",
  "PKG_CONFIG_PATH",
  "LD_LIBRARY_PATH",
  "SystemRoot",
  "ComSpec",
  "PATHEXT",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramFiles",
  "USERPROFILE",
] as const;

/** Names whose values are keys to something: never handed over by the list above. */
const secret = /KEY$|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|PRIVATE|AUTH$/i;

/** Nothing waits for somebody to type, opens an editor or pages, and nothing is coloured. */
const quiet: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  GH_PAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS: "false",
  DEBIAN_FRONTEND: "noninteractive",
};

/** A folder that only looks like a repository, or one with a file monitor of its own, runs no programs. */
const guarded = toSettingVariables([
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", "false"],
]);

/**
 * The whole environment of a command: what the list lets through of the machine's, without keys; what keeps programs
 * from waiting for a person; and what settings name, which wins.
 */
export function toCommandEnvironment(
  machine: MachineEnvironment,
  { pass = [], set = {} }: CommandEnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const known = pick(machine, (name) => isNamed(name, passed) && !secret.test(name));
  return { ...known, ...quiet, ...guarded, ...pick(machine, (name) => isNamed(name, pass)), ...set };
}

function pick(machine: MachineEnvironment, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(machine).filter(
      (variable): variable is [string, string] => variable[1] !== undefined && isWanted(variable[0]),
    ),
  );
}

function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
}
