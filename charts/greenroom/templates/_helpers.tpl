{{- define "greenroom.labels" -}}
app.kubernetes.io/part-of: greenroom
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "greenroom.natsUrl" -}}
{{- if .Values.nats.bundled }}nats://{{ .Release.Name }}-nats.{{ .Release.Namespace }}:4222{{ else }}{{ required "nats.url is needed when nats.bundled is false" .Values.nats.url }}{{ end }}
{{- end }}

{{- define "greenroom.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "greenroom.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}
