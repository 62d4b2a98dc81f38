import type { ErrorCode } from '../../lib/error-codes.ts'
import type { Finding } from '../../lib/finding.ts'

/** The largest cluster file that is read, in bytes of UTF-8. */
export const largestFileBytes = 1024 * 1024

export interface UnreadableText {
  readonly code: Extract<ErrorCode, 'spec-empty' | 'spec-binary' | 'spec-too-large'>
  readonly finding: Finding
}

/**
 * Why a text cannot be a cluster file, before anything tries to parse it; undefined where it may be
 * one. `fileName` is how the messages call it.
 */
export function unreadableText(text: string, fileName = 'the file'): UnreadableText | undefined {
  // Whoever reads bytes as UTF-8 gets U+FFFD for what is no UTF-8; YAML allows no control characters.
  const binary = /[^\P{Cc}\t\n\r\u0085]|\ufffd/u.test(text.slice(0, largestFileBytes))
  if (binary) {
    return refuse(
      'spec-binary',
      `${fileName} is not a text in UTF-8`,
      'Name a YAML file; if it is one, save it as UTF-8.',
    )
  }
  const bytes = text.length > largestFileBytes ? text.length : utf8Length(text)
  if (bytes > largestFileBytes) {
    return refuse(
      'spec-too-large',
      `${fileName} is larger than ${largestFileBytes / 1024} KiB, which no cluster file needs`,
      'Check that it is the right file; large manifests belong in the cluster, not here.',
    )
  }
  if (text.split('\n').every((line) => /^\ufeff?\s*(#|$)/.test(line))) {
    return refuse(
      'spec-empty',
      `${fileName} is empty, comments aside`,
      'Start from what `hcloud-talos init` writes.',
    )
  }
  return undefined
}

function refuse(code: UnreadableText['code'], message: string, hint: string): UnreadableText {
  const position = { line: 1, column: 1 }
  return { code, finding: { severity: 'error', path: [], message, hint, position } }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
