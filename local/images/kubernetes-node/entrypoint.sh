#!/bin/bash
# Starts the node's processes and keeps them running; all that must outlive the container is under /var/lib/greenroom,
# /var/lib/containerd and /var/lib/kubelet. Environment: DOCKER_IO_MIRROR=1 lets the node's registry stand for docker.io.
set -euo pipefail
state=/var/lib/greenroom pki=/var/lib/greenroom/pki logs=/var/log/greenroom
mkdir -p $state/{etcd,registry,volumes} $logs /run/greenroom
# A new registry begins with the images that an earlier one was given.
if [ -d /registry-images ] && [ -z "$(ls -A $state/registry)" ]; then cp -a /registry-images/. $state/registry/; fi
chown -R 65532:65532 $state/registry

# Volumes of pods are mounted below the node's own mounts; without full privileges /sys starts read-only.
mount --make-rshared /
mount -o remount,rw /sys 2> /dev/null || true
for group in /sys/fs/cgroup /sys/fs/cgroup/*/; do mount -o remount,bind,rw "$group" 2> /dev/null || true; done

# cgroup v2: processes may not stay in a cgroup that hands controllers down.
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
  mkdir -p /sys/fs/cgroup/init
  xargs -rn1 < /sys/fs/cgroup/cgroup.procs > /sys/fs/cgroup/init/cgroup.procs 2> /dev/null || true
  sed 's/^/+/; s/ / +/g' /sys/fs/cgroup/cgroup.controllers > /sys/fs/cgroup/cgroup.subtree_control || true
fi

# Addresses of pods that ended with the last container.
rm -rf /var/lib/cni/networks

cp /etc/greenroom/containerd.toml /etc/containerd/config.toml
bounding=$(awk '/^CapBnd/ { print $2 }' /proc/self/status)
if (((0x$bounding >> 24 & 1) == 0)); then # CAP_SYS_RESOURCE
  sed -i 's/restrict_oom_score_adj = false/restrict_oom_score_adj = true/' /etc/containerd/config.toml
fi

# NAME SERVER: the node's registry answers for NAME; SERVER is asked where it has no answer.
mirror() {
  mkdir -p "/etc/containerd/certs.d/$1"
  printf 'server = "%s"\n[host."http://127.0.0.1:5000"]\n  capabilities = ["pull", "resolve"]\n' "$2" \
    > "/etc/containerd/certs.d/$1/hosts.toml"
}
mirror registry.greenroom-system:5000 http://127.0.0.1:5000
mirror localhost:5000 http://127.0.0.1:5000
if [ "${DOCKER_IO_MIRROR:-}" = 1 ]; then mirror docker.io https://registry-1.docker.io; fi

# NAME COMMAND…: runs it again whenever it ends, until the node stops.
keep() {
  local name=$1
  shift
  (
    until [ -e /run/greenroom/stopping ]; do
      "$@" >> "$logs/$name.log" 2>&1 || true
      sleep 0.5
    done
  ) &
}

stop() {
  touch /run/greenroom/stopping
  pkill -TERM -x kubelet || true
  ctr -n k8s.io tasks list -q | xargs -rn1 ctr -n k8s.io tasks kill -s SIGTERM 2> /dev/null || true
  for _ in $(seq 40); do
    ctr -n k8s.io tasks list | grep -q RUNNING || break
    sleep 0.2
  done
  # The kernel cuts names to 15 characters.
  pkill -TERM 'kube-' || true
  sleep 0.5
  pkill -TERM -x etcd || true
  while pgrep -x etcd > /dev/null; do sleep 0.1; done
  exit 0
}
trap stop TERM INT
rm -f /run/greenroom/stopping

/usr/local/lib/greenroom/pki.sh $pki
keep containerd containerd
keep etcd etcd --data-dir $state/etcd --listen-client-urls http://127.0.0.1:2379 \
  --advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380
keep apiserver kube-apiserver --etcd-servers=http://127.0.0.1:2379 --secure-port=6443 --allow-privileged=true \
  --service-cluster-ip-range=10.96.0.0/16 --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
  --service-account-issuer=https://kubernetes.default.svc.cluster.local \
  --service-account-key-file=$pki/service-accounts.key --service-account-signing-key-file=$pki/service-accounts.key \
  --client-ca-file=$pki/ca.crt --tls-cert-file=$pki/apiserver.crt --tls-private-key-file=$pki/apiserver.key \
  --kubelet-client-certificate=$pki/apiserver-kubelet.crt --kubelet-client-key=$pki/apiserver-kubelet.key \
  --kubelet-preferred-address-types=InternalIP
keep controller-manager kube-controller-manager --kubeconfig=$pki/controller-manager.conf --leader-elect=false \
  --use-service-account-credentials=true --service-account-private-key-file=$pki/service-accounts.key \
  --root-ca-file=$pki/ca.crt --cluster-signing-cert-file=$pki/ca.crt --cluster-signing-key-file=$pki/ca.key \
  --allocate-node-cidrs=true --cluster-cidr=10.244.0.0/16
keep scheduler kube-scheduler --kubeconfig=$pki/scheduler.conf --leader-elect=false
keep proxy kube-proxy --kubeconfig=$pki/proxy.conf --proxy-mode=nftables --cluster-cidr=10.244.0.0/16 \
  --hostname-override=greenroom-node --conntrack-max-per-core=0

until ctr version > /dev/null 2>&1; do sleep 0.1; done
for image in /images/*.tar; do
  ctr -n k8s.io images import "$image" >> $logs/images.log 2>&1
done
until kubectl get --raw /readyz > /dev/null 2>&1; do sleep 0.2; done
keep kubelet kubelet --config=/etc/greenroom/kubelet.yaml --kubeconfig=$pki/kubelet.conf \
  --hostname-override=greenroom-node --cert-dir=/var/lib/kubelet/pki
echo 'greenroom-node: started'
while :; do wait || true; done
