import { words } from './words.ts'

/** The flags of etcd 3.6, from its sources. */
export const etcdFlags: ReadonlySet<string> = new Set(
  words(`
    advertise-client-urls auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention
    auto-tls backend-batch-interval backend-batch-limit backend-bbolt-freelist-type bcrypt-cost
    bootstrap-defrag-threshold-megabytes cert-file cipher-suites client-cert-allowed-hostname
    client-cert-auth client-cert-file client-crl-file client-key-file compact-hash-check-time
    compaction-batch-limit compaction-sleep-interval config-file corrupt-check-time cors data-dir
    discovery discovery-cacert discovery-cert discovery-dial-timeout discovery-endpoints
    discovery-fallback discovery-insecure-skip-tls-verify discovery-insecure-transport
    discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password
    discovery-proxy discovery-request-timeout discovery-srv discovery-srv-name discovery-token
    discovery-user distributed-tracing-address distributed-tracing-instance-id
    distributed-tracing-sampling-rate distributed-tracing-service-name downgrade-check-time
    election-timeout enable-distributed-tracing enable-grpc-gateway enable-log-rotation enable-pprof
    experimental-bootstrap-defrag-threshold-megabytes experimental-compact-hash-check-enabled
    experimental-compact-hash-check-time experimental-compaction-batch-limit
    experimental-compaction-sleep-interval experimental-corrupt-check-time
    experimental-distributed-tracing-address experimental-distributed-tracing-instance-id
    experimental-distributed-tracing-sampling-rate experimental-distributed-tracing-service-name
    experimental-downgrade-check-time experimental-enable-distributed-tracing
    experimental-enable-lease-checkpoint experimental-enable-lease-checkpoint-persist
    experimental-initial-corrupt-check experimental-memory-mlock
    experimental-peer-skip-client-san-verification experimental-snapshot-catchup-entries
    experimental-stop-grpc-service-on-defrag experimental-txn-mode-write-with-shared-buffer
    experimental-warning-apply-duration experimental-warning-unary-request-duration
    experimental-watch-progress-notify-interval feature-gates force-new-cluster grpc-keepalive-interval
    grpc-keepalive-min-time grpc-keepalive-timeout heartbeat-interval host-whitelist
    initial-advertise-peer-urls initial-cluster initial-cluster-state initial-cluster-token
    initial-election-tick-advance key-file listen-client-http-urls listen-client-urls
    listen-metrics-urls listen-peer-urls log-format log-level log-outputs log-rotation-config-json
    logger max-concurrent-streams max-learners max-request-bytes max-snapshots max-txn-ops max-wals
    memory-mlock metrics name peer-auto-tls peer-cert-allowed-cn peer-cert-allowed-hostname
    peer-cert-file peer-client-cert-auth peer-client-cert-file peer-client-key-file peer-crl-file
    peer-key-file peer-skip-client-san-verification peer-trusted-ca-file pre-vote
    quota-backend-bytes raft-read-timeout raft-write-timeout self-signed-cert-validity
    snapshot-catchup-entries snapshot-count socket-reuse-address socket-reuse-port
    strict-reconfig-check tls-max-version tls-min-version trusted-ca-file unsafe-no-fsync
    v2-deprecation version wal-dir warning-apply-duration warning-unary-request-duration
    watch-progress-notify-interval
  `),
)
