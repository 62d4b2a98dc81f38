/**
 * The addresses of a world with real nodes. They exist in its own network namespace alone: the public
 * ones are documentation ranges (RFC 5737), the gateway and the metadata service are Hetzner's own.
 */
export const rigAddresses = {
  /** Where the world's servers and load balancers get their public addresses. */
  publicRange: '198.51.100.0/24',
  /** Whoever uses the world from inside its namespace, seen from the nodes; nodes find its fronts here. */
  internet: '198.51.100.1',
  /** The rig itself, on its way around the fronts that it puts before nodes. */
  rig: '198.51.100.2',
  /** Hetzner's gateway of every server's public side. */
  publicGateway: '172.31.1.1',
  metadata: '169.254.169.254',
} as const

/** Hosts of the public range that are taken by the above. */
export const reservedPublicHosts = 10
