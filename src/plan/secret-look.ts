/** Names under which people keep secrets, in whatever spelling. */
const secretName =
  /secret|token|passw(or)?d|passphrase|credential|bearer|(private|preshared|api|access|auth|signing|encryption|licen[cs]e|ingest(ion)?|account|shared|write|service)[-_.]?key$|^(x[-_])?auth(orization)?$|^psk$|^extraManifestHeaders$/i

/** What merely speaks of one: where it lies, how long it lasts, what it is called. */
const publicName =
  /(file|path|dir|name|ref|ttl|expiration|duration|issuer|audience|enabled?|seconds|url)s?$|^token-auth|automount|bootstrap-token-auth/i

/** Whether what a key is called says that its value is a secret. */
export function isSecretName(key: string): boolean {
  return secretName.test(key) && !publicName.test(key)
}

const privateKey = /PRIVATE KEY|AGE-SECRET-KEY-|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW/
/** A URL with a password, or with a parameter that is one. */
const secretUrl =
  /:\/\/[^/\s:@]*:[^/\s@]+@|:\/\/\S+[?&;][^=&\s]*(token|secret|passw(or)?d|api[-_]?key|access[-_]?key|key|sig|signature|auth|jwt)=[^&\s]+/i
/** Tokens that say whose they are. */
const knownToken =
  /\b(gh[pousr]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|xox[abposr]-[\w-]{8,}|(AKIA|ASIA)[A-Z0-9]{16}|hvs\.[\w-]{8,}|tskey-[\w-]{8,}|dop_v1_\w{8,}|sk_live_\w{8,}|dckr_pat_[\w-]{8,}|npm_\w{20,}|glc_\w{20,}|sk-\w{20,})|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/
/** One long word of small and large letters and digits. */
const randomWord =
  /(?<![\w+/=.-])(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])(?=[\w+/=-]*\d)[\w+/=-]{32,}(?![\w+/=.-])/
/** Certificates and public keys are meant to be seen. */
const certificate = /LS0tLS1CRUdJTiB(DRVJUSUZJQ0FUR|QVUJMSUM)|BEGIN (CERTIFICATE|PUBLIC KEY)/

/** Whether a text holds what nobody takes for anything else: a private key, a URL with a password, a known token. */
export function isEvidentSecret(text: string): boolean {
  return privateKey.test(text) || secretUrl.test(text) || knownToken.test(text)
}

/** Whether a text is, or holds, a secret by what it looks like, under whatever name. */
export function looksSecret(text: string): boolean {
  if (isEvidentSecret(text)) return true
  return !certificate.test(text) && randomWord.test(text)
}
