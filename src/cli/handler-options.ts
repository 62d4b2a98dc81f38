import type { AccessInput } from '../commands/access/mint-access.ts'
import type { PublishedAction } from '../lib/published-action.ts'
import type { ApplyStage } from '../planner/apply-stages.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import type { TalosRequest } from './commands/talos/talos-request.ts'

/** What a subcommand gets from the command line, as far as several share it. */
export interface CommonOptions {
  readonly config: string
  readonly json: boolean
}

export interface DoctorOptions extends CommonOptions {
  /** From which severity on a finding fails the command. */
  readonly failOn: 'bad' | 'weak' | 'unknown'
  /** Ends with 0 although something could not be looked at. */
  readonly allowUnknown: boolean
}

export interface InitOptions {
  readonly config: string
  readonly name: string
  readonly force: boolean
  readonly workflow: boolean
  /** Where the suite is published, for the workflow; that of this build where absent. */
  readonly action?: PublishedAction | undefined
}

export interface PlanOptions extends CommonOptions {
  readonly upgrade: boolean
  readonly stage?: ApplyStage
  readonly replace?: readonly string[]
  readonly detailedExitcode: boolean
  readonly markdown: boolean
  readonly out?: string
}

/** Of apply and upgrade. */
export interface CarryOutOptions extends CommonOptions {
  readonly dryRun: boolean
  readonly yes: boolean
  readonly plan?: string
}

export interface ApplyOptions extends CarryOutOptions {
  readonly confirm?: string
  readonly stage?: ApplyStage
  readonly replace?: readonly string[]
}

export interface BuildImageOptions extends CommonOptions {
  readonly arch?: Architecture[]
}

export interface DestroyOptions extends CommonOptions {
  readonly dryRun: boolean
  readonly confirm?: string
}

export interface AccessOptions extends CommonOptions {
  readonly out: string
  readonly hours: number
}

export interface TalosconfigOptions extends AccessOptions {
  readonly role: NonNullable<AccessInput['role']>
}

export interface ConfigOptions extends CommonOptions {
  /** Name or private address. */
  readonly node: string
  readonly diff: boolean
  readonly withSecrets: boolean
  readonly detailedExitcode: boolean
  readonly out?: string
}

export interface SnapshotOptions extends CommonOptions {
  readonly to: string
}

export interface SnapshotListOptions extends CommonOptions {
  readonly at: string
}

export interface RestoreOptions extends CommonOptions {
  readonly snapshot: string
  readonly confirm?: string
  readonly discardEtcd: boolean
}

export interface RecoverOptions extends CommonOptions {
  readonly talosconfig?: string
  readonly secrets?: string
  readonly replaceState: boolean
}

export interface RotateOptions extends CommonOptions {
  readonly prepare: boolean
  readonly postQuantum: boolean
  readonly newIdentity: string
}

export interface RevokeOptions extends CommonOptions {
  readonly yes: boolean
  readonly newIdentity: string
}

export interface CompactOptions extends CommonOptions {
  readonly withOthers: boolean
}

export interface ExportOptions extends CommonOptions {
  readonly out?: string
}

export interface ImportOptions extends CommonOptions {
  readonly from: string
  readonly acceptOlder: boolean
  readonly replaceOlder: boolean
}

export interface RepairOptions extends CommonOptions {
  readonly acceptOlder: boolean
  /** Digest of what was shown. */
  readonly confirm?: string
  readonly reason?: string
}

export interface SetSecretOptions extends CommonOptions {
  readonly name: string
  readonly fromFile?: string
}

export interface RemoveSecretOptions extends CommonOptions {
  readonly name: string
  readonly yes: boolean
}

export interface SandboxOptions {
  readonly folder?: string
  readonly latencies: 'none' | 'realistic'
  /** A recording to play against it instead of staying. */
  readonly compare?: string
  /** Of the comparison. */
  readonly json: boolean
}

export type Shell = 'bash' | 'zsh' | 'fish'

/** What each subcommand does; the program only reads the command line. Each returns its exit code. */
export interface Handlers {
  init(options: InitOptions): Promise<number>
  plan(options: PlanOptions): Promise<number>
  apply(options: ApplyOptions): Promise<number>
  buildImage(options: BuildImageOptions): Promise<number>
  upgrade(options: CarryOutOptions): Promise<number>
  destroy(options: DestroyOptions): Promise<number>
  kubeconfig(options: AccessOptions): Promise<number>
  talosconfig(options: TalosconfigOptions): Promise<number>
  config(options: ConfigOptions): Promise<number>
  talos(request: TalosRequest): Promise<number>
  snapshot(options: SnapshotOptions): Promise<number>
  listSnapshots(options: SnapshotListOptions): Promise<number>
  restore(options: RestoreOptions): Promise<number>
  recover(options: RecoverOptions): Promise<number>
  verify(options: CommonOptions): Promise<number>
  signer(): Promise<number>
  doctor(options: DoctorOptions): Promise<number>
  unlock(options: CommonOptions): Promise<number>
  rotate(options: RotateOptions): Promise<number>
  revoke(options: RevokeOptions): Promise<number>
  export(options: ExportOptions): Promise<number>
  import(options: ImportOptions): Promise<number>
  repair(options: RepairOptions): Promise<number>
  compact(options: CompactOptions): Promise<number>
  setSecret(options: SetSecretOptions): Promise<number>
  listSecrets(options: CommonOptions): Promise<number>
  removeSecret(options: RemoveSecretOptions): Promise<number>
  sandbox(options: SandboxOptions): Promise<number>
  completion(shell: Shell): Promise<number>
}
