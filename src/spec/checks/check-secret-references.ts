import { parseAllDocuments, visit } from 'yaml'
import { formatPath } from '../../lib/finding.ts'
import { isJsonObject } from '../../lib/json.ts'
import { brokenReferencesIn, hasMarker, hasReference, referenceTo } from '../secret-reference.ts'
import type { Path } from '../yaml/yaml-source.ts'
import type { CheckFinding, CommonCheckContext } from './spec-check.ts'

/** Whether every reference to a named secret is one, and stands where it is filled: in a patch, an addon's values or a manifest. */
export function checkSecretReferences({ file }: CommonCheckContext): CheckFinding[] {
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
  if (isPatch(path) || isManifest(path)) return documentFindings(text, path)
  const [broken] = brokenReferencesIn(text)
  if (broken !== undefined) return [brokenAt(path, broken)]
  if (isFilled(path)) return isWhereOf(path) ? keyFindings(text, path) : []
  if (!hasReference(text)) return []
  return [
    error(
      path,
      'refers to a secret, and is not filled',
      path[0] === 'kubeadm'
        ? 'Remove it: patches of kubeadm are written as they are.'
        : 'Put secrets into Talos patches, into the values of addons or into inline manifests.',
    ),
  ]
}

function keyFindings(key: string, path: Path): CheckFinding[] {
  if (!hasReference(key)) return []
  return [{ ...error(path, 'a key cannot be a secret', 'Refer to it in the value.'), atKey: true }]
}

/** Of a patch or manifest that is written as a text, whose comments refer to nothing. */
function documentFindings(text: string, path: Path): CheckFinding[] {
  if (!hasMarker(text)) return []
  const broken: string[] = []
  const keys: string[] = []
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  for (const document of Array.isArray(documents) ? documents : []) {
    visit(document, {
      Scalar(key, { value }) {
        broken.push(...brokenReferencesIn(String(value)))
        if (key === 'key') keys.push(String(value))
      },
    })
    keys.push(...wheresOf(document.errors.length === 0 ? document.toJS() : undefined))
  }
  const [first] = broken
  if (first !== undefined) return [brokenAt(path, first)]
  return keys.flatMap((key) => keyFindings(key, path)).slice(0, 1)
}

/** Where the operations of a JSON patch say that they are about. */
function wheresOf(patch: unknown): string[] {
  if (!Array.isArray(patch)) return []
  return patch.flatMap((operation) =>
    isJsonObject(operation) ? [`${operation['path']}`, `${operation['from']}`] : [],
  )
}

/** Whether this is such a place, in a patch that is no text: `talos.patches[0][1].path`. */
function isWhereOf(path: Path): boolean {
  const field = path.at(-1)
  return (field === 'path' || field === 'from') && isPatch(path.slice(0, -2))
}

function isPatch(path: Path): boolean {
  const [where, index] = path.slice(-2)
  return (
    /^(talos|nodes)$/.test(`${path[0]}`) &&
    typeof index === 'number' &&
    /^(patches|controlPlanePatches|workerPatches)$/.test(`${where}`)
  )
}

function isManifest([section, field, , where]: Path): boolean {
  return section === 'addons' && field === 'custom' && where === 'inline'
}

/** Whether a text at this path ends in a machine config's patch, in the values of a chart or in a manifest. */
export function isFilled([section, field, ...rest]: Path): boolean {
  if (section === 'cni') return field === 'values'
  if (section === 'addons' && field === 'custom') return /^(values|inline)$/.test(`${rest[1]}`)
  if (section === 'addons') return rest[0] === 'values'
  if (section === 'talos') return /^(patches|controlPlanePatches|workerPatches)$/.test(`${field}`)
  return section === 'nodes' && rest.some((step, at) => step === 'patches' && at <= 1)
}

function brokenAt(path: Path, broken: string): CheckFinding {
  const hint = `Write ${referenceTo('name')}, with base64 or json behind another colon where it is wanted so; names are lower-case letters, digits and hyphens.`
  return error(path, `refers to no secret: \${secret:${broken}}`, hint)
}

function error(path: Path, why: string, hint: string): CheckFinding {
  return { severity: 'error', path, message: `${formatPath(path)} ${why}`, hint }
}
