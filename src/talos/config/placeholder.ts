import type { Json } from '../../lib/json.ts'
import { encodeText } from './base64.ts'

const placeholders: readonly Json[] = ['placeholder', encodeText('placeholder')]

/** Whether a value of `publicConfig` stands for one that is not known there. */
export function isPlaceholder(value: Json | undefined): boolean {
  return value !== undefined && placeholders.includes(value)
}
