import { stageAction } from './apply-action.ts'

/** Cilium, Hetzner's controllers and the CSR approver, and nodes that are Ready. */
export const installAddons = stageAction('addons')
