import { type Document, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml'
import { formatPath } from '../../lib/finding.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/**
 * Whether every patch is what Talos takes: YAML documents that are mappings (a strategic merge patch), or one
 * list of operations (a JSON patch).
 */
export function checkPatches({ file, pools }: CheckContext): CheckFinding[] {
  const { patches, controlPlanePatches, workerPatches } = file.talos
  return [
    ...checkAll(patches, ['talos', 'patches']),
    ...checkAll(controlPlanePatches, ['talos', 'controlPlanePatches']),
    ...checkAll(workerPatches, ['talos', 'workerPatches']),
    ...pools.flatMap(({ pool, path }) => checkAll(pool.patches, [...path, 'patches'])),
  ]
}

function checkAll(patches: readonly (string | object)[], path: Path): CheckFinding[] {
  return patches.flatMap((patch, index) => {
    const here = [...path, index]
    const problem = typeof patch === 'string' ? textProblem(patch) : emptyProblem(patch)
    if (problem === undefined) return []
    const { severity = 'error', why, hint } = problem
    return [{ severity, path: here, message: `${formatPath(here)} ${why}`, hint }]
  })
}

interface Problem {
  readonly severity?: 'warning'
  readonly why: string
  readonly hint: string
}

function emptyProblem(patch: object): Problem | undefined {
  return Object.keys(patch).length === 0 ? { why: 'is empty', hint: 'Remove it.' } : undefined
}

function textProblem(text: string): Problem | undefined {
  const parsed = parseAllDocuments(text, { prettyErrors: true, logLevel: 'silent' })
  const written: Document.Parsed[] = Array.isArray(parsed) ? parsed : []
  // Talos passes over documents with nothing in them.
  const documents = written.filter((document) => !isEmpty(document))
  if (documents.length === 0) {
    return { severity: 'warning', why: 'does nothing: it is empty', hint: 'Remove it.' }
  }
  for (const document of documents) {
    const [error] = document.errors
    if (error !== undefined) {
      const line = error.linePos?.[0].line ?? 1
      return {
        why: `is not valid YAML on line ${line} of the patch`,
        hint: 'Check its indentation, colons and quotes.',
      }
    }
    if (isMap(document.contents)) continue
    if (isSeq(document.contents) && documents.length === 1) continue
    return {
      why: 'is neither a mapping nor a JSON patch',
      hint: 'Write a piece of a machine config, such as machine: {sysctls: {…}}, or a list of operations (op, path, value) and nothing else.',
    }
  }
  return undefined
}

function isEmpty({ contents, errors }: Document.Parsed): boolean {
  if (errors.length > 0) return false
  return contents === null || (isScalar(contents) && contents.value === null)
}
