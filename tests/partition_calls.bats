#!/usr/bin/env bats
# partition_calls: what of CUDA's driver API a program gets from libpartition.so.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    modules=$bin/../partition
}

# Which of the calls $1 (with commas) are replaced: 0 or 1 each, in order.
replaced() {
    "$bin/partition_calls" --csv -n 1 -w 0 --modules "$modules" --calls "$1" 2>/dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i } NR > 1 { printf "%s%s", (NR > 2 ? " " : ""), $place["replaced"] }'
}

@test "calls: memory, copies and launches are replaced" {
    [ "$(replaced cuMemAlloc_v2,cuMemcpyHtoD_v2,cuMemcpyDtoH_v2,cuLaunchKernel,cuMemFree_v2)" = "1 1 1 1 1" ]
}

@test "calls: what only asks a device reaches CUDA, as does a name that nobody has" {
    [ "$(replaced cuInit,cuDeviceGetName,cuNoSuchCall)" = "0 0 0" ]
}

@test "calls: a folder without the library is an error that names the file" {
    run "$bin/partition_calls" --csv -n 1 -w 0 --modules "$BATS_TEST_TMPDIR"
    [ "$status" -eq 1 ]
    [[ $output == *"$BATS_TEST_TMPDIR/libpartition.so"* ]]
}
