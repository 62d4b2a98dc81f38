import type { DiskImage } from '../../machine.ts'
import type { Labels } from '../labels.ts'

export interface ImageRecord {
  readonly id: number
  type: 'system' | 'snapshot' | 'backup'
  status: 'available' | 'creating' | 'unavailable'
  /** Only system images have one. */
  readonly name: string | null
  description: string
  labels: Labels
  readonly created: number
  /** In GB; null while it is being made. */
  imageSize: number | null
  readonly diskSize: number
  readonly createdFrom: { readonly id: number; readonly name: string } | null
  readonly boundTo: number | null
  readonly osFlavor: string
  readonly osVersion: string | null
  readonly architecture: 'x86' | 'arm'
  readonly deprecated: number | null
  deleteProtected: boolean
  /** What a machine that is made from it finds on its disk. */
  content: DiskImage
}
