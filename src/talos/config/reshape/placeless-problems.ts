import { formatPath } from '../../../lib/finding.ts'
import type { ConfigDocument } from '../config-document.ts'
import type { ConfigProblem } from '../validate/config-problem.ts'
import { reshapeConfig } from './reshape-config.ts'

/** Where the user writes what no conversion can write for them, by the path of the old setting. */
const otherPlaces: readonly (readonly [path: RegExp, hint: string])[] = [
  [
    /^machine\.install\.extraKernelArgs$/,
    'Write them into talos.kernelArgs, which builds them into the image.',
  ],
  [/^machine\.install\.diskSelector/, 'Write an UnattendedInstallConfig document.'],
  [
    /^cluster\.apiServer\.extraArgs\.(anonymous-auth|authentication-config|oidc-)/,
    'Write a KubeAuthenticationConfig document.',
  ],
  [/^cluster\.apiServer\.extraArgs\.authorization-/, 'Write KubeAuthorizerConfig documents.'],
  [/^cluster\.network\.cni/, 'Write a KubeExternalManifestConfig document for each manifest.'],
]

const stay = 'Remove it, or keep the shape that has it with `talos.contract: v1.13`.'

/** The settings of a config of the contract v1.13 that the documents of v1.14 have no place for. */
export function placelessProblems(config: readonly ConfigDocument[]): ConfigProblem[] {
  return reshapeConfig(config).placeless.map((path) => {
    const known = otherPlaces.find(([pattern]) => pattern.test(path.join('.')))
    return {
      severity: 'error',
      places: [{ kind: '', name: '', path }],
      message: `${formatPath(path)} has no place in the documents of the contract v1.14`,
      hint: known?.[1] ?? stay,
    }
  })
}
