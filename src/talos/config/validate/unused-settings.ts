import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import type { ConfigProblem } from './config-problem.ts'
import { hasElements, listAt } from './read-config.ts'

/** What Talos takes and what has no effect on a node whose disk was written from an image. */
export function unusedSettings(documents: readonly ConfigDocument[]): ConfigProblem[] {
  const path = ['machine', 'install', 'extraKernelArgs']
  return documents
    .filter(
      (document) =>
        documentIdentity(document).kind === '' && hasElements(listAt(document, ...path)),
    )
    .map(() => ({
      severity: 'warning',
      places: [{ kind: '', name: '', path }],
      message: `${path.join('.')} does nothing: a node takes its kernel arguments from its image`,
      hint: 'Write them into talos.kernelArgs, which builds them into the image.',
    }))
}
