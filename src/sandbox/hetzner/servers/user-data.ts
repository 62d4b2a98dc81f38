import { z } from 'zod'

/** Hetzner takes 32 KiB of user data and no more; a whole machine config can be larger. */
export const userData = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= 32_768, 'is longer than 32768 bytes')
