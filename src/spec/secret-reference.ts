import { isJsonObject, type Json } from '../lib/json.ts'
import { visibleLine } from '../lib/visible-text.ts'

/** How the value of a secret is put into the text around it. */
export type SecretForm = 'plain' | 'base64' | 'json'

/** A place in a patch, or in the values of an addon, that a named secret fills. */
export interface SecretReference {
  readonly name: string
  readonly form: SecretForm
}

/** The values of named secrets, as far as a run knows them. */
export type NamedSecrets = ReadonlyMap<string, string>

/** One `$` more before it makes a text of it. */
const marker = /(\$?)\$\{secret:([^{}\n]*)\}/g
const namePattern = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const inner = /^([^:]*)(?::(base64|json))?$/

/** Whether a secret can be called this: lower-case letters, digits and hyphens. */
export function isSecretId(name: string): boolean {
  return namePattern.test(name)
}

/** How a secret is referred to in a cluster file. */
export function referenceTo(name: string): string {
  return `\${secret:${name}}`
}

/** The variable of a run's environment that gives a secret. */
export function secretVariable(name: string): string {
  return `HCLOUD_TALOS_SECRET_${name.toUpperCase().replaceAll('-', '_')}`
}

/** The secrets that a text refers to, in their order. */
export function referencesIn(text: string): SecretReference[] {
  return [...text.matchAll(marker)].flatMap(([, escaped, written = '']) => {
    const reference = escaped === '' ? parse(written) : undefined
    return reference ? [reference] : []
  })
}

/** What stands between the braces of what looks like a reference and is none. */
export function brokenReferencesIn(text: string): string[] {
  return [...text.matchAll(marker)].flatMap(([, escaped, written = '']) =>
    escaped === '' && !parse(written) ? [written] : [],
  )
}

/** Whether a text holds a reference. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0
}

/** What of a text stands there in plain text. */
export function withoutReferences(text: string): string {
  return text.replaceAll(marker, (whole, escaped: string, written: string) =>
    escaped === '' && parse(written) ? '' : whole,
  )
}

/** The value with every reference in its texts filled; `valueFor` answers for each name or throws. Keys stay. */
export function fillReferences(value: Json, valueFor: (name: string) => string): Json {
  if (typeof value === 'string') return fillText(value, valueFor)
  if (Array.isArray(value)) return value.map((each) => fillReferences(each, valueFor))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fillReferences(each, valueFor)]),
  )
}

/**
 * A text that becomes this one when it is filled: with references in the place of values, in whatever form. A value
 * behind a `$` stays, since no reference can stand there.
 */
export function referTo(text: string, named: NamedSecrets): string {
  const references = new Map(
    [...named].flatMap(([name, value]): [string, string][] => [
      [JSON.stringify(value), referenceTo(`${name}:json`)],
      [inForm(value, 'base64'), referenceTo(`${name}:base64`)],
      [value, referenceTo(name)],
    ]),
  )
  const longestFirst = [...references.keys()].sort((one, other) => other.length - one.length)
  const values = longestFirst.map((form) => `(?<!\\$)${literally(form)}`)
  const pattern = new RegExp([...values, marker.source].join('|'), 'g')
  return text.replace(pattern, (found) => references.get(found) ?? `$${found}`)
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** All references in the texts of a value. */
export function referencesInJson(value: Json): SecretReference[] {
  if (typeof value === 'string') return referencesIn(value)
  if (Array.isArray(value)) return value.flatMap(referencesInJson)
  return isJsonObject(value) ? Object.values(value).flatMap(referencesInJson) : []
}

/** Whether a text of a value holds a reference, or what stands for the text of one: it is not used as it is. */
export function hasMarker(value: Json): boolean {
  if (typeof value === 'string') return value.search(marker) >= 0
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMarker)
}

/** What a value looks like in each form, all of which must be hidden: as it is, in JSON, and on one line. */
export function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  return [value, json, asGoWrites(json), visibleLine(value)]
}

/** The same of a named secret, of which every line is one: a log shows it line by line. */
export function formsOfNamed(value: string): string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  const content = lines.filter((line) => !line.startsWith('-----'))
  return [...formsOf(value), ...(lines.length > 1 ? content.flatMap(formsOf) : [])]
}

/** Go's JSON can be put into HTML. */
function asGoWrites(json: string): string {
  return json.replace(
    /[&<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function fillText(text: string, valueFor: (name: string) => string): string {
  return text.replaceAll(marker, (whole, escaped: string, written: string) => {
    if (escaped !== '') return whole.slice(1)
    const reference = parse(written)
    return reference ? inForm(valueFor(reference.name), reference.form) : whole
  })
}

function inForm(value: string, form: SecretForm): string {
  if (form === 'json') return JSON.stringify(value)
  if (form === 'plain') return value
  return btoa(String.fromCharCode(...new TextEncoder().encode(value)))
}

function parse(written: string): SecretReference | undefined {
  const [, name = '', form] = inner.exec(written) ?? []
  if (!isSecretId(name)) return undefined
  return { name, form: form === 'base64' || form === 'json' ? form : 'plain' }
}
