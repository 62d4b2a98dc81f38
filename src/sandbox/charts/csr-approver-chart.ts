import type { StandInChart } from './stand-in-chart.ts'
import { valuesSchema } from './values-schema.ts'

const access = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Chart.Name }}
  namespace: {{ .Release.Namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Chart.Name }}
rules:
  - apiGroups: [certificates.k8s.io]
    resources: [certificatesigningrequests]
    verbs: [get, watch, list]
  - apiGroups: [certificates.k8s.io]
    resources: [certificatesigningrequests/approval]
    verbs: [update]
  - apiGroups: [certificates.k8s.io]
    resources: [signers]
    resourceNames: [kubernetes.io/kubelet-serving]
    verbs: [approve]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [create, get, update]
  - apiGroups: ["", events.k8s.io]
    resources: [events]
    verbs: [create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ .Chart.Name }}
  namespace: {{ .Release.Namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ .Chart.Name }}
subjects:
  - kind: ServiceAccount
    name: {{ .Chart.Name }}
    namespace: {{ .Release.Namespace }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Chart.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  selector:
    app.kubernetes.io/name: {{ .Chart.Name }}
  ports:
    - name: metrics
      port: 8080
      targetPort: metrics
      protocol: TCP
`

const workload = `{{- if not .Values.providerRegex }}
{{- fail "providerRegex is needed" }}
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Chart.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .Chart.Name }}
      app.kubernetes.io/instance: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {{ .Chart.Name }}
        app.kubernetes.io/instance: {{ .Release.Name }}
    spec:
      serviceAccountName: {{ .Chart.Name }}
      {{- with .Values.nodeSelector }}
      nodeSelector: {{ toJson . }}
      {{- end }}
      tolerations: {{ toJson .Values.tolerations }}
      containers:
        - name: {{ .Chart.Name }}
          image: ghcr.io/postfinance/kubelet-csr-approver:v{{ .Chart.Version }}
          args: [-metrics-bind-address, ":8080", -health-probe-bind-address, ":8081", -leader-election]
          env:
            - name: PROVIDER_REGEX
              value: {{ .Values.providerRegex | quote }}
            {{- if .Values.providerIpPrefixes }}
            - name: PROVIDER_IP_PREFIXES
              value: {{ join "," .Values.providerIpPrefixes | quote }}
            {{- end }}
            {{- if .Values.bypassDnsResolution }}
            - name: BYPASS_DNS_RESOLUTION
              value: "true"
            {{- end }}
            - name: ALLOWED_DNS_NAMES
              value: {{ .Values.allowedDnsNames | quote }}
          ports:
            - name: metrics
              containerPort: 8080
              protocol: TCP
          livenessProbe:
            httpGet:
              path: /healthz
              port: 8081
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            runAsNonRoot: true
            runAsUser: 65532
            capabilities:
              drop: [ALL]
`

/** Stands for the chart of the kubelet CSR approver. */
export const csrApproverChart: StandInChart = {
  name: 'kubelet-csr-approver',
  description: 'A stand-in for the kubelet CSR approver',
  versions: ['1.2.14'],
  schema: valuesSchema({
    known: `affinity allowedDnsNames bypassDnsResolution bypassHostnameCheck dnsConfig dnsPolicy env
      extraObjects fullnameOverride global ignoreNonSystemNode image imagePullSecrets leaderElection
      loggingLevel maxExpirationSeconds metrics nameOverride namespace nodeSelector podAnnotations
      podLabels podSecurityContext priorityClassName providerIpPrefixes providerRegex rbac replicas
      resources securityContext serviceAccount skipDenyStep tolerations`,
    typed: {
      bypassDnsResolution: 'boolean',
      providerIpPrefixes: 'array',
      providerRegex: 'string',
      replicas: 'integer',
      tolerations: 'array',
    },
  }),
  values: {
    allowedDnsNames: 1,
    bypassDnsResolution: false,
    nodeSelector: {},
    providerIpPrefixes: [],
    providerRegex: '',
    replicas: 2,
    tolerations: [
      { key: 'node-role.kubernetes.io/control-plane', operator: 'Equal', effect: 'NoSchedule' },
    ],
  },
  templates: { 'access.yaml': access, 'workload.yaml': workload },
}
