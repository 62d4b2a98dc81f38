import { stringify } from 'yaml'
import { canBeOnGithub, type PublishedAction, usesOf } from '../../../lib/published-action.ts'
import { sshKeyVariable } from '../../../spec/hosts/default-hosts-file.ts'

/** What the workflows of the modes differ in: what jobs are given, and where people put it. */
interface Access {
  /** Comments on the environments of the jobs. */
  readonly ofPlan: readonly string[]
  readonly ofApply: readonly string[]
  /** Inputs of both. */
  readonly inputs: readonly string[]
  /** Lines after the inputs. */
  readonly environment: readonly string[]
}

const toHetzner: Access = {
  ofPlan: ['A read-only Hetzner token as HCLOUD_TOKEN, and nothing else.'],
  ofApply: [
    'Restricted to the default branch: a read-write token as HCLOUD_TOKEN, the age identity as AGE_IDENTITY.',
  ],
  inputs: [`hcloud-token: \${{ secrets.HCLOUD_TOKEN }}`],
  environment: [],
}

const toHosts: Access = {
  ofPlan: [
    `With the private key of the hosts as ${sshKeyVariable}, pull requests are planned, and whoever may push a branch can`,
    'become root on them. Without, the file of a pull request is checked alone; a merge queue cannot do without.',
  ],
  ofApply: [
    `Restricted to the default branch: the private key of the hosts as ${sshKeyVariable}, the age identity as AGE_IDENTITY.`,
  ],
  inputs: [],
  environment: ['env:', `  ${sshKeyVariable}: \${{ secrets.${sshKeyVariable} }}`],
}

/** The workflow that `init` writes: plan on pull requests, apply on push to main. */
export function defaultWorkflow(
  clusterName: string,
  config: string,
  action: PublishedAction,
): string {
  return workflowWith(toHetzner, clusterName, config, action)
}

/** The same of a cluster on hosts that exist. */
export function defaultHostsWorkflow(
  clusterName: string,
  config: string,
  action: PublishedAction,
): string {
  return workflowWith(toHosts, clusterName, config, action)
}

function workflowWith(
  { ofPlan, ofApply, inputs, environment }: Access,
  clusterName: string,
  config: string,
  action: PublishedAction,
): string {
  const note = canBeOnGithub(action.name)
    ? '# It gets tokens and the key. A tag can be moved: pin the commit of a release that you have looked at.'
    : '# A PLACEHOLDER, which GitHub refuses: name the repository that you take the action from.'
  const uses = `${note}\n      - uses: ${usesOf(action)}`
  const comments = (lines: readonly string[]) => lines.map((line) => `    # ${line}\n`).join('')
  const ofStep = (lines: readonly string[]) => lines.map((line) => `        ${line}\n`).join('')
  const given = [`config: ${scalar(config)}`, ...inputs].map((line) => `  ${line}`)
  const approved = [
    `age-identity: \${{ secrets.AGE_IDENTITY }}`,
    `approve: \${{ inputs.approve }}`,
    `confirm: \${{ inputs.confirm }}`,
  ].map((line) => `  ${line}`)
  return `name: ${scalar(clusterName)}
on:
  pull_request: {}
  merge_group: {}
  push: { branches: [main] }
  # To carry out a plan that stopped: the digits that it ends with; and the name of the cluster where a plan asks for it.
  workflow_dispatch: { inputs: { approve: { type: string }, confirm: { type: string } } }
permissions: {}
jobs:
  plan:
    if: github.event_name == 'pull_request' || github.event_name == 'merge_group'
    runs-on: ubuntu-24.04
    timeout-minutes: 20
${comments(ofPlan)}    environment: ${clusterName}-plan
    permissions: { contents: read, pull-requests: write }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      ${uses}
        with:
${ofStep([...given, ...environment])}  apply:
    if: github.event_name == 'push' || github.event_name == 'workflow_dispatch'
    runs-on: ubuntu-24.04
    timeout-minutes: 120
${comments(ofApply)}    environment: ${scalar(clusterName)}
    permissions: { contents: write, pull-requests: write, actions: read }
    concurrency: { group: apply-${clusterName}, cancel-in-progress: false }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      ${uses}
        with:
${ofStep([...given, ...approved, ...environment])}`
}

/** A text as YAML takes it for a text, whatever it looks like. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim()
}
