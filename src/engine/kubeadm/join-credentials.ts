import { uploadCertsScript } from '../../kubeadm/acts/act-scripts.ts'
import { tokenSecret } from '../../kubeadm/config/bootstrap-token.ts'
import { initFile } from '../../kubeadm/config/init-configuration.ts'
import { type JoinMaterial, mintJoinMaterial } from '../../kubeadm/config/join-material.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { fieldAt } from '../../lib/kubernetes-object.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import { runJob } from './run-job.ts'

/** How long what is minted is good for, and how long it is handed out, in milliseconds: a join takes its time too. */
const lifeMs = 2 * 3_600_000
const freshMs = 3_600_000
/** How long the cluster may take to sign what hosts find it by, in milliseconds. */
const signedWithinMs = 2 * 60_000

export interface JoinCredentialsOptions {
  readonly context: RunContext
  /** As the cluster runs it. */
  readonly spec: HostsSpec
  readonly kubernetes: () => Promise<KubernetesClient>
  /** A control plane that has the keys of the cluster, as the file and as SSH know it. */
  readonly executor: () => Promise<{ readonly host: HostSpec; readonly remote: RemoteHost }>
}

/**
 * What hosts join with. It is minted when the first host of a run needs it, again before it ends, and never stored: the
 * token is deleted after the last join. Certificate keys are uploaded by one host at a time, since each upload ends what
 * the one before was good for.
 */
export class JoinCredentials {
  readonly #options: JoinCredentialsOptions
  #token: { readonly at: number; readonly material: Promise<JoinMaterial> } | undefined
  #uploaded: { readonly of: JoinMaterial; readonly done: Promise<void> } | undefined
  readonly #minted: string[] = []

  constructor(options: JoinCredentialsOptions) {
    this.#options = options
  }

  /** For a worker. */
  async forWorker(): Promise<JoinMaterial> {
    return this.#current()
  }

  /** For a control plane: its keys are there to be fetched. */
  async forControlPlane(): Promise<JoinMaterial> {
    const material = await this.#current()
    if (this.#uploaded?.of !== material) {
      this.#uploaded = { of: material, done: this.#upload(material) }
    }
    await this.#uploaded.done
    return material
  }

  /** Deletes what was minted: nobody else joins with it. Asks nobody where nothing was. */
  async revoke(kubernetes: KubernetesClient): Promise<void> {
    for (const id of this.#minted.splice(0)) await kubernetes.delete(tokenRef(id))
  }

  #current(): Promise<JoinMaterial> {
    const now = this.#options.context.calendar.now()
    const known = this.#token
    if (known && now < known.at + freshMs) return known.material
    const made = { at: now, material: this.#mint(now) }
    this.#token = made
    made.material.catch(() => {
      if (this.#token === made) this.#token = undefined
    })
    return made.material
  }

  async #mint(now: number): Promise<JoinMaterial> {
    const { context, kubernetes } = this.#options
    const material = mintJoinMaterial(context.random)
    context.redactor.add(material.token.secret)
    context.redactor.add(material.certificateKey)
    const client = await kubernetes()
    const { id } = material.token
    const life = { expires: now + lifeMs, description: `joins of the run ${context.run.id}` }
    this.#minted.push(id)
    await client.applyServerSide(tokenSecret(material.token, life), {
      fieldManager: 'hcloud-talos',
    })
    await this.#untilSigned(client, id)
    return material
  }

  /** Nobody finds the cluster by a token before its controller manager has signed with it where it is. */
  async #untilSigned(client: KubernetesClient, id: string): Promise<void> {
    const { clock, signal } = this.#options.context
    const ref = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'kube-public',
      name: 'cluster-info',
    }
    await waitFor(
      'the cluster to sign its address with the token',
      async () => {
        const info = await client.get(ref)
        const isSigned = info && fieldAt(info, 'data', `jws-kubeconfig-${id}`) !== undefined
        return isSigned
          ? { done: undefined }
          : { pending: 'the controller manager has not signed yet' }
      },
      {
        clock,
        signal,
        everyMs: 1_000,
        withinMs: signedWithinMs,
        hint: 'Look at the log of the kube-controller-manager on the control planes.',
      },
    )
  }

  async #upload(material: JoinMaterial): Promise<void> {
    const { spec, executor } = this.#options
    const { host, remote } = await executor()
    await runJob(remote, {
      name: 'kubeadm-upload-certs',
      title: 'upload the keys of the control plane',
      script: uploadCertsScript,
      args: [initFile(spec, host, material)],
      minutes: spec.kubeadm.timeoutMinutes.join,
    })
  }
}

function tokenRef(id: string) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    namespace: 'kube-system',
    name: `bootstrap-token-${id}`,
  }
}
