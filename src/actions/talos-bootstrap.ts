import { stageAction } from './apply-action.ts'

/** Machine configs for every node, and etcd bootstrapped once. */
export const talosBootstrap = stageAction('talos')
