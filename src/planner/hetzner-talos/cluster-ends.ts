import { nodeConfigPath } from '../../store/files/layout.ts'
import { readableDocuments } from '../../store/files/readable-documents.ts'
import type { Generation } from '../../store/generation.ts'
import { type AuthorityEnd, authorityEnds } from '../../talos/config/authority-ends.ts'

/** When the authorities that a node was given end. */
export function nodeEnds({ files }: Generation, name: string): AuthorityEnd[] {
  const content = files.get(nodeConfigPath(name))
  const documents = content && readableDocuments(content)
  return documents === undefined ? [] : authorityEnds(documents)
}

/** Those of the whole cluster, each by its first end among the nodes that have a config. */
export function clusterEnds(generation: Generation): AuthorityEnd[] {
  const first = new Map<string, AuthorityEnd>()
  for (const { name, configDigest } of generation.inventory.nodes) {
    if (configDigest === undefined) continue
    for (const end of nodeEnds(generation, name)) {
      const known = first.get(end.field)
      if (known === undefined || end.notAfter < known.notAfter) first.set(end.field, end)
    }
  }
  return [...first.values()]
}
