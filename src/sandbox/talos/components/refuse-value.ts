import { words } from './words.ts'

const forms = {
  ParseInt: {
    pattern: /^-?\d+$/,
    flags: new Set(
      words(`
        audit-log-maxage audit-log-maxbackup audit-log-maxsize event-burst event-qps healthz-port kube-api-burst
        max-mutating-requests-inflight max-open-files max-pods max-requests-inflight min-request-timeout
        node-cidr-mask-size pods-per-core read-only-port secure-port terminated-pod-gc-threshold v
      `),
    ),
  },
  ParseBool: {
    pattern: /^(?:1|0|t|f|T|F|true|false|TRUE|FALSE|True|False)$/,
    flags: new Set(
      words(`
        allocate-node-cidrs allow-privileged anonymous-auth contention-profiling enable-aggregator-routing
        enable-garbage-collector fail-swap-on leader-elect make-iptables-util-chains profiling
        rotate-server-certificates serialize-image-pulls
      `),
    ),
  },
  ParseDuration: {
    pattern: /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$|^0$/,
    flags: new Set(
      words(`
        event-ttl node-monitor-grace-period node-monitor-period
        node-status-update-frequency request-timeout sync-frequency
      `),
    ),
  },
} as const

/** Why a component does not take a flag's value, as Go's flags say it; undefined where it does. */
export function valueRefusal(
  args: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  for (const [name, values] of Object.entries(args)) {
    for (const [parser, { pattern, flags }] of Object.entries(forms)) {
      const wrong = values.find((value) => flags.has(name) && !pattern.test(value))
      if (wrong !== undefined) {
        return `invalid argument \\"${wrong}\\" for \\"--${name}\\" flag: strconv.${parser}: parsing \\"${wrong}\\": invalid syntax`
      }
    }
  }
  return undefined
}
