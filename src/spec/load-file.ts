import { type Finding, hasErrors } from '../lib/finding.ts'
import type { CheckFinding } from './checks/spec-check.ts'
import type { TextAt } from './resolve-spec.ts'
import { explainIssue } from './schema/explain-issue.ts'
import type { FileForm } from './schema/file-form.ts'
import { salvageFile } from './schema/salvage-file.ts'
import { parseYaml } from './yaml/parse-yaml.ts'
import { spelledText } from './yaml/spelled-text.ts'
import { unreadableText } from './yaml/unreadable-text.ts'
import type { Path, YamlSource } from './yaml/yaml-source.ts'

/** How one mode understands its cluster files. */
export interface FileReading<File, Spec> {
  readonly form: FileForm<File>
  /** Why the text, as plain values, is no such file at all; what else is wrong with it says nothing then. */
  readonly refuse?: (root: unknown) => CheckFinding | undefined
  /** Total: it answers for files that the checks refuse too. */
  readonly resolve: (file: File, textAt: TextAt) => Spec
  /** What is judged between fields, or by what lies outside of the file. */
  readonly check: (file: File, spec: Spec) => readonly CheckFinding[]
}

export interface LoadedFile<Spec> {
  /** Undefined exactly where the findings hold an error. */
  readonly spec: Spec | undefined
  /** Everything that is wrong or doubtful, in the order of the text. */
  readonly findings: readonly Finding[]
}

/** More than these help nobody, and each has to be shown. */
const mostFindings = 100

/**
 * The spec that a cluster file means to a mode, or all that keeps it from meaning one. Never throws. `fileName` is how
 * messages about the whole file call it.
 */
export function loadFile<File, Spec>(
  text: string,
  { form, refuse, resolve, check }: FileReading<File, Spec>,
  fileName?: string,
): LoadedFile<Spec> {
  const unreadable = unreadableText(text, fileName)
  if (unreadable !== undefined) return { spec: undefined, findings: [unreadable.finding] }
  // A byte order mark, as some editors write it, is no character of the file: columns count without it.
  const { value, source, findings: yamlFindings } = parseYaml(text.replace(/^\ufeff/, ''))
  if (value === undefined) return { spec: undefined, findings: yamlFindings }
  const refused = refuse?.(value)
  if (refused !== undefined) return { spec: undefined, findings: [place(refused, source)] }
  const { file, issues, replaced } = salvageFile(value, form)
  const context = {
    root: value,
    written: (path: Path) => source.written(path),
    shape: form.shape,
  }
  const found = issues.flatMap((issue) => explainIssue(issue, context))
  const textAt = (path: Path) => spelledText(source.node(path), source)
  const spec = file && resolve(file, textAt)
  if (file && spec) {
    const judged = check(file, spec)
    found.push(...judged.filter((finding) => !standsOn(finding, replaced)))
  }
  const placed = found.map((finding) => place(finding, source))
  const findings = arrange([...yamlFindings, ...placed.filter(isNewTo(yamlFindings))])
  return { spec: hasErrors(findings) ? undefined : spec, findings }
}

function standsOn({ path, involves = [] }: CheckFinding, replaced: readonly Path[]): boolean {
  return [path, ...involves].some((judged) =>
    replaced.some((broken) => broken.every((step, depth) => judged[depth] === step)),
  )
}

function place(found: CheckFinding, source: YamlSource): Finding {
  const { severity, path, message, hint, atKey } = found
  return {
    severity,
    path,
    message,
    ...(hint !== undefined && { hint }),
    position: source.position(path, atKey ? 'key' : 'value'),
  }
}

/** What is wrong with the form of a value makes what it means wrong as well; once is enough. */
function isNewTo(former: readonly Finding[]): (finding: Finding) => boolean {
  const place = ({ position }: Finding) => `${position?.line}:${position?.column}`
  const places = new Set(former.map(place))
  return (finding) => !places.has(place(finding))
}

function arrange(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort(
    (a, b) =>
      (a.position?.line ?? 1) - (b.position?.line ?? 1) ||
      (a.position?.column ?? 1) - (b.position?.column ?? 1),
  )
  const errorsFirst = [
    ...sorted.filter(({ severity }) => severity === 'error'),
    ...sorted.filter(({ severity }) => severity === 'warning'),
  ]
  const kept = new Set(errorsFirst.slice(0, mostFindings))
  return sorted.filter((finding) => kept.has(finding))
}
