import type { Finding } from '../../lib/finding.ts'
import { parseYaml } from './parse-yaml.ts'
import type { Path, YamlSource } from './yaml-source.ts'

/** Findings that others made about a cluster file, with the place in its text that each is about. */
export function locateFindings(text: string, findings: readonly Finding[]): Finding[] {
  if (findings.length === 0) return []
  const { source } = parseYaml(text)
  return findings.map((finding) => {
    if (finding.position || finding.path.length === 0) return finding
    return { ...finding, position: source.position(asWritten(finding.path, source), 'value') }
  })
}

/** The spec has a list of pools also where the file has the short form of one. */
export function asWritten(path: Path, source: YamlSource): Path {
  const [section, field, index, ...rest] = path
  if (section !== 'nodes' || field !== 'workers' || index !== 0) return path
  const short = [section, field, ...rest]
  return source.written([section, field, 'type']) === undefined ? path : short
}
