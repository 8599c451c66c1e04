# partition_calls: what of CUDA's driver API a program gets from libpartition.so.

load helper

# Which of the calls $1 (with commas) are replaced: 0 or 1 each, in order.
replaced() {
    run_apart "$bin/partition_calls" "${once[@]}" --modules "$bin/../partition" --calls "$1" >&2
    column replaced | paste -sd ' '
}

@test "calls: memory, copies and launches are replaced" {
    [ "$(replaced cuMemAlloc_v2,cuMemcpyHtoD_v2,cuMemcpyDtoH_v2,cuLaunchKernel,cuMemFree_v2)" = "1 1 1 1 1" ]
}

@test "calls: what only asks a device reaches CUDA, as does a name that nobody has" {
    [ "$(replaced cuInit,cuDeviceGetName,cuNoSuchCall)" = "0 0 0" ]
}

@test "calls: a folder without the library is an error that names the file" {
    refuses "$scratch/libpartition.so" "$bin/partition_calls" --modules "$scratch"
}
