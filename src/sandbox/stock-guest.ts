import type { GuestFactory } from './machine.ts'

/** A plain system: it is on, and does nothing else. */
export const stockGuest: GuestFactory = async () => ({ stop: async () => {} })
