/**
 * The files that are of no mode and import one all the same, its domains or its folder of a room (ADR 40): what stands
 * between the code and a second mode. A file leaves this list when it needs neither any more; none comes in. The verbs
 * of `commands/talos` are Talos's own and are not counted.
 */
export const filesOfOneMode: readonly {
  readonly why: string
  readonly files: readonly string[]
}[] = [
  {
    why: 'makes the context of a run, which holds a maker of Talos keys',
    files: ['run/create-run-context.ts'],
  },
  {
    why: 'commands that know this mode alone',
    files: [
      'commands/access/mint-access.ts',
      'commands/access/node-config.ts',
      'commands/backup/list-snapshots.ts',
      'commands/backup/restore-cluster.ts',
      'commands/backup/snapshot-cluster.ts',
      'commands/cluster/apply-cluster.ts',
      'commands/cluster/build-images.ts',
      'commands/cluster/close-run.ts',
      'commands/cluster/destroy-cluster.ts',
      'commands/cluster/plan-cluster.ts',
      'commands/cluster/upgrade-cluster.ts',
      'commands/doctor/diagnose-access.ts',
      'commands/doctor/diagnose-certificates.ts',
      'commands/doctor/diagnose-changes.ts',
      'commands/doctor/diagnose-cluster.ts',
      'commands/doctor/diagnose-etcd.ts',
      'commands/doctor/diagnose-nodes.ts',
      'commands/doctor/diagnose-prepared.ts',
      'commands/doctor/diagnose-servers.ts',
      'commands/doctor/diagnose-state.ts',
      'commands/doctor/reach-nodes.ts',
      'commands/doctor/run-doctor.ts',
      'commands/keys/prepare-rotation.ts',
      'commands/keys/revoke-cluster.ts',
      'commands/keys/rotate-keys.ts',
      'commands/secrets/change-secret.ts',
      'commands/secrets/list-secrets.ts',
      'commands/state/compact-state.ts',
      'commands/state/export-state.ts',
      'commands/state/import-state.ts',
      'commands/state/recover-state.ts',
      'commands/state/repair-state.ts',
      'commands/state/unlock-cluster.ts',
      'commands/state/verify-state.ts',
    ],
  },
  {
    why: 'the runner and the terminal, which name types of what those commands take',
    files: [
      'actions/access-files.ts',
      'actions/approval-source.ts',
      'actions/destroy.ts',
      'actions/reconcile.ts',
      'actions/report-plan.ts',
      'actions/restore.ts',
      'cli/commands/backup/restore.ts',
      'cli/commands/cluster/destroy.ts',
      'cli/commands/state/recover.ts',
      'cli/read-checked-file.ts',
    ],
  },
]
