/**
 * Every failure that can be expected, with the exit code that stands for it at a terminal.
 * Closed on purpose: docs/troubleshooting.md has one section for each, and a test compares the two.
 * 0 is success, 1 a bug of ours, 2 pending changes (`--detailed-exitcode`), 130 an interruption.
 */
export const errorCodes = {
  usage: 3,
  'node-too-old': 4,
  interrupted: 130,

  'spec-invalid': 10,
  'spec-not-found': 11,
  'spec-not-a-file': 12,
  'spec-empty': 13,
  'spec-binary': 14,
  'spec-too-large': 15,

  'token-missing': 20,
  'token-invalid': 21,
  'token-read-only': 22,
  'hetzner-unreachable': 23,
  'hetzner-limit': 24,
  'hetzner-unavailable': 25,
  'hetzner-conflict': 26,
  'hetzner-failed': 27,
  'hetzner-answer': 28,
  'hetzner-rate-limit': 29,

  'identity-missing': 30,
  'identity-invalid': 31,
  'state-missing': 32,
  'state-foreign': 33,
  'state-corrupt': 34,
  'state-undecryptable': 35,
  'state-locked': 36,
  'state-fenced': 37,
  'state-push-refused': 38,
  'state-unreachable': 39,
  'cluster-unknown': 40,
  'git-missing': 41,
  'secrets-invalid': 42,
  'state-recipients': 43,
  'state-ref-blocked': 44,

  'plan-refused': 45,
  'plan-moved': 46,
  'not-confirmed': 47,
  'plan-unapproved': 49,
  leftovers: 48,

  'image-build-failed': 50,
  'ssh-failed': 51,
  'ssh-host-key': 52,
  'factory-failed': 53,
  'address-unknown': 54,
  'clock-wrong': 55,

  'talos-unreachable': 60,
  'talos-identity': 61,
  'talos-refused': 62,
  'talos-upgrade-failed': 63,
  'etcd-unhealthy': 64,

  'kubernetes-unreachable': 70,
  'kubernetes-refused': 71,
  'drain-blocked': 72,
  'addon-failed': 73,
  'helm-failed': 74,

  'wait-timeout': 80,
  'disk-full': 81,
  'file-unwritable': 82,
  'talosconfig-invalid': 87,

  'real-host-unfit': 85,
  'real-bed-failed': 86,

  'state-unsigned': 90,
  'state-signature-wrong': 91,
  'state-signer-unknown': 92,
  'state-manifest-unreadable': 93,
  'state-other-cluster': 94,
  'state-other-repository': 95,
  'state-epoch-unknown': 96,
  'state-file-missing': 97,
  'state-file-changed': 98,
  'state-file-misplaced': 99,
  'state-rolled-back': 101,
  'state-chain-broken': 102,

  'etcd-leave-failed': 103,
  'component-unhealthy': 104,
  'node-change-failed': 105,
  'upgrade-gate-closed': 107,
  'node-not-ready': 108,
  'image-pull-failed': 109,

  'run-outdated': 123,
  'snapshot-missing': 111,
  'snapshot-damaged': 112,
  'snapshot-foreign': 113,
  'object-storage-failed': 114,
  'etcd-alive': 115,
  'recovery-impossible': 116,
  'rotation-unprepared': 117,
  'bundle-invalid': 118,
  'import-refused': 119,
  'compact-refused': 120,
  'doctor-findings': 121,
  'revocation-refused': 122,
} as const

/** The name of an expected failure; stable, since users and docs refer to it. */
export type ErrorCode = keyof typeof errorCodes
