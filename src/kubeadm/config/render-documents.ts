import { stringify } from 'yaml'
import type { JsonObject } from '../../lib/json.ts'

/**
 * One YAML text of several documents, always the same for the same ones. Every text stands in quotes: what kubeadm and
 * the kubelet read YAML with takes `on`, `0x1` and `1_000` for something else than a text.
 */
export function renderDocuments(documents: readonly JsonObject[]): string {
  return documents
    .map((document) =>
      stringify(document, {
        lineWidth: 0,
        defaultKeyType: 'PLAIN',
        defaultStringType: 'QUOTE_DOUBLE',
        aliasDuplicateObjects: false,
      }),
    )
    .join('---\n')
}
