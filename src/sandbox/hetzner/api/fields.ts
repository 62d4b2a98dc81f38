import { z } from 'zod'
import { networkZones } from '../catalogue/locations.ts'
import { isLabelValue, isOwnLabelKey } from '../label-rules.ts'

/** The shapes of fields that many bodies share. */
export const id = z.int().positive()
/** Some fields take an id or a name; an id may also come as a text. */
export const idOrName = z.union([id, z.string().min(1)])
export const labels = z.record(
  z.string().refine(isOwnLabelKey, 'is no label key'),
  z.string().refine(isLabelValue, 'is no label value'),
)
export const resourceName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^\S(.*\S)?$/)
export const hostName = z
  .string()
  .max(253)
  .regex(
    /^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/,
  )
export const selector = z.string().min(1).max(1_000)
export const networkZone = z.enum(networkZones)
export const nothing = z.strictObject({})
export const protection = z.strictObject({ delete: z.boolean().optional() })
export const dnsPtr = z.strictObject({ ip: z.string(), dns_ptr: z.string().nullable() })
