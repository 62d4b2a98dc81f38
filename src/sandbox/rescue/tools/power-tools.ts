import type { Tool } from './tool.ts'

/** Switches the machine off, or reboots it with `-r`, once the command that called it has ended. */
export const shutdown: Tool = async ({ host, args }) => {
  host.power = args.includes('-r') || args.includes('--reboot') ? 'reboot' : 'off'
  return 0
}

export const poweroff: Tool = async ({ host }) => {
  host.power = 'off'
  return 0
}

export const reboot: Tool = async ({ host }) => {
  host.power = 'reboot'
  return 0
}
