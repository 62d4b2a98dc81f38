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
  name: system:{{ .Chart.Name }}
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, list, watch]
  - apiGroups: [""]
    resources: [events]
    verbs: [get, list, watch, create, update, patch]
  - apiGroups: [""]
    resources: [nodes]
    verbs: ["*"]
  - apiGroups: [""]
    resources: [nodes/status, services/status]
    verbs: [update, patch]
  - apiGroups: [""]
    resources: [services, serviceaccounts, secrets]
    verbs: [get, list, watch, create, update, patch]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: ["*"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: system:{{ .Chart.Name }}:restricted
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: system:{{ .Chart.Name }}
subjects:
  - kind: ServiceAccount
    name: {{ .Chart.Name }}
    namespace: {{ .Release.Namespace }}
`

const workload = `apiVersion: apps/v1
kind: {{ .Values.kind }}
metadata:
  name: {{ .Chart.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  {{- if eq .Values.kind "Deployment" }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
  revisionHistoryLimit: 2
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
      dnsPolicy: Default
      priorityClassName: system-cluster-critical
      {{- if .Values.networking.enabled }}
      hostNetwork: true
      {{- end }}
      {{- with .Values.nodeSelector }}
      nodeSelector: {{ toJson . }}
      {{- end }}
      tolerations:
        - key: node.cloudprovider.kubernetes.io/uninitialized
          value: "true"
          effect: NoSchedule
        - key: CriticalAddonsOnly
          operator: Exists
        - key: node-role.kubernetes.io/control-plane
          operator: Exists
          effect: NoSchedule
        - key: node.kubernetes.io/not-ready
          effect: NoExecute
        {{- with .Values.additionalTolerations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      containers:
        - name: {{ .Chart.Name }}
          image: docker.io/hetznercloud/hcloud-cloud-controller-manager:v{{ .Chart.Version }}
          command:
            - /bin/hcloud-cloud-controller-manager
            {{- range $name, $value := .Values.args }}
            - "--{{ $name }}{{ if $value }}={{ $value }}{{ end }}"
            {{- end }}
            {{- if .Values.networking.enabled }}
            - --allocate-node-cidrs=true
            - --cluster-cidr={{ .Values.networking.clusterCIDR }}
            {{- end }}
          env:
            {{- range $name, $value := .Values.env }}
            - name: {{ $name }}
              {{- toYaml $value | nindent 14 }}
            {{- end }}
            {{- if .Values.networking.enabled }}
            - name: HCLOUD_NETWORK
              {{- toYaml .Values.networking.network | nindent 14 }}
            {{- end }}
          ports:
            - name: metrics
              containerPort: 8233
          resources:
            requests:
              cpu: 100m
              memory: 50Mi
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
`

const token = { valueFrom: { secretKeyRef: { name: 'hcloud', key: 'token' } } }

/** Stands for the chart of Hetzner's cloud controller manager. */
export const hcloudCcmChart: StandInChart = {
  name: 'hcloud-cloud-controller-manager',
  description: "A stand-in for Hetzner's cloud controller manager",
  versions: ['1.35.0', '1.30.1'],
  schema: valuesSchema({
    known: `additionalTolerations affinity args dnsConfig dnsPolicy env extraVolumeMounts extraVolumes
      global image kind monitoring nameOverride networking nodeSelector podAnnotations podLabels
      podSecurityContext priorityClassName rbac replicaCount resources robot securityContext
      selectorLabels serviceAccount strategy`,
    typed: { kind: 'string', env: 'object', additionalTolerations: 'array' },
    nested: {
      networking: {
        known: 'clusterCIDR enabled network',
        typed: { clusterCIDR: 'string', enabled: 'boolean' },
      },
    },
  }),
  values: {
    additionalTolerations: [],
    args: {
      'allow-untagged-cloud': '',
      'cloud-provider': 'hcloud',
      'route-reconciliation-period': '30s',
      'webhook-secure-port': '0',
    },
    env: { HCLOUD_TOKEN: token },
    kind: 'Deployment',
    networking: {
      clusterCIDR: '10.244.0.0/16',
      enabled: false,
      network: { valueFrom: { secretKeyRef: { name: 'hcloud', key: 'network' } } },
    },
    nodeSelector: {},
    replicaCount: 1,
  },
  templates: { 'access.yaml': access, 'workload.yaml': workload },
}

/** The same chart, whose manager looks for Hetzner at another address unless its values say otherwise. */
export function hcloudCcmChartAt(endpoint: string): StandInChart {
  return {
    ...hcloudCcmChart,
    values: {
      ...hcloudCcmChart.values,
      env: { HCLOUD_TOKEN: token, HCLOUD_ENDPOINT: { value: endpoint } },
    },
  }
}
