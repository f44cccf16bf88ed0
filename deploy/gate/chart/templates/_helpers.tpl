{{- define "gate.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "gate.selector" -}}
app.kubernetes.io/name: loadline-gate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gate.labels" -}}
{{ include "gate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "gate.ca" -}}
{{- if or .Values.redis.ca.secretName .Values.redis.ca.configMapName }}yes{{ end -}}
{{- end -}}
