import { stringify } from 'yaml'
import { canBeOnGithub, type PublishedAction, usesOf } from '../../../lib/published-action.ts'

/** The workflow that `init` writes: plan on pull requests, apply on push to main. */
export function defaultWorkflow(
  clusterName: string,
  config: string,
  action: PublishedAction,
): string {
  const note = canBeOnGithub(action.name)
    ? '# It gets tokens and the key. A tag can be moved: pin the commit of a release that you have looked at.'
    : '# A PLACEHOLDER, which GitHub refuses: name the repository that you take the action from.'
  const uses = `${note}\n      - uses: ${usesOf(action)}`
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
    # A read-only Hetzner token as HCLOUD_TOKEN, and nothing else.
    environment: ${clusterName}-plan
    permissions: { contents: read, pull-requests: write }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      ${uses}
        with:
          config: ${scalar(config)}
          hcloud-token: \${{ secrets.HCLOUD_TOKEN }}
  apply:
    if: github.event_name == 'push' || github.event_name == 'workflow_dispatch'
    runs-on: ubuntu-24.04
    timeout-minutes: 120
    # Restricted to the default branch: a read-write token as HCLOUD_TOKEN, the age identity as AGE_IDENTITY.
    environment: ${scalar(clusterName)}
    permissions: { contents: write, pull-requests: write, actions: read }
    concurrency: { group: apply-${clusterName}, cancel-in-progress: false }
    steps:
      - uses: actions/checkout@v6
        with: { persist-credentials: false }
      ${uses}
        with:
          config: ${scalar(config)}
          hcloud-token: \${{ secrets.HCLOUD_TOKEN }}
          age-identity: \${{ secrets.AGE_IDENTITY }}
          approve: \${{ inputs.approve }}
          confirm: \${{ inputs.confirm }}
`
}

/** A text as YAML takes it for a text, whatever it looks like. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim()
}
