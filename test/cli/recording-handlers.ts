import type { Handlers } from '../../src/cli/handler-options.ts'

type Record = (name: string) => (options: unknown) => Promise<number>

/** Handlers that do what `record` does with the command's name, as it is typed, and its options. */
export function recordingHandlers(record: Record): Handlers {
  return {
    init: record('init'),
    plan: record('plan'),
    apply: record('apply'),
    buildImage: record('build-image'),
    upgrade: record('upgrade'),
    destroy: record('destroy'),
    kubeconfig: record('kubeconfig'),
    talosconfig: record('talosconfig'),
    config: record('config'),
    talos: async (request) => record(`talos ${request.verb}`)(request),
    snapshot: record('snapshot'),
    listSnapshots: record('snapshot list'),
    restore: record('restore'),
    recover: record('recover'),
    verify: record('verify'),
    signer: () => record('signer')(undefined),
    doctor: record('doctor'),
    unlock: record('unlock'),
    rotate: record('rotate'),
    revoke: record('revoke'),
    export: record('export'),
    import: record('import'),
    repair: record('repair'),
    compact: record('compact'),
    setSecret: record('secret set'),
    listSecrets: record('secret list'),
    removeSecret: record('secret rm'),
    sandbox: record('sandbox'),
    completion: record('completion'),
  }
}
