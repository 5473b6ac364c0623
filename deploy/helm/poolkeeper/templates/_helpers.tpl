{{- define "poolkeeper.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "poolkeeper.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := include "poolkeeper.name" . }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "poolkeeper.selectorLabels" -}}
app.kubernetes.io/name: {{ include "poolkeeper.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "poolkeeper.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "poolkeeper.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: controller
app.kubernetes.io/part-of: poolkeeper
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.global.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "poolkeeper.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "poolkeeper.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "poolkeeper.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{- define "poolkeeper.replicas" -}}
{{- if .Values.config.dryRun }}1{{ else }}{{ .Values.replicaCount }}{{ end }}
{{- end }}

{{/* The configuration file: the values' config plus additions from other values. */}}
{{- define "poolkeeper.config" -}}
{{- $config := deepCopy .Values.config }}
{{- $_ := required "config.subscriptionId must be set" $config.subscriptionId }}
{{- $_ := required "config.resourceGroup must be set" $config.resourceGroup }}
{{- with .Values.workloadIdentity }}
{{- if .enabled }}
{{- $_ := set $config "useFederatedWorkloadIdentityExtension" true }}
{{- $_ := set $config "aadClientId" (required "workloadIdentity.clientId must be set" .clientId) }}
{{- $_ := set $config "tenantId" (required "workloadIdentity.tenantId must be set" .tenantId) }}
{{- $_ := set $config "aadFederatedTokenFile" "/var/run/secrets/azure/tokens/azure-identity-token" }}
{{- end }}
{{- end }}
{{- if .Values.clientSecret.existingSecret }}
{{- $_ := set $config "aadClientSecretFile" (printf "/etc/poolkeeper-secret/%s" .Values.clientSecret.key) }}
{{- end }}
{{- if .Values.retryPolicies }}
{{- $_ := set $config "retryPolicyFiles" (keys .Values.retryPolicies | sortAlpha) }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* The part of the configuration that takes effect only at a restart: a change of it replaces the pods. */}}
{{- define "poolkeeper.configNeedingRestart" -}}
{{- $config := omit (include "poolkeeper.config" . | fromYaml) "paused" "retry" "timeouts" "retryConstraint" "retryPolicyFiles" }}
{{- if $config.safetyBrake }}
{{- $brake := omit $config.safetyBrake "agreed" "percent" }}
{{- $config = omit $config "safetyBrake" }}
{{- if $brake }}
{{- $_ := set $config "safetyBrake" $brake }}
{{- end }}
{{- end }}
{{- if $config.logging }}
{{- $logging := omit $config.logging "level" "loggers" }}
{{- $config = omit $config "logging" }}
{{- if $logging }}
{{- $_ := set $config "logging" $logging }}
{{- end }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{- define "poolkeeper.leaderNamespace" -}}
{{- dig "leaderElection" "leaseNamespace" .Release.Namespace .Values.config }}
{{- end }}

{{- define "poolkeeper.leaderLease" -}}
{{- dig "leaderElection" "leaseName" "poolkeeper-leader" .Values.config }}
{{- end }}

{{- define "poolkeeper.lockNamespace" -}}
{{- dig "resourceLock" "leaseNamespace" "kube-system" .Values.config }}
{{- end }}

{{- define "poolkeeper.lockLease" -}}
{{- dig "resourceLock" "leaseName" "aks-managed-resource-locker" .Values.config }}
{{- end }}

{{- define "poolkeeper.policyNamespace" -}}
{{- dig "policyNamespace" .Release.Namespace .Values.config }}
{{- end }}

{{- define "poolkeeper.armHost" -}}
{{- $hosts := dict "AzureChinaCloud" "management.chinacloudapi.cn" "AzureUSGovernmentCloud" "management.usgovcloudapi.net" }}
{{- dig (dig "cloud" "" .Values.config) "management.azure.com" $hosts }}
{{- end }}
