/** What must be true of everything that a run does to a world, whatever comes of the run. */
export const invariants = {
  'one-voter-away': 'no voter of etcd is stopped or removed while another one is away',
  'members-leave-first': 'no server is deleted while etcd lists its member',
  'config-to-a-shown-key':
    'a config with secrets goes to a key only that was shown on an earlier connection',
  'closed-from-the-start': 'no node is open to the internet, not even as it is made',
  'written-down-first': 'what cannot be undone is on the state branch before it is done',
  'nothing-begun-after-a-failure': 'after a failure a run begins nothing new',
  'others-untouched': 'what the product did not make is neither changed nor deleted',
  'no-secret-in-output': 'no secret is in a log, a comment or the repository',
  'one-authority': 'the authority of a cluster is made once, where no host shows one',
  'one-join-at-a-time': 'no control plane joins while another one does',
  'drained-before-reset': 'no host is reset under the pods of its node while the API answers',
  'runtime-restarted-drained': 'containerd is not restarted under the pods of a node',
  'one-vip-holder': 'no two hosts have the virtual IP',
  'one-control-plane-at-a-time':
    'no control plane is changed while another one does not run yet what its files say',
  'super-admin-for-init-alone': 'kube-vip has the rights of super-admin.conf until init has ended',
  'one-etcd': 'no member starts with data of another etcd than the others have',
  'data-at-rest': 'no data is changed under an etcd that runs',
  'revisions-go-on': 'what is restored goes on above all revisions that anybody has seen',
  'tokens-end': 'nothing that hosts join with is good for more than two hours',
  'state-outlives-resources': 'the state stays on its branch as long as resources remain',
} as const satisfies Record<string, string>

export type Invariant = keyof typeof invariants
