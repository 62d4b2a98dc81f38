/** Name and password for an HTTP remote, e.g. `x-access-token` and a token. */
export interface GitCredentials {
  readonly username: string
  readonly password: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** What git, ssh and curl need of the caller's environment. Nothing else goes in: it holds our keys. */
const forwarded = [
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP)$/,
  /^(USERPROFILE|APPDATA|LOCALAPPDATA|SystemRoot|COMSPEC|PATHEXT)$/i,
  /^(https?_proxy|all_proxy|no_proxy)$/i,
  /^(XDG_CONFIG_HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/,
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID)$/,
  /^(SSL_CERT_FILE|SSL_CERT_DIR|CURL_CA_BUNDLE)$/,
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|EXEC_PATH|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)$/,
  /^GIT_(SSL_CAINFO|SSL_CAPATH|PROXY_SSL_CAINFO|HTTP_PROXY_AUTHMETHOD)$/,
]

/** What the credential helpers of a person at a terminal need besides: gh, and the editor's askpass. */
const forwardedToHelpers = [
  /^(GH|GITHUB)_(TOKEN|HOST|CONFIG_DIR)$/,
  /^GIT_ASKPASS$/,
  /^VSCODE_GIT_/,
]

/**
 * Settings that make git do what we say and nothing else, whatever the machine's configuration is. The
 * rest of that configuration stays: it holds proxies, certificates, `insteadOf` and credential helpers.
 */
const settings: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['push.gpgSign', 'false'],
  ['push.followTags', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['push.pushOption', ''],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['http.followRedirects', 'initial'],
  ['http.lowSpeedLimit', '100'],
  ['http.lowSpeedTime', '30'],
]

/** What an address may begin with. `ext::` and whatever else runs a program is not among them. */
const protocols = 'file:git:http:https:ssh'

/** The name under which git leaves the contents of files out of what it fetches from the remote. */
export const filteredRemote = 'filtered'

/** A shell function, so that the action which git appends to it is an argument that nobody reads. */
const helper =
  '!f() { echo "username=$HCLOUD_TALOS_GIT_USERNAME"; echo "password=$HCLOUD_TALOS_GIT_PASSWORD"; }; f'

/**
 * The environment of every git child: English messages, no questions, no hooks. Credentials travel in it
 * and are given to git by a helper bound to the remote's own URL, so they appear in no argument and are
 * sent to no other host. With them, the helpers of the machine are left out.
 */
export function gitEnvironment(
  environment: Environment,
  remote: string,
  credentials?: GitCredentials,
): Record<string, string> {
  const patterns = credentials ? forwarded : [...forwarded, ...forwardedToHelpers]
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && patterns.some((pattern) => pattern.test(name)) ? [[name, value]] : [],
  )
  const configuration: (readonly [string, string])[] = [
    ...settings,
    [`remote.${filteredRemote}.url`, remote],
    [`remote.${filteredRemote}.promisor`, 'true'],
    [`remote.${filteredRemote}.partialCloneFilter`, 'blob:none'],
  ]
  if (credentials) {
    configuration.push(['credential.helper', ''])
    configuration.push([`credential.${originOf(remote)}.helper`, helper])
  }
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocols,
    GCM_INTERACTIVE: 'never',
    GIT_CONFIG_COUNT: String(configuration.length),
    ...Object.fromEntries(
      configuration.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...(credentials && {
      HCLOUD_TALOS_GIT_USERNAME: credentials.username,
      HCLOUD_TALOS_GIT_PASSWORD: credentials.password,
    }),
  }
}

/** Scheme, host and port: the part of an address by which git chooses a helper. */
function originOf(remote: string): string {
  return URL.canParse(remote) ? new URL(remote).origin : remote
}
