import { textAt } from '../../../lib/kubernetes-object.ts'
import { imagePaths, imageVersion } from '../component-images.ts'
import type { ConfigDocument } from '../config-document.ts'
import { isReshaped, oldView } from '../reshape/old-view.ts'
import { fieldInDocuments } from '../reshape/setting-homes.ts'
import type { ConfigProblem } from './config-problem.ts'
import { inDocuments } from './problem-in-documents.ts'

/** Images that Talos brings with its own version, and what of the file decides which. */
const ofTalos = [
  {
    path: ['machine', 'install', 'image'],
    message:
      'is not used: nodes run the image that talos.version, talos.extensions and talos.kernelArgs (or talos.schematic) ask for',
  },
  {
    path: ['cluster', 'etcd', 'image'],
    message: 'stays as it is when Talos is upgraded, which brings the etcd that it was tested with',
  },
  {
    path: ['cluster', 'coreDNS', 'image'],
    message:
      'stays as it is when Talos is upgraded, which brings the CoreDNS that it was tested with',
  },
] as const

/**
 * Images that patches pin, `base` being the config before any. One of another version than the file's makes an upgrade
 * that changes nothing; one of the same version reaches the nodes by an apply, past the order and the checks of an
 * upgrade, as soon as somebody changes it.
 */
export function pinnedImageProblems(
  config: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
): ConfigProblem[] {
  const [pinned, meant] = [oldView(config), oldView(base)]
  const isShaped = isReshaped(config)
  const fieldAt = (path: readonly string[]) =>
    isShaped ? fieldInDocuments(path.join('.')) : path.join('.')
  const components = Object.entries(imagePaths).flatMap(([component, path]): ConfigProblem[] => {
    const [image, own] = [textAt(pinned, ...path), textAt(meant, ...path)]
    if (image === undefined || own === undefined || image === own) return []
    const isSame = imageVersion(image) === imageVersion(own)
    return [
      {
        severity: isSame ? 'warning' : 'error',
        places: [{ kind: '', name: '', path }],
        message: isSame
          ? `${fieldAt(path)} pins the image of ${component}: when kubernetes.version changes it must change with it, and reaches the nodes without the checks of an upgrade`
          : `${fieldAt(path)} pins ${component} to another version than kubernetes.version: an upgrade would change nothing`,
        hint: 'Remove it: kubernetes.version decides, and talos.registryMirrors sets where images come from.',
      },
    ]
  })
  const talos = ofTalos.flatMap(({ path, message }): ConfigProblem[] => {
    const image = textAt(pinned, ...path)
    if (image === undefined || image === textAt(meant, ...path)) return []
    const text = `${fieldAt(path)} ${message}`
    return [
      {
        severity: 'warning',
        places: [{ kind: '', name: '', path }],
        message: text,
        hint: 'Remove it; talos.registryMirrors sets where images come from.',
      },
    ]
  })
  const problems = [...components, ...talos]
  return isShaped ? problems.map(inDocuments) : problems
}
