import type { StandInChart } from './stand-in-chart.ts'
import { valuesSchema } from './values-schema.ts'

const workload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {{ .Release.Name }}
    spec:
      tolerations: {{ toJson .Values.tolerations }}
      containers:
        - name: example
          image: registry.k8s.io/e2e-test-images/agnhost:2.53
          args: [netexec, --http-port=8080]
          env:
            - name: MESSAGE
              value: {{ .Values.message | quote }}
          ports:
            - name: http
              containerPort: 8080
              protocol: TCP
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  selector:
    app.kubernetes.io/name: {{ .Release.Name }}
  ports:
    - name: http
      port: 80
      targetPort: http
      protocol: TCP
`

/** Of a kind that another addon may bring, as charts make their ServiceMonitors and HTTPRoutes. */
const greeting = `{{- if .Capabilities.APIVersions.Has "example.com/v1/Greeting" }}
apiVersion: example.com/v1
kind: Greeting
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
spec:
  message: {{ .Values.message | quote }}
{{- end }}
`

const farewell = `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-farewell
  namespace: {{ .Release.Namespace }}
  annotations:
    helm.sh/hook: pre-delete
spec:
  restartPolicy: Never
  containers:
    - name: farewell
      image: registry.k8s.io/e2e-test-images/agnhost:2.53
      args: [pause]
`

/** A chart that stands for no real one: an example of those that users bring. */
export const exampleChart: StandInChart = {
  name: 'example-app',
  description: 'An example of a chart that users bring',
  versions: ['1.0.0', '1.1.0'],
  schema: valuesSchema({
    known: 'message replicas tolerations',
    typed: { message: 'string', replicas: 'integer', tolerations: 'array' },
  }),
  values: { message: 'hello', replicas: 1, tolerations: [] },
  templates: { 'app.yaml': workload, 'greeting.yaml': greeting, 'farewell.yaml': farewell },
}
