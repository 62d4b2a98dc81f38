/** Template of the DaemonSet: the network of each node. */
export const ciliumAgent = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: cilium
  namespace: {{ .Release.Namespace }}
  labels:
    k8s-app: cilium
    app.kubernetes.io/part-of: cilium
    app.kubernetes.io/name: cilium-agent
spec:
  selector:
    matchLabels:
      k8s-app: cilium
  updateStrategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 2
  template:
    metadata:
      annotations:
        cilium.io/cilium-configmap-checksum: {{ include (print $.Template.BasePath "/config.yaml") . | sha256sum }}
      labels:
        k8s-app: cilium
        app.kubernetes.io/part-of: cilium
        app.kubernetes.io/name: cilium-agent
    spec:
      hostNetwork: true
      priorityClassName: system-node-critical
      serviceAccountName: cilium
      terminationGracePeriodSeconds: 1
      nodeSelector:
        kubernetes.io/os: linux
      tolerations:
        - operator: Exists
      initContainers:
        {{- if .Values.cgroup.autoMount.enabled }}
        - name: mount-cgroup
          image: quay.io/cilium/cilium:v{{ .Chart.Version }}
          command: [sh, -ec, cilium-mount]
          securityContext:
            capabilities:
              add: [SYS_ADMIN, SYS_CHROOT, SYS_PTRACE]
              drop: [ALL]
        {{- end }}
        - name: install-cni-binaries
          image: quay.io/cilium/cilium:v{{ .Chart.Version }}
          imagePullPolicy: IfNotPresent
          command: [/install-plugin.sh]
          securityContext:
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: cni-path
              mountPath: /host/opt/cni/bin
      containers:
        - name: cilium-agent
          image: quay.io/cilium/cilium:v{{ .Chart.Version }}
          imagePullPolicy: IfNotPresent
          command: [cilium-agent]
          args: [--config-dir=/tmp/cilium/config-map]
          env:
            - name: K8S_NODE_NAME
              valueFrom:
                fieldRef:
                  apiVersion: v1
                  fieldPath: spec.nodeName
            {{- with .Values.k8sServiceHost }}
            - name: KUBERNETES_SERVICE_HOST
              value: {{ . | quote }}
            {{- end }}
            {{- with .Values.k8sServicePort }}
            - name: KUBERNETES_SERVICE_PORT
              value: {{ . | quote }}
            {{- end }}
          ports:
            - name: health
              containerPort: 9879
              hostPort: 9879
              protocol: TCP
          startupProbe:
            httpGet:
              host: 127.0.0.1
              path: /healthz
              port: health
              scheme: HTTP
            failureThreshold: 300
            periodSeconds: 2
          readinessProbe:
            httpGet:
              host: 127.0.0.1
              path: /healthz
              port: health
              scheme: HTTP
            periodSeconds: 30
          securityContext:
            capabilities:
              add: {{ toJson .Values.securityContext.capabilities.ciliumAgent }}
              drop: [ALL]
          volumeMounts:
            - name: cilium-run
              mountPath: /var/run/cilium
            - name: cilium-cgroup
              mountPath: {{ .Values.cgroup.hostRoot }}
            - name: etc-cni-netd
              mountPath: /host/etc/cni/net.d
            - name: config
              mountPath: /tmp/cilium/config-map
              readOnly: true
            - name: hubble-tls
              mountPath: /var/lib/cilium/tls/hubble
              readOnly: true
      volumes:
        - name: cilium-run
          hostPath:
            path: /var/run/cilium
            type: DirectoryOrCreate
        - name: cilium-cgroup
          hostPath:
            path: {{ .Values.cgroup.hostRoot }}
            type: DirectoryOrCreate
        - name: cni-path
          hostPath:
            path: /opt/cni/bin
            type: DirectoryOrCreate
        - name: etc-cni-netd
          hostPath:
            path: /etc/cni/net.d
            type: DirectoryOrCreate
        - name: config
          configMap:
            name: cilium-config
        - name: hubble-tls
          projected:
            defaultMode: 0400
            sources:
              - secret:
                  name: hubble-server-certs
                  optional: true
`

/** Template of the Deployment that looks after the whole cluster. */
export const ciliumOperator = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cilium-operator
  namespace: {{ .Release.Namespace }}
  labels:
    io.cilium/app: operator
    name: cilium-operator
    app.kubernetes.io/part-of: cilium
spec:
  replicas: {{ .Values.operator.replicas }}
  selector:
    matchLabels:
      io.cilium/app: operator
      name: cilium-operator
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 50%
  template:
    metadata:
      labels:
        io.cilium/app: operator
        name: cilium-operator
        app.kubernetes.io/part-of: cilium
    spec:
      hostNetwork: true
      priorityClassName: system-cluster-critical
      serviceAccountName: cilium-operator
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels:
                  io.cilium/app: operator
      nodeSelector: {{ toJson .Values.operator.nodeSelector }}
      tolerations: {{ toJson .Values.operator.tolerations }}
      containers:
        - name: cilium-operator
          image: quay.io/cilium/operator-generic:v{{ .Chart.Version }}
          imagePullPolicy: IfNotPresent
          command: [cilium-operator-generic]
          args: [--config-dir=/tmp/cilium/config-map]
          env:
            - name: KUBERNETES_SERVICE_HOST
              value: {{ .Values.k8sServiceHost | quote }}
            - name: KUBERNETES_SERVICE_PORT
              value: {{ .Values.k8sServicePort | quote }}
          ports:
            - name: health
              containerPort: 9234
              hostPort: 9234
          volumeMounts:
            - name: config
              mountPath: /tmp/cilium/config-map
              readOnly: true
      volumes:
        - name: config
          configMap:
            name: cilium-config
`
