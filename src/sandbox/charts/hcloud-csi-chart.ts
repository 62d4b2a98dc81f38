import type { StandInChart } from './stand-in-chart.ts'
import { valuesSchema } from './values-schema.ts'

const core = `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: csi.hetzner.cloud
spec:
  attachRequired: true
  fsGroupPolicy: File
  podInfoOnMount: true
  seLinuxMount: true
  volumeLifecycleModes: [Persistent]
{{- range .Values.storageClasses }}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: {{ .name }}
  annotations:
    storageclass.kubernetes.io/is-default-class: {{ .defaultStorageClass | quote }}
provisioner: csi.hetzner.cloud
volumeBindingMode: WaitForFirstConsumer
allowVolumeExpansion: true
reclaimPolicy: {{ .reclaimPolicy }}
{{- if $.Values.global.enableProvidedByTopology }}
allowedTopologies:
  - matchLabelExpressions:
      - key: instance.hetzner.cloud/provided-by
        values: [cloud]
{{- end }}
{{- end }}
`

const access = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: hcloud-csi-controller
  namespace: {{ .Release.Namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: hcloud-csi-controller
rules:
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, watch, list, delete, update, create]
  - apiGroups: [""]
    resources: [persistentvolumes]
    verbs: [get, list, watch, create, delete, update, patch]
  - apiGroups: [""]
    resources: [persistentvolumeclaims, persistentvolumeclaims/status]
    verbs: [get, list, watch, update, patch]
  - apiGroups: [storage.k8s.io]
    resources: [csinodes, storageclasses, volumeattachments]
    verbs: [get, list, watch, update, patch]
  - apiGroups: [storage.k8s.io]
    resources: [volumeattachments/status]
    verbs: [patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: hcloud-csi-controller
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: hcloud-csi-controller
subjects:
  - kind: ServiceAccount
    name: hcloud-csi-controller
    namespace: {{ .Release.Namespace }}
{{- if gt (int .Values.controller.replicaCount) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: hcloud-csi-controller
  namespace: {{ .Release.Namespace }}
spec:
  minAvailable: 1
  selector:
    matchLabels:
      {{- include "csi.labels" (dict "root" . "component" "controller") | nindent 6 }}
{{- end }}
`

const controller = `{{- $labels := dict "root" . "component" "controller" }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: hcloud-csi-controller
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "csi.labels" $labels | nindent 4 }}
spec:
  replicas: {{ .Values.controller.replicaCount }}
  selector:
    matchLabels:
      {{- include "csi.labels" $labels | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "csi.labels" $labels | nindent 8 }}
    spec:
      serviceAccountName: hcloud-csi-controller
      {{- with .Values.controller.nodeSelector }}
      nodeSelector: {{ toJson . }}
      {{- end }}
      tolerations: {{ toJson .Values.controller.tolerations }}
      securityContext:
        fsGroup: 1001
      initContainers:
      containers:
        - name: csi-attacher
          image: registry.k8s.io/sig-storage/csi-attacher:v4.11.0
          args: [--default-fstype=ext4, --leader-election]
          volumeMounts:
            - name: socket-dir
              mountPath: /run/csi
        - name: csi-provisioner
          image: registry.k8s.io/sig-storage/csi-provisioner:v6.2.0
          args: [--feature-gates=Topology=true, --default-fstype=ext4, --extra-create-metadata]
          volumeMounts:
            - name: socket-dir
              mountPath: /run/csi
        - name: hcloud-csi-driver
          image: docker.io/hetznercloud/hcloud-csi-driver:v{{ .Chart.Version }}
          args: [-controller]
          env:
            - name: CSI_ENDPOINT
              value: unix:///run/csi/socket
            {{- with .Values.controller.volumeExtraLabels }}
            - name: HCLOUD_VOLUME_EXTRA_LABELS
              value: "{{ $first := true }}{{ range $name, $value := . }}{{ if not $first }},{{ end }}{{ $name }}={{ $value }}{{ $first = false }}{{ end }}"
            {{- end }}
            - name: HCLOUD_TOKEN
              valueFrom:
                secretKeyRef:
                  name: {{ .Values.controller.hcloudToken.existingSecret.name }}
                  key: {{ .Values.controller.hcloudToken.existingSecret.key }}
            {{- if .Values.global.enableProvidedByTopology }}
            - name: ENABLE_PROVIDED_BY_TOPOLOGY
              value: t
            {{- end }}
          volumeMounts:
            - name: socket-dir
              mountPath: /run/csi
      volumes:
        - name: socket-dir
          emptyDir: {}
`

const node = `{{- $labels := dict "root" . "component" "node" }}
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: hcloud-csi-node
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "csi.labels" $labels | nindent 4 }}
spec:
  updateStrategy:
    type: RollingUpdate
  selector:
    matchLabels:
      {{- include "csi.labels" $labels | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "csi.labels" $labels | nindent 8 }}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - key: instance.hetzner.cloud/provided-by
                    operator: NotIn
                    values: [robot]
      tolerations: {{ toJson .Values.node.tolerations }}
      securityContext:
        fsGroup: 1001
      containers:
        - name: csi-node-driver-registrar
          image: registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.16.0
          args: ["--kubelet-registration-path={{ .Values.node.kubeletDir }}/plugins/csi.hetzner.cloud/socket"]
          volumeMounts:
            - name: plugin-dir
              mountPath: /run/csi
            - name: registration-dir
              mountPath: /registration
        - name: hcloud-csi-driver
          image: docker.io/hetznercloud/hcloud-csi-driver:v{{ .Chart.Version }}
          args: [-node]
          env:
            - name: CSI_ENDPOINT
              value: unix:///run/csi/socket
            {{- if .Values.global.enableProvidedByTopology }}
            - name: ENABLE_PROVIDED_BY_TOPOLOGY
              value: t
            {{- end }}
          securityContext:
            privileged: true
          volumeMounts:
            - name: kubelet-dir
              mountPath: {{ .Values.node.kubeletDir }}
              mountPropagation: Bidirectional
            - name: plugin-dir
              mountPath: /run/csi
      volumes:
        - name: kubelet-dir
          hostPath:
            path: {{ .Values.node.kubeletDir }}
            type: Directory
        - name: plugin-dir
          hostPath:
            path: {{ .Values.node.kubeletDir }}/plugins/csi.hetzner.cloud/
            type: DirectoryOrCreate
        - name: registration-dir
          hostPath:
            path: {{ .Values.node.kubeletDir }}/plugins_registry/
            type: Directory
`

const helpers = `{{- define "csi.labels" -}}
app.kubernetes.io/name: hcloud-csi
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}
`

/** Stands for the chart of Hetzner's storage driver. */
export const hcloudCsiChart: StandInChart = {
  name: 'hcloud-csi',
  description: "A stand-in for Hetzner's CSI driver",
  versions: ['2.22.1', '2.20.2'],
  schema: valuesSchema({
    known: `commonAnnotations commonLabels controller fullnameOverride global metrics nameOverride
      namespaceOverride node serviceAccount storageClasses`,
    typed: { storageClasses: 'array' },
    nested: {
      global: {
        known: 'enableProvidedByTopology imagePullSecrets',
        typed: { enableProvidedByTopology: 'boolean' },
      },
      controller: {
        known: `affinity containerPorts customLivenessProbe customReadinessProbe customStartupProbe
          extraEnvVars extraVolumeMounts extraVolumes hcloudToken hcloudVolumeDefaultLocation image
          initContainers lifecycleHooks livenessProbe nodeSelector podAnnotations
          podDisruptionBudget podLabels podSecurityContext priorityClassName rbac replicaCount
          resources schedulerName service sidecars tolerations topologySpreadConstraints
          updateStrategy volumeExtraLabels`,
        typed: { replicaCount: 'integer', tolerations: 'array', volumeExtraLabels: 'object' },
      },
      node: {
        known: `affinity containerPorts customLivenessProbe customReadinessProbe customStartupProbe
          extraEnvVars extraVolumeMounts extraVolumes hostNetwork image initContainers kubeletDir
          lifecycleHooks livenessProbe nodeSelector podAnnotations podLabels podSecurityContext
          priorityClassName resources schedulerName service serviceAccountName sidecars tolerations
          updateStrategy`,
        typed: { kubeletDir: 'string', tolerations: 'array' },
      },
    },
  }),
  values: {
    controller: {
      hcloudToken: { existingSecret: { name: 'hcloud', key: 'token' } },
      nodeSelector: {},
      replicaCount: 1,
      tolerations: [],
      volumeExtraLabels: {},
    },
    global: { enableProvidedByTopology: false },
    node: { kubeletDir: '/var/lib/kubelet', tolerations: [] },
    storageClasses: [
      { name: 'hcloud-volumes', defaultStorageClass: true, reclaimPolicy: 'Delete' },
    ],
  },
  templates: {
    '_helpers.tpl': helpers,
    'access.yaml': access,
    'controller.yaml': controller,
    'core.yaml': core,
    'node.yaml': node,
  },
}
