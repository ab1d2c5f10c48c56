#!/bin/bash
# Keys and certificates of the cluster, made once and kept with its data; argument: the folder.
set -euo pipefail
umask 077
mkdir -p "$1"
cd "$1"

key() { [ -s "$1.key" ] || openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

# NAME SUBJECT [ALTERNATIVE NAMES]
certificate() {
  [ -s "$1.crt" ] && return
  key "$1"
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -out "$1.crt.new" 2> /dev/null \
    -extfile <(printf 'keyUsage=digitalSignature\nextendedKeyUsage=clientAuth,serverAuth\n%s\n' "${3:+subjectAltName=$3}")
  mv "$1.crt.new" "$1.crt"
  rm "$1.csr"
}

# NAME: a kubeconfig with the certificate of that name
kubeconfig() {
  cat > "$1.conf" <<K
apiVersion: v1
kind: Config
clusters: [{name: greenroom, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: $(base64 -w0 ca.crt)}}]
users: [{name: $1, user: {client-certificate-data: $(base64 -w0 "$1.crt"), client-key-data: $(base64 -w0 "$1.key")}}]
contexts: [{name: greenroom, context: {cluster: greenroom, user: $1}}]
current-context: greenroom
K
}

key ca
[ -s ca.crt ] || openssl req -x509 -new -key ca.key -days 3650 -subj /CN=greenroom-ca -out ca.crt
key service-accounts
names=DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local
certificate apiserver /CN=kube-apiserver "$names,IP:127.0.0.1,IP:10.96.0.1"
certificate apiserver-kubelet /O=system:masters/CN=kube-apiserver-kubelet-client
certificate admin /O=system:masters/CN=greenroom-admin
certificate controller-manager /CN=system:kube-controller-manager
certificate scheduler /CN=system:kube-scheduler
certificate proxy /CN=system:kube-proxy
certificate kubelet /O=system:nodes/CN=system:node:greenroom-node
for name in admin controller-manager scheduler proxy kubelet; do kubeconfig "$name"; done
