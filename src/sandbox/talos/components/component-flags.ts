import { words } from './words.ts'

/**
 * The flags that components of Kubernetes 1.30 to 1.37 register, by component; of those that several have, once:
 * from Kubernetes's sources, so a name that is missing is one that makes the component end at its start.
 */
const shared = words(`
  address admission-control-config-file advertise-address allow-metric-labels
  allow-metric-labels-manifest also-stdout audit-log-compress audit-log-format audit-log-maxage
  audit-log-maxbackup audit-log-maxsize audit-log-path audit-log-version audit-policy-file
  audit-webhook-batch-initial-backoff audit-webhook-config-file audit-webhook-initial-backoff
  audit-webhook-version authentication-kubeconfig authentication-skip-lookup
  authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure
  authorization-always-allow-paths authorization-kubeconfig
  authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
  bind-address blocking-strict cert-dir client-ca-file contention-profiling cors-allowed-origins
  debug-socket-path default-watch-cache-size delete-collection-workers disable-admission-plugins
  disable-http2-serving disabled-metrics egress-selector-config-file emulated-version
  emulation-forward-compatible enable-admission-plugins enable-garbage-collector
  enable-priority-and-fairness encryption-provider-config
  encryption-provider-config-automatic-reload etcd-cafile etcd-certfile etcd-compaction-interval
  etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-keyfile
  etcd-prefix etcd-readycheck-timeout etcd-servers etcd-servers-overrides
  extension-apiserver-authentication external-hostname feature-gate feature-gates flush-interval
  goaway-chance help http2-max-streams-per-connection insecure-bind-address insecure-port
  kms-providers kubeconfig leader-elect leader-elect-lease-duration leader-elect-renew-deadline
  leader-elect-resource-lock leader-elect-resource-name leader-elect-resource-namespace
  leader-elect-retry-period lease-reuse-duration-seconds livez-grace-period log-file log-file-age
  log-file-size log-flush-frequency log-json-info-buffer-size log-json-split-stream
  log-text-info-buffer-size log-text-split-stream logging-format max-age
  max-mutating-requests-inflight max-requests-inflight min-compatibility-version
  min-request-timeout permit-address-sharing permit-port-sharing port profiling redirect-stderr
  request-timeout requestheader-allowed-names requestheader-client-ca-file
  requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
  requestheader-username-headers runtime-config runtime-config-emulation-forward-compatible
  secure-port show-hidden-metrics-for-version shutdown-delay-duration shutdown-send-retry-after
  shutdown-watch-termination-grace-period start-apiserver-admission-initializer storage-backend
  storage-initialization-timeout storage-media-type strict-transport-security-directives
  tls-cert-file tls-cipher-suites tls-curve-preferences tls-min-version tls-private-key-file
  tls-sni-cert-key tracing-config-file v vmodule watch-cache watch-cache-sizes
`)

export const componentFlags: Readonly<Record<string, ReadonlySet<string>>> = {
  'kube-apiserver': new Set([
    ...shared,
    ...words(`
      admission-control aggregator-reject-forwarding-redirect allow-privileged anonymous-auth
      api-audiences apiserver-count authentication-config authentication-token-webhook-config-file
      authentication-token-webhook-version authorization-config authorization-mode
      authorization-policy-file authorization-webhook-config-file authorization-webhook-version
      client-ca cloud-config cloud-provider cloud-provider-gce-l7lb-src-cidrs
      cloud-provider-gce-lb-src-cidrs coordinated-leadership-lease-duration
      coordinated-leadership-renew-deadline coordinated-leadership-retry-period
      default-not-ready-toleration-seconds default-unreachable-toleration-seconds
      enable-aggregator-routing enable-bootstrap-token-auth enable-logs-handler
      endpoint-reconciler-type event-ttl features front-proxy-ca generic-apiserver-start-informers
      kube-apiserver kubelet-certificate-authority kubelet-client-certificate kubelet-client-key
      kubelet-port kubelet-preferred-address-types kubelet-read-only-port kubelet-timeout
      kubernetes-service-node-port max-connection-bytes-per-sec max-in-flight-filter
      oidc-authenticator oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix
      oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim oidc-username-prefix
      peer-advertise-ip peer-advertise-port peer-ca-file priority-and-fairness-config-consumer
      priority-and-fairness-filter proxy-client-cert-file proxy-client-key-file
      sample-generic-controlplane service-account-extend-token-expiration service-account-issuer
      service-account-jwks-uri service-account-key-file service-account-lookup
      service-account-max-token-expiration service-account-signing-endpoint
      service-account-signing-key-file service-cluster-ip-range service-node-port-range
      storage-object-count-tracker-hook token-auth-file
    `),
  ]),
  'kube-controller-manager': new Set([
    ...shared,
    ...words(`
      allocate-node-cidrs allow-untagged-cloud attach-detach-reconcile-sync-period
      attachdetach-controller bootstrap-signer-controller
      certificatesigningrequest-approving-controller certificatesigningrequest-cleaner-controller
      certificatesigningrequest-signing-controller cidr-allocator-type cloud-config
      cloud-controller-manager cloud-controller-manager-webhook cloud-provider cluster-cidr
      cluster-name cluster-signing-cert-file cluster-signing-duration cluster-signing-key-file
      cluster-signing-kube-apiserver-client-cert-file cluster-signing-kube-apiserver-client-key-file
      cluster-signing-kubelet-client-cert-file cluster-signing-kubelet-client-key-file
      cluster-signing-kubelet-serving-cert-file cluster-signing-kubelet-serving-key-file
      cluster-signing-legacy-unknown-cert-file cluster-signing-legacy-unknown-key-file
      clusterrole-aggregation-controller concurrent-cron-job-syncs concurrent-daemonset-syncs
      concurrent-deployment-syncs concurrent-device-taint-eviction-syncs concurrent-disruption-syncs
      concurrent-endpoint-syncs concurrent-ephemeralvolume-syncs concurrent-gc-syncs
      concurrent-horizontal-pod-autoscaler-syncs concurrent-job-syncs concurrent-namespace-syncs
      concurrent-node-lifecycle-syncs concurrent-node-status-updates concurrent-node-syncs
      concurrent-replicaset-syncs concurrent-resource-quota-syncs concurrent-resourceclaim-syncs
      concurrent-service-endpoint-syncs concurrent-service-syncs concurrent-serviceaccount-token-syncs
      concurrent-statefulset-syncs concurrent-ttl-after-finished-syncs
      concurrent-validating-admission-policy-status-syncs configure-cloud-routes controller-discovery
      controller-shutdown-timeout controller-start-interval controllers cronjob-controller
      daemonset-controller deployment-controller device-taint-eviction-controller
      disable-attach-detach-reconcile-sync disable-force-detach-on-timeout disruption-controller
      enable-dynamic-provisioning enable-hostpath-provisioner enable-leader-migration
      endpoint-controller endpoint-updates-batch-period endpoints-controller endpointslice-controller
      endpointslice-mirroring-controller endpointslice-updates-batch-period
      ephemeral-volume-controller expand-controller external-cloud-volume-plugin
      flex-volume-plugin-dir garbage-collector-controller generic-garbage-collector
      horizontal-pod-autoscaler-controller horizontal-pod-autoscaler-cpu-initialization-period
      horizontal-pod-autoscaler-downscale-delay horizontal-pod-autoscaler-downscale-stabilization
      horizontal-pod-autoscaler-initial-readiness-delay horizontal-pod-autoscaler-sync-period
      horizontal-pod-autoscaler-tolerance horizontal-pod-autoscaler-upscale-delay job-controller
      kube-api-burst kube-api-content-type kube-api-qps
      kube-apiserver-serving-clustertrustbundle-publisher-controller kube-controller-manager
      kube-system large-cluster-size-threshold leader-migration leader-migration-config
      legacy-service-account-token-clean-up-period legacy-service-account-token-cleaner
      legacy-serviceaccount-token-cleaner-controller master max-endpoints-per-slice metadata-informers
      min-resync-period mirroring-concurrent-service-endpoint-syncs
      mirroring-endpointslice-updates-batch-period mirroring-max-endpoints-per-subset
      namespace-controller namespace-sync-period node-cidr-mask-size node-cidr-mask-size-ipv4
      node-cidr-mask-size-ipv6 node-controller node-eviction-rate node-ipam-controller
      node-lifecycle-controller node-monitor-grace-period node-monitor-period
      node-startup-grace-period node-status-update-frequency node-sync-period persistent-volume-binder
      persistentvolume-attach-detach-controller persistentvolume-binder-controller
      persistentvolume-expander-controller persistentvolume-protection-controller
      persistentvolumeclaim-protection-controller pod-garbage-collector
      pod-garbage-collector-controller podcertificaterequest-cleaner-controller
      podgroup-protection-controller pv-protection-controller pv-recycler-increment-timeout-nfs
      pv-recycler-minimum-timeout-hostpath pv-recycler-minimum-timeout-nfs
      pv-recycler-pod-template-filepath-hostpath pv-recycler-pod-template-filepath-nfs
      pv-recycler-timeout-increment-hostpath pvc-protection-controller pvclaimbinder-sync-period
      replicaset-controller replication-controller replicationcontroller-controller
      resource-claim-controller resource-quota-sync-period resourceclaim-controller
      resourcepoolstatusrequest-controller resourcequota-controller
      root-ca-certificate-publisher-controller root-ca-file route-reconciliation-period
      secondary-node-eviction-rate selinux-warning-controller service-account-controller
      service-account-private-key-file service-cidr-controller service-cluster-ip-range
      serviceaccount-controller serviceaccount-token-controller shared-informers
      statefulset-controller storage-version-garbage-collector storage-version-migrator-controller
      storageversion-garbage-collector-controller taint-eviction-controller
      terminated-pod-gc-threshold token-cleaner-controller tokens-controller
      ttl-after-finished-controller ttl-controller unhealthy-zone-threshold
      use-service-account-credentials validatingadmissionpolicy-status-controller
      volume-host-allow-local-loopback volume-host-cidr-denylist
      volumeattributesclass-protection-controller webhook-bind-address webhook-cert-dir
      webhook-disable-http2-serving webhook-secure-port webhook-tls-cert-file
      webhook-tls-cipher-suites webhook-tls-curve-preferences webhook-tls-min-version
      webhook-tls-private-key-file webhook-tls-sni-cert-key
    `),
  ]),
  'kube-scheduler': new Set([
    ...shared,
    ...words(`
      config kube-api-burst kube-api-content-type kube-api-qps kube-scheduler master
      pod-max-in-unschedulable-pods-duration sched-handler-sync write-config-to
    `),
  ]),
  kubelet: new Set([
    ...shared,
    ...words(`
      allowed-unsafe-sysctls anonymous-auth application-metrics-count-limit
      authentication-token-webhook authorization-mode boot-id-file bootstrap-kubeconfig cgroup-driver
      cgroup-root cgroups-per-qos cloud-config cloud-provider cluster-dns cluster-domain config
      config-dir container-hints container-log-max-files container-log-max-size
      container-runtime-endpoint containerd containerd-namespace cpu-cfs-quota cpu-cfs-quota-period
      cpu-manager-policy cpu-manager-policy-options cpu-manager-reconcile-period
      enable-controller-attach-detach enable-debugging-handlers enable-load-reader enable-server
      enforce-node-allocatable event-burst event-qps event-storage-age-limit event-storage-event-limit
      eviction-hard eviction-max-pod-grace-period eviction-minimum-reclaim
      eviction-pressure-transition-period eviction-soft eviction-soft-grace-period
      exit-on-lock-contention experimental-allocatable-ignore-eviction experimental-mounter-path
      fail-cgroupv1 fail-swap-on file-check-frequency global-housekeeping-interval hairpin-mode
      healthz-bind-address healthz-port hostname-override housekeeping-interval http-check-frequency
      image-credential-provider-bin-dir image-credential-provider-config image-gc-high-threshold
      image-gc-low-threshold image-service-endpoint iptables-drop-bit iptables-masquerade-bit
      keep-terminated-pod-volumes kernel-memcg-notification kube-api-burst kube-api-content-type
      kube-api-qps kube-reserved kube-reserved-cgroup kubelet-cgroups last-known-good
      local-storage-capacity-isolation lock-file log-cadvisor-usage machine-id-file
      make-iptables-util-chains manifest-url manifest-url-header max-open-files max-pods
      maximum-dead-containers maximum-dead-containers-per-container memory-manager-policy
      minimum-container-ttl-duration minimum-image-ttl-duration node-ip node-labels
      node-status-max-images node-status-update-frequency oom-score-adj pod-cidr
      pod-infra-container-image pod-manifest-path pod-max-pids pods-per-core protect-kernel-defaults
      provider-id qos-reserved read-only-port register-node register-schedulable register-with-taints
      registry-burst registry-qps reserved-cpus reserved-memory resolv-conf root-dir
      rotate-certificates rotate-server-certificates runtime-cgroups runtime-request-timeout
      seccomp-default serialize-image-pulls storage-driver-buffer-duration storage-driver-db
      storage-driver-host storage-driver-password storage-driver-secure storage-driver-table
      storage-driver-user streaming-connection-idle-timeout sync-frequency system-cgroups
      system-reserved system-reserved-cgroup topology-manager-policy topology-manager-policy-options
      topology-manager-scope volume-plugin-dir volume-stats-agg-period windows-priorityclass
      windows-service
    `),
  ]),
}
