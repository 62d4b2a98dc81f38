import type { Machine } from '../machine.ts'
import { ConfigRefused } from './config/config-refused.ts'
import { decodeUserData } from './config/decode-user-data.ts'
import { type NodeConfig, readNodeConfig } from './config/node-config.ts'
import { type ConfigDocuments, parseConfig } from './config/parse-config.ts'
import { joinProblems, validateConfig } from './config/validate-config.ts'
import type { TalosVersion } from './talos-version.ts'

const diskKey = 'talos.config'

/** A config in its text, its documents, and what the node reads from them. */
export interface ActiveConfig {
  readonly text: string
  readonly documents: ConfigDocuments
  readonly config: NodeConfig
}

/** The machine config of one node: the one on its STATE partition, and the one in effect. */
export class ConfigStore {
  readonly #machine: Machine
  readonly #version: TalosVersion
  readonly #onActive: (document: Readonly<Record<string, unknown>>) => void
  active: ActiveConfig | undefined
  /**
   * The config that this boot began with: volumes are mounted and workloads isolated by it, whatever was applied
   * since.
   */
  booted: ActiveConfig | undefined
  /** Why the config that the machine booted with was not taken. */
  loadError: string | undefined

  /** Told of every document of a config that takes effect. */
  constructor(
    machine: Machine,
    version: TalosVersion,
    onActive: (document: Readonly<Record<string, unknown>>) => void,
  ) {
    this.#machine = machine
    this.#version = version
    this.#onActive = onActive
  }

  /** What is on the disk, and holds after the next boot. */
  get persisted(): string | undefined {
    const text = this.#machine.disk.state.get(diskKey)
    return typeof text === 'string' ? text : undefined
  }

  /** At boot: the config on the disk, or else the one in the server's user data, which is then kept. */
  load(): void {
    const text = this.persisted ?? decodeUserData(this.#machine.userData)
    if (text === undefined) return
    try {
      const documents = parseConfig(text, this.#version)
      const problems = validateConfig(documents, this.#version)
      if (problems.length > 0) throw new ConfigRefused(joinProblems(problems))
      this.activate(text, documents)
      this.persist(text)
    } catch (error) {
      if (!(error instanceof ConfigRefused)) throw error
      this.loadError = error.message
    }
  }

  /** It takes effect now. */
  activate(text: string, documents: ConfigDocuments): void {
    if (documents.v1alpha1 === undefined) return
    this.active = { text, documents, config: readNodeConfig(text, documents) }
    this.booted ??= this.active
    for (const document of [documents.v1alpha1, ...documents.others]) this.#onActive(document)
  }

  persist(text: string): void {
    this.#machine.disk.state.set(diskKey, text)
  }

  /** As wiping STATE does. */
  wipe(): void {
    this.#machine.disk.state.delete(diskKey)
  }
}
