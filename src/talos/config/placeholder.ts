import type { Json } from '../../lib/json.ts'
import { encodeText } from './base64.ts'

const text = 'placeholder'
const pem = `-----BEGIN PLACEHOLDER-----\n${encodeText(text)}\n-----END PLACEHOLDER-----\n`
const key = encodeText(text.padEnd(32, '.'))
const placeholders: readonly Json[] = [text, encodeText(text), pem, key]

/** A text for a field that takes PEM, or a key of 32 bytes in base64: of the placeholder its form there. */
export function placeholderAs(form: 'pem' | 'key', value: string): string {
  return value === text ? { pem, key }[form] : value
}

/** Whether a value of `publicConfig` stands for one that is not known there. */
export function isPlaceholder(value: Json | undefined): boolean {
  return value !== undefined && placeholders.includes(value)
}
