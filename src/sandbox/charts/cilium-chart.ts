import { ciliumSchema } from './cilium-schema.ts'
import { ciliumAgent, ciliumOperator } from './cilium-workloads.ts'
import type { StandInChart } from './stand-in-chart.ts'

const access = `apiVersion: v1
kind: Namespace
metadata:
  name: cilium-secrets
  labels:
    app.kubernetes.io/part-of: cilium
{{- range list "cilium" "cilium-operator" "hubble-generate-certs" }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ . }}
  namespace: {{ $.Release.Namespace }}
{{- end }}
{{- range list "cilium" "cilium-operator" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ . }}
  labels:
    app.kubernetes.io/part-of: cilium
rules:
  - apiGroups: [""]
    resources: [namespaces, services, pods, endpoints, nodes]
    verbs: [get, list, watch]
  - apiGroups: [""]
    resources: [nodes, nodes/status]
    verbs: [patch]
  - apiGroups: [discovery.k8s.io]
    resources: [endpointslices]
    verbs: [get, list, watch]
  {{- if eq . "cilium" }}
  # Of kube-proxy, which does on real nodes what Cilium does in its place.
  - apiGroups: [networking.k8s.io]
    resources: [servicecidrs]
    verbs: [get, list, watch]
  - apiGroups: ["", events.k8s.io]
    resources: [events]
    verbs: [create, patch, update]
  {{- end }}
  - apiGroups: [cilium.io]
    resources: ["*"]
    verbs: ["*"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ . }}
  labels:
    app.kubernetes.io/part-of: cilium
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ . }}
subjects:
  - kind: ServiceAccount
    name: {{ . }}
    namespace: {{ $.Release.Namespace }}
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: cilium-config-agent
  namespace: {{ .Release.Namespace }}
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: cilium-config-agent
  namespace: {{ .Release.Namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: cilium-config-agent
subjects:
  - kind: ServiceAccount
    name: cilium
    namespace: {{ .Release.Namespace }}
`

const config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: cilium-config
  namespace: {{ .Release.Namespace }}
data:
  ipam: {{ .Values.ipam.mode | quote }}
  k8s-require-ipv4-pod-cidr: {{ .Values.k8s.requireIPv4PodCIDR | quote }}
  routing-mode: {{ .Values.routingMode | default "tunnel" | quote }}
  {{- if .Values.ipv4NativeRoutingCIDR }}
  ipv4-native-routing-cidr: {{ .Values.ipv4NativeRoutingCIDR }}
  {{- else if eq .Values.routingMode "native" }}
  {{- fail "native routing needs ipv4NativeRoutingCIDR" }}
  {{- end }}
  {{- if .Values.MTU }}
  mtu: {{ .Values.MTU | quote }}
  {{- end }}
  kube-proxy-replacement: {{ .Values.kubeProxyReplacement | quote }}
  kube-proxy-replacement-healthz-bind-address: {{ .Values.kubeProxyReplacementHealthzBindAddr | quote }}
  enable-bpf-masquerade: {{ .Values.bpf.masquerade | quote }}
  {{- if .Values.bpf.datapathMode }}
  datapath-mode: {{ .Values.bpf.datapathMode }}
  {{- end }}
  install-no-conntrack-iptables-rules: {{ .Values.installNoConntrackIptablesRules | quote }}
  bpf-lb-acceleration: {{ .Values.loadBalancer.acceleration | quote }}
  {{- if hasKey .Values.dnsProxy "enableTransparentMode" }}
  dnsproxy-enable-transparent-mode: {{ .Values.dnsProxy.enableTransparentMode | quote }}
  {{- end }}
  cgroup-root: {{ .Values.cgroup.hostRoot | quote }}
`

/** As the real chart: certificates of its own at each rendering, unless a CronJob makes them. */
const hubble = `{{- if .Values.hubble.enabled }}
apiVersion: v1
kind: Service
metadata:
  name: hubble-peer
  namespace: {{ .Release.Namespace }}
  labels:
    k8s-app: cilium
    app.kubernetes.io/part-of: cilium
spec:
  selector:
    k8s-app: cilium
  ports:
    - name: peer-service
      port: 443
      protocol: TCP
      targetPort: 4244
  internalTrafficPolicy: Local
{{- if eq .Values.hubble.tls.auto.method "helm" }}
{{- $ca := genCA "Cilium CA" 1095 }}
---
apiVersion: v1
kind: Secret
metadata:
  name: cilium-ca
  namespace: {{ .Release.Namespace }}
type: Opaque
data:
  ca.crt: {{ $ca.Cert | b64enc }}
  ca.key: {{ $ca.Key | b64enc }}
{{- else }}
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: hubble-generate-certs
  namespace: {{ .Release.Namespace }}
spec:
  schedule: {{ .Values.hubble.tls.auto.schedule | quote }}
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      {{- include "hubble.certs" . | nindent 6 }}
---
apiVersion: batch/v1
kind: Job
metadata:
  {{- if semverCompare "<1.19.0" .Chart.Version }}
  name: hubble-generate-certs
  annotations:
    helm.sh/hook: post-install,post-upgrade
  {{- else }}
  name: hubble-generate-certs-{{ include "hubble.certs" . | sha256sum | trunc 10 }}
  {{- end }}
  namespace: {{ .Release.Namespace }}
spec:
  {{- include "hubble.certs" . | nindent 2 }}
{{- end }}
{{- end }}
`

const helpers = `{{- define "hubble.certs" -}}
ttlSecondsAfterFinished: 1800
template:
  metadata:
    labels:
      k8s-app: hubble-generate-certs
  spec:
    serviceAccountName: hubble-generate-certs
    hostNetwork: false
    restartPolicy: OnFailure
    tolerations:
      - operator: Exists
    containers:
      - name: certgen
        image: quay.io/cilium/certgen:v0.3.2
        imagePullPolicy: IfNotPresent
        command: [/usr/bin/cilium-certgen]
        args: [--ca-generate=true, --ca-reuse-secret]
{{- end }}
`

/** Stands for Cilium's chart. */
export const ciliumChart: StandInChart = {
  name: 'cilium',
  description: 'A stand-in for Cilium',
  versions: ['1.20.0', '1.19.6', '1.18.12'],
  schema: ciliumSchema,
  values: {
    MTU: 0,
    bpf: { masquerade: false },
    cgroup: { autoMount: { enabled: true }, hostRoot: '/run/cilium/cgroupv2' },
    dnsProxy: {},
    hubble: { enabled: true, tls: { auto: { method: 'helm', schedule: '0 0 1 */4 *' } } },
    installNoConntrackIptablesRules: false,
    ipam: { mode: 'cluster-pool' },
    ipv4NativeRoutingCIDR: '',
    k8s: { requireIPv4PodCIDR: false },
    k8sServiceHost: '',
    k8sServicePort: '',
    kubeProxyReplacement: 'false',
    kubeProxyReplacementHealthzBindAddr: '',
    loadBalancer: { acceleration: 'disabled' },
    operator: {
      replicas: 2,
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [
        { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
        { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' },
      ],
    },
    routingMode: '',
    securityContext: {
      capabilities: {
        ciliumAgent: ['NET_ADMIN', 'SYS_MODULE', 'SYS_ADMIN'],
        cleanCiliumState: ['NET_ADMIN', 'SYS_MODULE', 'SYS_ADMIN', 'SYS_RESOURCE'],
      },
    },
  },
  templates: {
    '_helpers.tpl': helpers,
    'access.yaml': access,
    'agent.yaml': ciliumAgent,
    'config.yaml': config,
    'hubble.yaml': hubble,
    'operator.yaml': ciliumOperator,
  },
}
