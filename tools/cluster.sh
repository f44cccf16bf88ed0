#!/usr/bin/env bash
# Builds a Kubernetes control plane from Go modules (about five minutes of both cores, and 3 GB of caches): etcd,
# kube-apiserver, kube-controller-manager, kubectl, helm.
# usage: tools/cluster.sh DIR
set -euo pipefail
mkdir -p "$1/bin" "$1/helm"
cd "$1"
kubernetes=1.34.1 etcd=3.6.4 helm=3.19.0
versions="kubernetes $kubernetes, etcd $etcd, helm $helm"
[ "$(cat bin/versions 2>/dev/null)" != "$versions" ] || exit 0
{
  printf 'module cluster\ngo 1.24.0\nrequire k8s.io/kubernetes v%s\nrequire go.etcd.io/etcd/server/v3 v%s\n' $kubernetes $etcd
  # Kubernetes' own module names these by a place in its own tree.
  for module in api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider cluster-bootstrap \
    code-generator component-base component-helpers controller-manager cri-api cri-client csi-translation-lib \
    dynamic-resource-allocation endpointslice externaljwt kms kube-aggregator kube-controller-manager kube-proxy \
    kube-scheduler kubectl kubelet metrics mount-utils pod-security-admission sample-apiserver sample-cli-plugin sample-controller; do
    echo "replace k8s.io/$module => k8s.io/$module v0.${kubernetes#1.}"
  done
} >go.mod
program() { # name, packages, what it does
  mkdir -p "$1"
  printf 'package main\nimport (\n%s\n)\nfunc main() { %s }\n' "$2" "$3" >"$1/main.go"
}
command='"os"
"k8s.io/component-base/cli"'
program etcd '"os"
"go.etcd.io/etcd/server/v3/etcdmain"' 'etcdmain.Main(os.Args)'
program kube-apiserver "$command
\"k8s.io/kubernetes/cmd/kube-apiserver/app\"" 'os.Exit(cli.Run(app.NewAPIServerCommand()))'
program kube-controller-manager "$command
\"k8s.io/kubernetes/cmd/kube-controller-manager/app\"" 'os.Exit(cli.Run(app.NewControllerManagerCommand()))'
program kubectl "$command
\"k8s.io/kubectl/pkg/cmd\"" 'os.Exit(cli.Run(cmd.NewDefaultKubectlCommand()))'
go mod tidy
version=k8s.io/component-base/version # Helm asks for it
go build -ldflags "-X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=34" \
  -o bin/ ./etcd ./kube-apiserver ./kube-controller-manager ./kubectl
GOBIN=$PWD/bin go install helm.sh/helm/v3/cmd/helm@v$helm
printf '%s\n' "$versions" >bin/versions
