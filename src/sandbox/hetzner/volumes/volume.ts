import type { Labelled } from '../labels.ts'

export interface VolumeRecord extends Labelled {
  status: 'creating' | 'available'
  server: number | null
  readonly location: string
  /** In GB. */
  size: number
  readonly format: string | null
  deleteProtected: boolean
}
