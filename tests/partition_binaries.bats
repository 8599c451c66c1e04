# partition_binaries: how it starts programs and what it makes of their results; scripts stand for programs that nvcc
# built, and for what libpartition.so does with them. tests/partition_programs.bats runs real ones.
load helper

setup() {
    [ "${GPU:-soft}" = soft ] || skip "scripts stand for the programs"
}

# program NAME: a script from stdin; LD_PRELOAD of a missing file only makes ld.so speak.
program() {
    { echo '#!/bin/bash'; cat; } >"$scratch/$1"
    chmod +x "$scratch/$1"
}

measure() {
    TMPDIR=$scratch SOFTGPU_DEVICES=2 run_apart "$bin/partition_binaries" --folder "$scratch" --library "$scratch/none.so" "$@" -n 2 -w 0 --csv
}

statistics='[ -z "$PARTITION_DEVICES" ] || echo "launches 7 one_device 1 d2d_bytes 4096" | tr " " "\n" | paste - - | tr "\t" " " >"$PARTITION_STATISTICS"'

@test "a program as it is and on several devices: bits, times, statistics, arguments" {
    program good <<<"$statistics"'
        echo "a line before"; echo "good 00000000000000ff 0.${1}5"'
    measure --programs good:2:30 --devices 1,2
    [ "$status" -eq 0 ]
    [ "$(values status)" = pass ]
    [ "$(cells time_s | sort -u)" = 0.25 ]
    [ "$(values arguments)" = "2 30" ]
    [ "$(column launches partitioned devices 2 | sort -u)" = 7 ]
    [ "$(column one_device partitioned devices 2 | sort -u)" = 1 ]
    [ "$(column d2d_bytes partitioned devices 1 | sort -u)" = 4096 ]
    [ -z "$(column launches original | tr -d '\n')" ]
    [ "$(column different partitioned | sort -u)" = 0 ]
    [[ $stderr == *"good on 2 devices: 1 of 7 launches ran on one device"* ]]
}

@test "other bits on two devices are an error of these rows alone" {
    program other <<<"$statistics"'
        [ "$PARTITION_DEVICES" = 2 ] && echo "other fe 0.5" || echo "other ff 0.5"'
    measure --programs other --devices 1,2
    [ "$status" -eq 1 ]
    [ "$(column status partitioned devices 2 | sort -u)" = fail ]
    [ "$(column different partitioned devices 2 | sort -u)" = 1 ]
    [ "$(column status partitioned devices 1 | sort -u)" = pass ]
    [ "$(column status original | sort -u)" = pass ]
}

@test "programs that fail, hang, say nothing or leave no statistics are told with their words" {
    program fails <<<'echo "cudaMalloc: out of memory" >&2; exit 1'
    program hangs <<<'sleep 60'
    program silent <<<'echo done'
    program blind <<<'echo "blind ff 0.5"'
    measure --programs fails --devices 1
    [ "$status" -eq 1 ]
    [[ $stderr == *"fails"*"failed (as it is): cudaMalloc: out of memory"* ]]
    measure --programs hangs --devices 1 --limit 1
    [ "$status" -eq 1 ]
    [[ $stderr == *"hangs"*"reached its time limit"* ]]
    measure --programs silent --devices 1
    [ "$status" -eq 1 ]
    [[ $stderr == *"silent"*"does not end with its name, a checksum and a time: done"* ]]
    measure --programs blind --devices 1
    [ "$status" -eq 1 ]
    [[ $stderr == *"libpartition.so left no statistics"* ]]
    measure --programs absent --devices 1
    [ "$status" -eq 1 ]
    [[ $stderr == *"absent is not there: make partition GPU=cuda builds it"* ]]
    [ -z "$(find "$scratch" -name 'datamotion.*')" ]
}

@test "devices that are not there are waived; words that mean nothing end with one sentence" {
    program good <<<"$statistics"'
        echo "good ff 0.5"'
    measure --programs good --devices 1,4
    [ "$status" -eq 0 ]
    [ "$(values status)" = "waived pass" ] || [ "$(values status)" = "pass waived" ]
    refuses_all <<'TABLE'
partition_binaries|--programs ../good|is not name[:argument...]
partition_binaries|--programs :1|is not name[:argument...]
partition_binaries|--programs good:x|arguments are whole numbers
partition_binaries|--devices 0|must be within 1..64
partition_binaries|--limit 0|must be from 1
TABLE
}
