import type { HostCheck } from '../host-check.ts'

/** Drivers are looked at and never installed: that takes reboots, and keys of secure boot. */
export const gpuChecks: readonly HostCheck[] = [
  {
    id: 'gpu-driver',
    words: 'the driver of NVIDIA is loaded and sees a GPU',
    probe: `
[ -r /proc/driver/nvidia/version ] || failed "the driver is not loaded: install it, then reboot"
has nvidia-smi || failed "nvidia-smi is not installed"
gpus=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader) || failed "nvidia-smi: $gpus"
[ -n "$gpus" ] || failed "nvidia-smi lists no GPU"
passed "$gpus"`,
  },
  {
    id: 'gpu-toolkit',
    words: 'the container toolkit of NVIDIA is installed',
    probe: `
has nvidia-ctk || failed "nvidia-ctk is not installed: install nvidia-container-toolkit"
passed "$(nvidia-ctk --version | head -n1)"`,
  },
  {
    id: 'gpu-runtime',
    words: 'containerd has the runtime nvidia, and not as its default',
    probe: `
files=$(grep -lsE 'runtimes[.]"?nvidia"?[].]' /etc/containerd/conf.d/*.toml || true)
[ -n "$files" ] || failed "no file of /etc/containerd/conf.d has it: nvidia-ctk runtime configure --runtime=containerd --config-source=file"
while read -r file; do
  if grep -qE 'default_runtime_name[[:space:]]*=[[:space:]]*["'"'"']nvidia' "$file"; then failed "$file makes it the default"; fi
done <<<"$files"
passed "$files"`,
  },
]
