import type { HostCheck, HostStep } from './host-check.ts'
import { shellLibrary } from './shell-library.ts'

/** The script that looks: it prints `check <id> <state> <what was seen>` for each check, with tabs, and changes nothing. */
export function renderProbe(step: HostStep): string {
  return [begin(step), ...step.checks.map(probeFunction), ...step.checks.map(probeCall), ''].join(
    '\n',
  )
}

/**
 * The script that makes a step true, check by check: each is looked at, and what failed is applied. What is unknown is left
 * as it is. A precondition that does not pass ends it before anything is changed. What restarts pods is refused on a node
 * that was not drained.
 */
export function renderApply(step: HostStep, isDrained = false): string {
  const { checks } = step
  const preconditions = checks.filter(({ isPrecondition }) => isPrecondition)
  const others = checks.filter(
    ({ isPrecondition, apply }) => !isPrecondition && apply !== undefined,
  )
  return [
    `node_is_drained=${isDrained ? 'yes' : 'no'}`,
    begin(step),
    ...[...preconditions, ...others].map(probeFunction),
    ...others.map((check) => shellFunction('apply', check, check.apply ?? '')),
    ...preconditions.map((check) => `${probeCall(check)}\n${whereNot('passed', 'refuse "$seen"')}`),
    ...others.map((check) => `${probeCall(check)}\n${where('failed', `apply_${nameOf(check)}`)}`),
    '',
  ].join('\n')
}

function begin({ parameters }: HostStep): string {
  const named = parameters.map((name, at) => `${name}=\${${at + 1}}`)
  const rest = [`shift ${parameters.length}`, 'rest=("$@")']
  return [shellLibrary, ...named, ...rest].join('\n')
}

function nameOf({ id }: HostCheck): string {
  return id.replaceAll('-', '_')
}

function shellFunction(verb: 'probe' | 'apply', check: HostCheck, body: string): string {
  return `${verb}_${nameOf(check)}() {\n${body.trim()}\n}`
}

function probeFunction(check: HostCheck): string {
  return shellFunction('probe', check, check.probe)
}

/** In a subshell that ends at its first error: after `||` or in a condition it would not. */
function probeCall(check: HostCheck): string {
  return [
    'set +e',
    `seen=$(set -e; probe_${nameOf(check)} 2>&1)`,
    'code=$?',
    'set -e',
    `report ${check.id} "$code" "$seen"`,
  ].join('\n')
}

function where(state: string, command: string): string {
  return `if [ "$state" = ${state} ]; then ${command}; fi`
}

function whereNot(state: string, command: string): string {
  return `if [ "$state" != ${state} ]; then ${command}; fi`
}
