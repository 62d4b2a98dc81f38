import { stringify } from 'yaml'
import type { JsonObject } from '../../../lib/json.ts'
import type { VerbParts } from './define-verb.ts'
import type { OutputFormat } from './verb-settings.ts'

/**
 * Prints what nodes say item by item, each as soon as it is there: as a line, with whose it is where several nodes speak,
 * as an object of JSON in a line of its own, or as a document of YAML.
 */
export function showItems(
  { cluster, terminal }: VerbParts,
  output: OutputFormat = 'table',
): (node: string, line: string, data: JsonObject) => void {
  const several = cluster.nodes.length > 1
  const texts = {
    table: (node: string, line: string) => `${several ? `${node}: ` : ''}${line}\n`,
    json: (node: string, _: string, data: JsonObject) => `${JSON.stringify({ node, ...data })}\n`,
    yaml: (node: string, _: string, data: JsonObject) =>
      `---\n${stringify({ node, ...data }, { lineWidth: 0 })}`,
  }
  return (node, line, data) => terminal.print(texts[output](node, line, data))
}
