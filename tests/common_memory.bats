# common/: programs that ask how a GPU reads memory and branches, and what they refuse.

load helper

@test "bad options of the programs end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
common_access|-s 32K|a power of two from 64K to 8G
common_access|-s 100000|a power of two from 64K to 8G
common_access|-s 16G|a power of two from 64K to 8G
common_channels|-s 256|a power of two from 512 to 256M lines
common_channels|-s 1000|a power of two from 512 to 256M lines
common_channels|-s 512 --array 100K|a power of two
common_channels|-s 512 --array 32K|with room for 512 lines
common_channels|-s 512 --array 512G|at most 256G
common_channels|-s 512 --array 1M --sizes 128|stride 128
common_channels|-s 512 --array 1M --sizes 300|stride 300
common_channels|-s 512 --array 1M --sizes 2M|stride 2097152
common_divergence|-s 100|a multiple of 256 threads
common_divergence|-s 4G|at most 2^30
common_divergence|--steps 0|out of range
TABLE
}

@test "common_access reads each element in three orders, and has the triad" {
    run_apart "$bin/common_access" -s 64K "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(columns variant element_bytes errors | sort)" = "$(
        printf '%s\n' 'coalesced '{16,4,8}' 0' 'random '{16,4,8}' 0' 'strided '{16,4,8}' 0' 'triad 8 0'
    )" ]
    run_apart "$bin/common_access" -s 64K "${once[@]}" --variants strided
    [ "$(columns variant element_bytes)" = $'strided 4\nstrided 8\nstrided 16' ]
}

@test "common_access counts the bytes that it asks for" {
    run_apart "$bin/common_access" -s 64K "${once[@]}"
    columns variant bandwidth_gbs time_s | awk '
        { bytes = $1 == "triad" ? 3 * 65536 : 65536; share = $2 * $3 * 1e9 / bytes }
        share < 0.999 || share > 1.001 { print; bad = 1 } END { exit bad || NR != 10 }'
}

@test "common_channels reads as many lines at equal distances as spread" {
    run_apart "$bin/common_channels" -s 1K --array 1M --sizes 256,64K,1M "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(columns variant stride_bytes lines errors)" = "$(
        printf '%s 1024 0\n' {strided,spread}' 256' {strided,spread}' 65536' {strided,spread}' 1048576'
    )" ]
}

@test "common_divergence takes from 1 to 32 branches per warp" {
    run_apart "$bin/common_divergence" -s 1K --steps 7 "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(columns paths threads steps errors)" = "$(printf '%s 1024 7 0\n' 1 2 4 8 16 32)" ]
}

@test "common_machine says what a program has to know of the GPU" {
    run_apart "$bin/common_machine" --csv
    [ "$status" -eq 0 ]
    [ "$(columns sheet name | grep -c '^gpu ')" -eq 3 ]
    [ "$(columns sheet name specification | grep -cE '^gpu Threads per warp [0-9]+$')" -eq 1 ]
    [ "$(columns sheet name specification | grep -cE '^gpu Memory shared with the CPU (yes|no)$')" -eq 1 ]
    [ "$(columns sheet name specification | grep -cE '^gpu PCIe link (none|not told by the system|[0-9.]+ GB/s \([0-9]+ lanes of [0-9.]+ GT/s\))$')" -eq 1 ]
}

@test "common_machine knows the nodes of a job of Slurm or PBS" {
    printf 'n1\nn1\nn2\nn3\nn3\n' >"$scratch/nodes"
    SLURM_JOB_NUM_NODES=7 run_apart "$bin/common_machine" --csv
    [ "$(cells specification 'c["name"] == "Nodes of this job"')" = 7 ]
    unset SLURM_JOB_NUM_NODES
    PBS_NODEFILE=$scratch/nodes run_apart "$bin/common_machine" --csv
    [ "$(cells specification 'c["name"] == "Nodes of this job"')" = 3 ]
    PBS_NODEFILE=$scratch/none run_apart "$bin/common_machine" --csv
    [ "$(cells specification 'c["name"] == "Nodes of this job"')" = 1 ]
}
