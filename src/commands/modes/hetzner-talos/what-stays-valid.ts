import type { StillValid } from '../../../run/mode/cluster-keys.ts'

/**
 * What whoever could read the state still holds after `revokeCluster`. Not a matter of taste: each line is here because
 * it was not rotated, and goes when it is.
 */
export const stillValid: readonly StillValid[] = [
  {
    what: 'the CA of Kubernetes',
    means:
      'makes an administrator of the cluster of whoever reaches port 6443, for the ten years that it is good for',
    remedy:
      'Keep firewall.kubernetesApi closed; if somebody unknown may have reached it, replace the cluster. Do not use `talosctl rotate-ca` for it: the state would not know, and the next apply would put the former one back.',
  },
  {
    what: 'the key that signs service account tokens',
    means: 'makes tokens of any service account',
    remedy: 'Do the same; to replace it, restart every pod with a token.',
  },
  {
    what: 'the CAs of etcd and of the aggregation layer',
    means: 'read and write etcd from inside of the private network',
    remedy:
      'Let nobody else into the private network; Talos cannot replace the CA of etcd in a running cluster.',
  },
  {
    what: 'the key with which Kubernetes encrypts Secrets in etcd',
    means: 'opens a copy of the etcd database that somebody took',
    remedy:
      'Take snapshots of etcd for secrets in plain text where they were made before, and renew what is in Secrets.',
  },
  {
    what: 'the join tokens of Talos and Kubernetes, and the secret of cluster discovery',
    means:
      'ask a control plane for a certificate of a worker, from inside of the private network (ports 50001 and 6443)',
    remedy:
      'Let nobody else into the private network; Talos takes another join token up only with a reboot of each node.',
  },
  {
    what: 'kubeconfigs that were minted',
    means: 'are good until they expire (12 hours unless --hours set another time)',
    remedy: 'Wait for that; nothing shortens it. Talosconfigs that were minted are void already.',
  },
  {
    what: "Hetzner's token",
    means:
      'whatever it may do in the project; it is in the cluster too (Secret kube-system/hcloud)',
    remedy:
      'If it may be known, make another one in the console, set HCLOUD_TOKEN and that Secret, and delete the former.',
  },
  {
    what: 'secrets that the cluster file refers to by name',
    means: 'whatever each of them opens: the registry, the VPN, the log sink',
    remedy:
      'Renew each where it is from, and give it to `hcloud-talos secret set`; `hcloud-talos secret list` names them.',
  },
  {
    what: "git's history",
    means:
      'every former generation of the state stays readable for the former identity, in each clone',
    remedy:
      'Take it off the branch with `hcloud-talos compact`; clones and what GitHub keeps by commit id are beyond anybody.',
  },
]
