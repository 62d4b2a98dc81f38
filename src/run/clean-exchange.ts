import type { HttpExchange } from '../lib/http-exchange.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import { redacted } from '../lib/redactor.ts'
import { isEvidentSecret, isSecretName } from '../plan/secret-look.ts'

/** One line of a recording. */
export interface RecordedExchange {
  readonly front: HttpExchange['front']
  /** When the answer was there, in ISO 8601. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Absent where the request had no body. */
  readonly request?: Json
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent where the answer had no body; a text where it was no JSON. */
  readonly response?: Json
}

/** What is kept of an answer's headers; cookies and everything that is not named here is left out. */
const keptHeaders = /^(content-type|date|link|retry-after|(x-)?ratelimit-.+|x-oauth-scopes)$/

/** Names of fields whose texts are secrets, whoever knows them: also those that this run never learned. */
const secretField =
  /token|passw(or)?d|passphrase|private_?key|secret|user_?data|authorization|credential/i

/** Texts that are secrets by their own form. */
const secretForms: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g,
  /AGE-SECRET-KEY-[0-9A-Z-]+/gi,
  /\b(gh[a-z]_|github_pat_)\w{16,}/g,
  /(?<=\bbearer\s+)\S+/gi,
  /(?<=:\/\/)[^\s/:@]+:[^\s/@]+(?=@)/g,
]

/** A PEM in base64, as Talos's machine configs hold keys. */
const encodedPem = /LS0tLS1CRUdJTi[A-Za-z0-9+/]+=*/g

/**
 * An exchange without secrets: those that `redact` knows, and all that are known by the name of their field or by
 * their form. Everything else stays, so that it can be asked again.
 */
export function cleanExchange(
  exchange: HttpExchange,
  at: string,
  redact: (text: string) => string,
): RecordedExchange {
  const { front, method, path, request, status, headers, response } = exchange
  const clean = (text: string) => {
    const left = withoutForms(redact(text))
    // What is left and still a secret by what it looks like is no text that somebody misses.
    return isEvidentSecret(left) ? redacted : left
  }
  const headerTexts = [...headers].filter(([name]) => keptHeaders.test(name))
  return {
    front,
    at,
    method,
    path: cleanPath(path, clean),
    ...(request !== undefined && request !== '' && { request: cleanBody(request, clean) }),
    status,
    headers: Object.fromEntries(headerTexts.map(([name, text]) => [name, clean(text)])),
    ...(response !== '' && { response: cleanBody(response, clean) }),
  }
}

type Clean = (text: string) => string

/** The query is encoded, and a secret in it too: it is looked for in both forms. */
function cleanPath(path: string, clean: Clean): string {
  const [place = '', query] = path.split('?', 2)
  if (query === undefined) return clean(place)
  const pairs = [...new URLSearchParams(query)]
  const cleaned = pairs.map(([key, value]): [string, string] => [
    key,
    cleanField(key, value, clean),
  ])
  const isClean = pairs.every(([, value], index) => cleaned[index]?.[1] === value)
  return clean(`${place}?${isClean ? query : new URLSearchParams(cleaned)}`)
}

function cleanBody(text: string, clean: Clean): Json {
  try {
    return cleanJson(JSON.parse(text), clean)
  } catch {
    return clean(text)
  }
}

/** Leaf by leaf: as JSON is written, a secret with a quotation mark in it would not be found. */
function cleanJson(value: Json, clean: Clean): Json {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, clean))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([key, field]) => [
    clean(key),
    cleanMember(key, field, clean),
  ])
  return Object.fromEntries(fields)
}

function cleanMember(key: string, value: Json, clean: Clean): Json {
  if (typeof value === 'string') return cleanField(key, value, clean)
  if (!Array.isArray(value)) return cleanJson(value, clean)
  return value.map((item) =>
    typeof item === 'string' ? cleanField(key, item, clean) : cleanJson(item, clean),
  )
}

function cleanField(key: string, value: string, clean: Clean): string {
  return secretField.test(key) || isSecretName(key) ? redacted : clean(value)
}

function withoutForms(text: string): string {
  const plain = secretForms.reduce((left, form) => left.replace(form, redacted), text)
  return plain.replace(encodedPem, (encoded) =>
    Buffer.from(encoded, 'base64').includes('PRIVATE KEY') ? redacted : encoded,
  )
}
