import { LineCounter, parseDocument, type YAMLError } from 'yaml'
import type { Finding } from '../../lib/finding.ts'
import { findYamlHazards } from './yaml-hazards.ts'
import { YamlSource } from './yaml-source.ts'

/** More errors than these are mostly echoes of the first ones. */
const mostSyntaxFindings = 20

export interface ParsedYaml {
  /** Undefined where the text is so wrong that nothing can be said of its values. */
  readonly value: unknown
  readonly source: YamlSource
  readonly findings: readonly Finding[]
}

/**
 * One YAML 1.2 document with merge keys, as plain values of JSON's kinds, and what is wrong with its
 * form. Never throws, whatever the text.
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    // Keys that appear twice are found by ourselves, in linear time and with both places.
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    // `silent` would also keep it from telling of a second document.
    logLevel: 'error',
    resolveKnownTags: false,
  })
  const source = new YamlSource(document, lines)
  const errors = [...document.errors, ...document.warnings]
  // A tab makes what follows look wrong as well.
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT')
  const broken = (tabs.length > 0 ? tabs : errors).map((error) => toFinding(error, source))
  if (broken.length > 0) return { value: undefined, source, findings: onePerLine(broken) }
  const hazards = findYamlHazards(document, source)
  const findings = onePerLine(hazards.findings)
  if (hazards.fatal) return { value: undefined, source, findings }
  try {
    return { value: document.toJS({ maxAliasCount: -1 }), source, findings }
  } catch (error) {
    const reason = error instanceof Error ? lowerFirst(error.message) : String(error)
    const finding: Finding = {
      severity: 'error',
      path: [],
      message: `this is not the YAML of a cluster file: ${reason}`,
      position: { line: 1, column: 1 },
    }
    return { value: undefined, source, findings: [...findings, finding] }
  }
}

function toFinding(error: YAMLError, source: YamlSource): Finding {
  const known = explanations[error.code]
  return {
    severity: 'error',
    path: [],
    message: known?.message ?? `this is not valid YAML: ${lowerFirst(error.message)}`,
    hint: known?.hint ?? 'Check the indentation, the colons and the quotes around this place.',
    position: source.offsetPosition(error.pos[0]),
  }
}

const explanations: Partial<
  Record<YAMLError['code'], { readonly message: string; readonly hint: string }>
> = {
  TAB_AS_INDENT: {
    message: 'this line is indented with a tab, which YAML does not allow',
    hint: 'Use spaces.',
  },
  MULTIPLE_DOCS: {
    message: 'a second YAML document begins here; a cluster file is one document',
    hint: 'Keep one cluster in one file, and remove the line ---.',
  },
  RESOURCE_EXHAUSTION: {
    message: 'this value is nested too deeply',
    hint: 'Check the brackets and the indentation.',
  },
  NON_STRING_KEY: {
    message: 'a list or a mapping cannot be a key',
    hint: 'Write a text before the colon; put it in quotes if it holds brackets or braces.',
  },
  TAG_RESOLVE_FAILED: {
    message: 'this value has a tag (a word that begins with !), which has no use here',
    hint: 'Remove the tag; put the value in quotes if the ! belongs to it.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a second colon on one line, or a line that is indented further than its place allows',
    hint: 'Put a text that holds a colon in quotes; give keys of one mapping the same indentation.',
  },
  BAD_SCALAR_START: {
    message: 'a plain text cannot begin with this character',
    hint: 'Put it in quotes.',
  },
}

function onePerLine(findings: readonly Finding[]): Finding[] {
  const byLine = new Map<string, Finding>()
  for (const finding of findings) {
    const line = `${finding.position?.line} ${finding.path.length}`
    if (!byLine.has(line)) byLine.set(line, finding)
  }
  return [...byLine.values()].slice(0, mostSyntaxFindings)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
