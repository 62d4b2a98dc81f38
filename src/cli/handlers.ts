import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { ApplyStage } from '../commands/plan-apply.ts'
import { readClusterFileFrom } from '../commands/read-cluster-file.ts'
import type { RunContext } from '../commands/run-context.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { describeFinding } from '../lib/describe-error.ts'
import { refuseErrors } from '../lib/findings-error.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import type { Plan } from '../plan/plan.ts'
import { renderPlanJson } from '../plan/render-json.ts'
import { renderPlanMarkdown } from '../plan/render-markdown.ts'
import { renderPlanText } from '../plan/render-text.ts'
import { type ApprovedPlan, toApprovedPlan } from '../plan/verdict.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import { completionScript } from './completion.ts'
import { confirmPlan } from './confirm-plan.ts'
import { auditJson, describeAudit } from './describe-audit.ts'
import { initFiles } from './init-files.ts'
import type { Handlers } from './program.ts'
import type { Terminal } from './terminal.ts'
import { writePrivateFile } from './write-private-file.ts'

/** Exit code of `--detailed-exitcode` when there is something to do. */
const changesPending = 2

export interface HandlerParts {
  readonly terminal: Terminal
  /** Made only for commands that go outside. */
  readonly openContext: () => Promise<RunContext & AsyncDisposable>
  readonly signal: AbortSignal
  readonly path: string
  readonly program: () => Command
}

/**
 * What each subcommand does: options to a command to output. Each returns its exit code, and loads its
 * command when it runs: who asks for the version or a plan does not pay for SSH, gRPC and a sandbox.
 */
export function createHandlers(parts: HandlerParts): Handlers {
  const { terminal, openContext } = parts
  const printJson = (value: Json) => terminal.print(`${JSON.stringify(value, null, 2)}\n`)

  return {
    async init(options) {
      for (const line of await initFiles(options)) terminal.tell(line)
      return 0
    },

    async plan({ config, json, upgrade, markdown, detailedExitcode, out }) {
      const { planCluster } = await import('../commands/plan-cluster.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const verb = upgrade ? 'upgrade' : 'apply'
      const { plan, findings } = await planCluster(context, { file, verb })
      for (const finding of findings) terminal.tell(describeFinding(config, finding))
      if (json) printJson(renderPlanJson(plan))
      else if (markdown) terminal.print(renderPlanMarkdown(plan))
      else terminal.print(renderPlanText(plan, { colour: terminal.colour }))
      refuseErrors('plan-refused', plan.findings, config)
      if (out !== undefined)
        await writePrivateFile(out, `${JSON.stringify(toApprovedPlan(plan))}\n`)
      return detailedExitcode && plan.changes.length + plan.waiting.length > 0 ? changesPending : 0
    },

    async apply({ config, json, dryRun, yes, plan: approvedPath, stage }) {
      const { applyCluster } = await import('../commands/apply-cluster.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const result = await applyCluster(context, {
        file,
        approved: await readApproved(approvedPath),
        stage: await toStage(stage),
        confirm: confirmPlan(terminal, { dryRun, yes, json }),
      })
      if (json) printJson({ ...renderPlanJson(result.plan), applied: result.applied })
      return result.applied || dryRun ? 0 : notConfirmed()
    },

    async buildImage({ config, json, arch }) {
      const { buildImages } = await import('../commands/build-images.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const ids = await buildImages(context, { file, architectures: arch?.map(toArchitecture) })
      if (json) printJson(Object.fromEntries(ids))
      else for (const [name, id] of ids) terminal.print(`${name}: snapshot ${id}\n`)
      return 0
    },

    async upgrade({ config, json, dryRun, yes, plan: approvedPath }) {
      const { upgradeCluster } = await import('../commands/upgrade-cluster.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const result = await upgradeCluster(context, {
        file,
        approved: await readApproved(approvedPath),
        confirm: confirmPlan(terminal, { dryRun, yes, json }),
      })
      if (json) printJson({ ...renderPlanJson(result.plan), applied: result.applied })
      return result.applied || dryRun ? 0 : notConfirmed()
    },

    async destroy({ config, json, confirm }) {
      const { readClusterFile } = await import('../commands/cluster-session.ts')
      const { destroyCluster } = await import('../commands/destroy-cluster.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const { clusterName } = readClusterFile(file).spec
      const result = await destroyCluster(context, {
        file,
        confirm: confirmDestroy(terminal, clusterName, confirm, json),
      })
      if (json)
        printJson({
          ...renderPlanJson(result.plan),
          destroyed: result.destroyed,
          kept: [...result.kept],
        })
      for (const name of result.kept) terminal.tell(`kept the volume ${name}`)
      return result.destroyed ? 0 : notConfirmed()
    },

    async kubeconfig({ config, json, out, hours }) {
      const { mintAccess } = await import('../commands/mint-access.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const { kubeconfig } = await mintAccess(context, { file, hours })
      await writePrivateFile(out, kubeconfig)
      if (json) printJson({ path: out, hours })
      else terminal.tell(`wrote ${out}, good for ${hours} hours`)
      return 0
    },

    async talosconfig({ config, json, out, hours, role }) {
      const { mintAccess } = await import('../commands/mint-access.ts')
      await using context = await openContext()
      const file = await readClusterFileFrom(config)
      const { talosconfig } = await mintAccess(context, { file, hours, role: toRole(role) })
      await writePrivateFile(out, talosconfig)
      if (json) printJson({ path: out, hours, role })
      else terminal.tell(`wrote ${out}, good for ${hours} hours`)
      return 0
    },

    async verify({ config, json }) {
      const { verifyState } = await import('../commands/verify-state.ts')
      await using context = await openContext()
      const state = await verifyState(context, await readClusterFileFrom(config))
      if (json) printJson(auditJson(state))
      else terminal.print(describeAudit(state))
      const [first] = state.problems
      if (first) throw first.error
      return 0
    },

    async signer() {
      const { stateSigners } = await import('../commands/state-signers.ts')
      await using context = await openContext()
      const signers = await stateSigners(context.state.identity, context.redactor)
      terminal.print(`${signers.join('\n')}\n`)
      return 0
    },

    async sandbox({ folder, latencies }) {
      const { runSandbox } = await import('./run-sandbox.ts')
      await runSandbox({
        folder,
        latencies: latencies === 'realistic' ? 'realistic' : 'none',
        path: parts.path,
        signal: parts.signal,
        announce: (line) => terminal.print(`${line}\n`),
      })
      return 0
    },

    async completion(shell) {
      terminal.print(completionScript(parts.program(), shell))
      return 0
    },
  }
}

function confirmDestroy(
  terminal: Terminal,
  clusterName: string,
  typed: string | undefined,
  json: boolean,
): (plan: Plan) => Promise<boolean> {
  return async (plan) => {
    if (!json) terminal.print(renderPlanText(plan, { colour: terminal.colour }))
    const question = `Type the name of the cluster to destroy it: `
    const name = typed ?? (terminal.interactive ? await terminal.ask(question) : '')
    if (name === clusterName) return true
    if (name === '') return false
    throw new ClusterError(
      'not-confirmed',
      `${name} is not the name of this cluster; nothing was deleted`,
    )
  }
}

function notConfirmed(): never {
  throw new ClusterError('not-confirmed', 'not confirmed; nothing was changed', {
    hint: 'answer yes, or give --yes (destroy: --confirm <name>)',
  })
}

async function readApproved(path: string | undefined): Promise<ApprovedPlan | undefined> {
  if (path === undefined) return undefined
  const wrong = (cause: unknown) =>
    new ClusterError('usage', 'this is not a plan', {
      target: path,
      hint: 'make one with `hcloud-talos plan --out <file>`',
      cause,
    })
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!isJsonObject(value)) throw new Error('not an object')
    const { digest, changes } = value
    if (typeof digest !== 'string' || !Array.isArray(changes))
      throw new Error('no digest or changes')
    return { digest, changes: changes.filter(isJsonObject) }
  } catch (error) {
    throw wrong(error)
  }
}

async function toStage(text: string | undefined): Promise<ApplyStage | undefined> {
  const { applyStages } = await import('../commands/plan-apply.ts')
  return text !== undefined && text in applyStages ? (text as ApplyStage) : undefined
}

function toArchitecture(text: string): Architecture {
  return text === 'arm64' ? 'arm64' : 'amd64'
}

function toRole(text: string): 'os:admin' | 'os:operator' | 'os:reader' {
  return text === 'os:operator' || text === 'os:reader' ? text : 'os:admin'
}
