import { neededInput, textInput } from './input.ts'

const githubToken = { default: `\${{ github.token }}`, isSecret: true }

/** Inputs of every action. */
export const commonInputs = {
  config: neededInput('Path of the cluster file.', { required: false, default: 'cluster.yaml' }),
  'hcloud-token': textInput('Hetzner Cloud API token of the project, one that may write.', {
    required: true,
    isSecret: true,
  }),
  'github-token': textInput(
    'Token with which the cluster file is compared with the one on the default branch.',
    githubToken,
  ),
}

/** Inputs of every action on a cluster. */
export const clusterInputs = {
  ...commonInputs,
  // A cluster on hosts has none; nor has a pull request from a fork, which checks the file alone.
  'hcloud-token': textInput(
    'Hetzner Cloud API token of the project, for clusters with servers at Hetzner. A plan needs a read-only one, everything else one that may write.',
    { isSecret: true },
  ),
  'age-identity': textInput(
    'age identity (AGE-SECRET-KEY-…) that opens the state. A plan needs none.',
    { isSecret: true },
  ),
  'github-token': textInput(
    'Token with which the state branch is read and written and the plan is commented.',
    githubToken,
  ),
  job: textInput(
    'Which job this is, as the runner knows it: another run sees by it whether this one has ended. Leave it out.',
    {
      default: `\${{ job.check_run_id }}|\${{ strategy.job-index }}|\${{ strategy.job-total }}|\${{ toJSON(matrix) }}`,
    },
  ),
}

/** The name of the cluster, for what a yes is too little: an empty one is another name. */
export const typedNameInput = textInput('The name of the cluster, typed out.', { required: true })
