import { parseAllDocuments, visit } from 'yaml'
import { formatPath } from '../lib/finding.ts'
import { isJsonObject } from '../lib/json.ts'
import { brokenReferencesIn, hasReference, referenceTo } from './secret-reference.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'
import type { Path } from './yaml-source.ts'

/** Whether every reference to a named secret is one, and stands where it is filled: in a patch or an addon's values. */
export function checkSecretReferences({ file }: CheckContext): CheckFinding[] {
  return findingsBelow(file, [])
}

function findingsBelow(value: unknown, path: Path): CheckFinding[] {
  if (typeof value === 'string') return textFindings(value, path)
  if (Array.isArray(value)) return value.flatMap((each, at) => findingsBelow(each, [...path, at]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => [
    ...keyFindings(key, [...path, key]),
    ...findingsBelow(each, [...path, key]),
  ])
}

function textFindings(text: string, path: Path): CheckFinding[] {
  const [broken] = brokenReferencesIn(text)
  if (broken !== undefined) {
    const hint = `Write ${referenceTo('name')}, with base64 or json behind another colon where it is wanted so; names are lower-case letters, digits and hyphens.`
    return [error(path, `refers to no secret: \${secret:${broken}}`, hint)]
  }
  if (isFilled(path)) return patchKeys(text, path)
  if (!hasReference(text)) return []
  return [
    error(
      path,
      'refers to a secret, and is not filled',
      'Secrets go into Talos patches and into the values of addons.',
    ),
  ]
}

function keyFindings(key: string, path: Path): CheckFinding[] {
  if (!hasReference(key)) return []
  return [{ ...error(path, 'a key cannot be a secret', 'Refer to it in the value.'), atKey: true }]
}

/** Keys of a patch that is written as a text. */
function patchKeys(text: string, path: Path): CheckFinding[] {
  if (!isPatchText(path) || !hasReference(text)) return []
  let found = false
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  for (const document of Array.isArray(documents) ? documents : []) {
    visit(document, {
      Scalar(key, { value }) {
        if (key === 'key' && hasReference(String(value))) found = true
      },
    })
  }
  return found ? keyFindings(text, path) : []
}

function isPatchText(path: Path): boolean {
  const [where, index] = path.slice(-2)
  return (
    typeof index === 'number' && /^(patches|controlPlanePatches|workerPatches)$/.test(`${where}`)
  )
}

/** Whether a text at this path ends in a machine config's patch or in the values of a chart. */
export function isFilled([section, field, ...rest]: Path): boolean {
  if (section === 'cni') return field === 'values'
  if (section === 'addons') return rest[0] === 'values'
  if (section === 'talos') return /^(patches|controlPlanePatches|workerPatches)$/.test(`${field}`)
  return section === 'nodes' && rest.some((step, at) => step === 'patches' && at <= 1)
}

function error(path: Path, why: string, hint: string): CheckFinding {
  return { severity: 'error', path, message: `${formatPath(path)} ${why}`, hint }
}
