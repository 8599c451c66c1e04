# partition_applications: its rows, what it waives, what it refuses.
load helper

setup() {
    [ "${GPU:-soft}" = soft ] || skip "numbers of devices are those of the software GPU"
    program=$bin/partition_applications
}

# Runs the program for one repetition.
applications() {
    run_apart "$program" "${once[@]}" -q "$@"
    [ "$status" -eq 0 ]
}

# Whether the number $1 is more than $2.
more() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 > b) }'; }

@test "words that mean nothing end with one sentence and nothing is measured" {
    refuses_all <<'TABLE'
partition_applications|--apps nothing|unknown application 'nothing'; choose from matmul
partition_applications|--apps stencil:0|whole numbers from 1 on
partition_applications|--apps stencil:8x|whole numbers from 1 on
partition_applications|--apps stencil:8:2:1|is not name[:n[:iterations]]
partition_applications|--apps stencil,|
partition_applications|--devices 0|within 1..64
partition_applications|--devices two|not a list of whole numbers
partition_applications|--splits w|dimensions are x, y, z
partition_applications|--splits xyxy|dimensions are x, y, z
partition_applications|--htod gather|unknown way to copy from the host 'gather'; choose from scatter, broadcast, lazy
partition_applications|--resolutions most|unknown resolution 'most'; choose from exact, last-writer, none
partition_applications|--resolutions none --htod scatter|broadcast
partition_applications|--access lines|unknown method of access 'lines'; choose from boxes, rows, points
partition_applications|--options half|unknown option 'half'; choose from whole
partition_applications|--options spans+|unknown option ''; choose from whole
partition_applications|--blocks 32x|threads such as 32x8
partition_applications|--blocks 0|threads such as 32x8
partition_applications|--blocks 4x4x4x4|threads such as 32x8
TABLE
}

@test "a directory without modules is an error that names the module" {
    run_apart "$program" --apps stencil:64:1 --modules "$scratch" "${once[@]}"
    [ "$status" -eq 1 ]
    [[ $stderr == *"$scratch"* ]]
}

@test "the original, the partitioned and the hand-written stencil agree bit by bit" {
    applications --apps stencil:100:4 --devices 1,2,3 --htod scatter,broadcast,lazy
    [ "$(column devices original)" = 1 ]
    [ "$(column devices by-hand | tr '\n' ' ')" = "1 2 3 " ]
    [ "$(column devices partitioned | wc -l)" -eq 9 ]
    [ "$(column max_difference | sort -u)" = 0 ]
    [ "$(column one_device partitioned | sort -u)" = 0 ]
    more "$(column d2d_bytes partitioned devices 3 htod scatter)" 0
    [ "$(column htod_bytes "" devices 3 htod broadcast)" -eq $((3 * $(column htod_bytes "" devices 1 htod broadcast))) ]
}

@test "launches and accesses are found once, whatever the number of iterations" {
    applications --apps stencil:64:3,stencil:64:20 --devices 2
    [ "$(column kl_created partitioned | tr '\n' ' ')" = "2 2 " ]
    [ "$(column aa_created partitioned | sort -u | wc -l)" -eq 1 ]
}

@test "without copies between launches elements are stale, and that is no error" {
    applications --apps stencil:64:3,refine:4096:9 --devices 2 --htod broadcast --resolutions exact,last-writer,none
    [ "$(column stale_elements "" resolution exact | sort -u)" = 0 ]
    [ "$(column stale_elements "" app stencil resolution last-writer)" -eq 0 ]
    more "$(column stale_elements "" app refine resolution last-writer)" 0
    more "$(column stale_elements "" app stencil resolution none)" 0
    [ "$(column d2d_bytes "" resolution none | sort -u)" = 0 ]
}

@test "spans and whole reads: more bytes, the same result, times of the spans" {
    applications --apps stencil:64:3 --devices 3 --options -,spans,spans+whole
    [ -z "$(column kernel_s partitioned options -)" ]
    more "$(column kernel_s "" options spans)" 0
    more "$(column d2d_bytes "" options spans+whole)" "$(column d2d_bytes "" options spans)"
    [ "$(column stale_elements "" options spans+whole)" -eq 0 ]
}

@test "what cannot be split says so and is counted" {
    PARTITION_ATOMICS=none run_apart "$program" --apps histogram:1000 --devices 2 "${once[@]}"
    [ "$status" -eq 0 ]
    more "$(column one_device partitioned)" 0
    [[ $stderr == *"histogram on 2 devices: "*"ran on one device: "* ]]
}

@test "devices that are not there are waived, the others measured" {
    SOFTGPU_DEVICES=2 applications --apps matmul:16 --devices 2,3
    [ "$(column status partitioned | tr '\n' ' ')" = "waived pass " ]
    SOFTGPU_DEVICES=0 run_apart "$program" --apps matmul:16 "${once[@]}"
    [ "$status" -eq 2 ]
}
