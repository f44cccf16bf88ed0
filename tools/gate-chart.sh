#!/usr/bin/env bash
# Lints the gate's chart, renders it in several ways, and checks what comes out against Kubernetes' schemas.
# usage: HELM=helm VALIDATE=kubernetes-validate tools/gate-chart.sh [--write]    (--write renews deploy/gate/kubernetes.yaml)
set -euo pipefail
cd "$(dirname "$0")/.."
chart=deploy/gate/chart out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
render() { "$HELM" template gate "$chart" --kube-version 1.34.1 "$@"; }
"$HELM" lint --quiet --strict "$chart"

plain=deploy/gate/kubernetes.yaml
{
  echo "# Three gates over one Redis, for who has no Helm: the chart's usual values, made by tools/gate-chart.sh --write."
  echo "# The Secret first, once:"
  echo "#   (umask 077; openssl rand -hex 32 > gate.secret; loadline gate new-key > root.key)"
  echo "#   kubectl create secret generic gate --from-file=secret=gate.secret --from-file=root-key=root.key"
  render | grep -v -e 'helm.sh/chart' -e 'managed-by: Helm' -e '^# Source'
} >"$out/plain.yaml"
[ "${1:-}" != --write ] || cp "$out/plain.yaml" "$plain"
diff -u "$plain" "$out/plain.yaml" || { echo "$plain is not what the chart makes: tools/gate-chart.sh --write"; exit 1; }

render --set autoscaling.enabled=true --set ingress.enabled=true --set secret.keys.redisPassword=redis-password \
  --set redis.url=rediss://redis:6380 --set redis.ca.secretName=redis-ca --set redis.replicas=1 \
  --set 'trustedProxies={10.0.0.0/8}' --set 'extraArgs={--joins-per-second=500}' >"$out/full.yaml"
render --set redis.url=redis+sentinel://a:26379\\,b:26379/orders --set redis.ca.configMapName=ca --set networkPolicy.enabled=false \
  --set podDisruptionBudget.enabled=false >"$out/sentinel.yaml"
# Kinds of others, which the schemas do not know: that they render is all that is checked.
render --set httpRoute.enabled=true --set serviceMonitor.enabled=true --set prometheusRule.enabled=true >"$out/others.yaml"
for kind in HTTPRoute ServiceMonitor PrometheusRule; do
  grep -q "^kind: $kind" "$out/others.yaml"
done
for wrong in redis.url=redis://user:word@redis:6379 redis.url=redis.example:6379; do
  ! render --set "$wrong" >/dev/null 2>&1 || { echo "it took $wrong"; exit 1; }
done
"$VALIDATE" --strict "$out/plain.yaml" "$out/full.yaml" "$out/sentinel.yaml"
