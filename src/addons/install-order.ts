import type { GateRequirements } from '../lib/addon-cluster.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonFacts, NodeFitness } from './addon.ts'
import { type AddonRelease, releaseOf } from './addon-release.ts'
import { firstBroughtWave } from './brought-addon.ts'
import { type AddonsOf, enabledAddons } from './catalogue.ts'

/** One step of an installation; steps are taken in order, the releases of one together. */
export type InstallStep =
  | { readonly type: 'apply'; readonly releases: readonly AddonRelease[] }
  | { readonly type: 'gate'; readonly requirements: GateRequirements }
  | { readonly type: 'wait'; readonly releases: readonly AddonRelease[] }

/** Addons up to this wave are what makes nodes usable; those after it need usable nodes. */
const lastWaveBeforeGate = 2

/**
 * In which order addons are applied, and what is waited for in between. The network, the cloud
 * controller manager and the CSR approver are applied without any wait between them, since each alone
 * would wait for the others for ever: nodes become Ready by the network, lose their taint by the cloud
 * controller manager, and the network's operator may need an untainted node. Only then comes the gate,
 * and only what the spec's own addons can bring about is asked for there.
 */
export function installOrder<Spec extends CommonSpec>(
  spec: Spec,
  facts: AddonFacts & { readonly nodes: readonly string[] },
  addonsOf: AddonsOf<Spec>,
): InstallStep[] {
  const releases = enabledAddons(spec, addonsOf).map((addon) => releaseOf(addon, spec, facts))
  const waves = [...new Set(releases.map(({ addon }) => addon.wave))].sort((a, b) => a - b)
  const inWave = (wave: number) => releases.filter(({ addon }) => addon.wave === wave)
  const early = waves.filter((wave) => wave <= lastWaveBeforeGate)
  const late = waves.filter((wave) => wave > lastWaveBeforeGate && wave < firstBroughtWave)
  const brought = waves.filter((wave) => wave >= firstBroughtWave)
  const brings = (what: NodeFitness) => releases.some(({ addon }) => addon.brings === what)
  const network = brings('ready')
  const gate: InstallStep = {
    type: 'gate',
    requirements: {
      nodes: facts.nodes,
      ready: network,
      initialized: brings('initialized'),
      // The approver itself runs in pods, which need the network.
      certificates: network && brings('certificates'),
    },
  }
  const awaited = (found: readonly AddonRelease[]): InstallStep[] =>
    // Without a network of ours nobody knows when pods can run: the user brings it, perhaps later.
    // An addon of the user's own may be that network: the file can say that it is waited for.
    waits(found.filter(({ addon }) => addon.wait ?? network))
  return [
    ...early.map((wave): InstallStep => ({ type: 'apply', releases: inWave(wave) })),
    gate,
    ...late.flatMap((wave): InstallStep[] => [
      { type: 'apply', releases: inWave(wave) },
      ...awaited(inWave(wave)),
    ]),
    // What the gate asked of them is there; what else they do goes on while the others start.
    ...awaited(early.flatMap(inWave)),
    // What the user brings may need any of those, and is started when they are healthy.
    ...brought.flatMap((wave): InstallStep[] => [
      { type: 'apply', releases: inWave(wave) },
      ...awaited(inWave(wave)),
    ]),
  ]
}

function waits(releases: readonly AddonRelease[]): InstallStep[] {
  return releases.length > 0 ? [{ type: 'wait', releases }] : []
}
