import type { Command } from 'commander'

/** Every command that does something, by what is typed: those that only hold others are left out. */
export function everyCommand(command: Command, path: readonly string[] = []): string[] {
  const below = command.commands.flatMap((child) => everyCommand(child, [...path, child.name()]))
  const does = below.length === 0 || command.registeredArguments.length > 0
  return does ? [path.join(' '), ...below] : below
}
