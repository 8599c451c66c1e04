#!/usr/bin/env bats
# partition_grids and partition_copies: the thesis's examples, their output, and what they refuse.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    scratch=$BATS_TEST_TMPDIR
}

# Runs a program for one repetition; CSV in $output, the rest in $stderr.
run_apart() {
    status=0
    output=$("$bin/$1" --csv -n 1 -w 0 "${@:2}" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

# The values of columns $1 (with commas) in the rows of $output where column $2 is $3, $4 is $5, ...: one line per row.
columns() {
    awk -F, -v names="$1" -v where="${*:2}" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; n = split(where, w, " "); m = split(names, name, ",") }
        NR > 1 {
            for (i = 1; i < n; i += 2) if ($place[w[i]] != w[i + 1]) next
            for (i = 1; i <= m; i++) printf "%s%s", $place[name[i]], i < m ? " " : "\n"
        }' <<<"$output"
}

# ---- partition_grids ----

@test "grids: four blocks of three threads on two devices begin at threads 0 and 6" {
    run_apart partition_grids --grids 4x1x1@3x1x1/2/x
    [ "$status" -eq 0 ]
    [ "$(columns part,device,size_x,offset_x dims x)" = $'0 0 2 0\n1 1 2 6' ]
}

@test "grids: the default list passes, with both rules for two dimensions" {
    run_apart partition_grids
    [ "$status" -eq 0 ]
    [ "$(columns errors | sort -u)" = 0 ]
    [ "$(columns size_x,size_y,offset_x,offset_y dims xy devices 16 grid_x 16 rule even part 5)" = "4 4 128 128" ]
    [ "$(columns size_x,size_y,offset_x,offset_y dims xy devices 16 grid_x 16 rule thesis part 15)" = "8 2 256 448" ]
    [ "$(columns offset_y,size_y dims y devices 3 grid_x 32)" = $'0 11\n352 11\n704 10' ]
    [ "$(columns part,refused dims xyz rule even)" = "-1 1" ]
}

@test "grids: what the thesis's rule cannot cut is refused with a reason, and cut by the even rule" {
    run_apart partition_grids --grids 1x16x1@32x32x1/4/xy,16x16x1@32x32x1/7/xy
    [ "$status" -eq 0 ]
    [ "$(columns refused rule thesis)" = $'1\n1' ]
    [ "$(columns refused rule even | sort -u)" = 0 ]
    [ "$(columns part rule even | wc -l)" -eq 11 ]
    [[ $stderr == *"fewer than 2 blocks"* ]]
    [[ $stderr == *"7 devices are no product"* ]]
}

@test "grids: wrong lists are refused before anything is measured" {
    for list in 4x4@1/2/x 4x4x4@1x1x1/99/x 4x4x4@1x1x1/0/x 0x4x4@1x1x1/2/x 4x4x4@1x1x1/2 4x4x4@1x1x1/2/xtail9 \
        4x4x4@1x1x1/2/x,oops -1x4x4@1x1x1/2/x; do
        run_apart partition_grids "--grids=$list"
        [ "$status" -eq 1 ]
        [[ $stderr == *"--grids"* ]]
        [ -z "$(columns part)" ]
    done
}

# ---- partition_copies ----

@test "copies: the worked example's intervals and both halos" {
    run_apart partition_copies --cases islpy
    [ "$status" -eq 0 ]
    [ "$(columns begin,end_element kind read launch 0 part 1)" = $'481 511\n512 992\n993 1023' ]
    [ "$(columns begin,end_element kind read launch 0 part 0)" = $'1 31\n32 512\n513 543' ]
    [ "$(columns from,to,begin,end_element mode last-writer kind copy)" = $'1 0 513 543\n0 1 481 511' ]
}

@test "copies: six elements: no foreign read on one device, one on each of two" {
    run_apart partition_copies --cases fig8,fig9
    [ "$status" -eq 0 ]
    [ "$(columns foreign_reads case fig8 kind foreign | sort -u)" = 0 ]
    [ "$(columns part,foreign_reads,stale_reads case fig9 kind foreign mode none)" = $'0 1 1\n1 1 1' ]
    [ "$(columns stale_reads case fig9 kind foreign mode last-writer | sort -u)" = 0 ]
    [ "$(columns from,to,begin,end_element case fig9 kind stale)" = $'1 0 3 4\n0 1 2 3' ]
}

@test "copies: windows of a mesh need the last writer of each element" {
    run_apart partition_copies --cases fig10
    [ "$status" -eq 0 ]
    [ "$(columns stale_reads kind foreign mode omega | sort -u)" = 0 ]
    [ "$(columns from,to,begin,end_element kind stale mode last-writer)" = $'2 1 24 25\n1 2 23 24' ]
    [ "$(columns begin,end_element kind gather mode last-writer)" = $'8 12\n12 20' ]
    [ "$(columns begin,end_element kind gather mode omega)" = $'2 12\n12 24\n24 34' ]
    [ "$(columns begin,end_element kind owner)" = $'2 12\n12 24\n24 34' ]
}

@test "copies: the halo of 6 x 6 elements, exactly and in whole rows" {
    run_apart partition_copies --cases fig20
    [ "$status" -eq 0 ]
    [ "$(columns from,to,begin,end_element kind copy mode omega)" = $'1 0 19 23\n0 1 13 17' ]
    [ "$(columns from,to,begin,end_element kind copy-rows mode omega)" = $'1 0 18 24\n0 1 12 18' ]
    [ "$(columns begin,end_element kind write launch 0 part 0)" = $'7 11\n13 17' ]
}

@test "copies: unknown examples and missing or broken data bases are refused" {
    run_apart partition_copies --cases fig8,fig99
    [ "$status" -eq 1 ]
    [[ $stderr == *"unknown example 'fig99'; choose from fig8"* ]]
    run_apart partition_copies --cases fig8 --modules "$scratch/none"
    [ "$status" -eq 1 ]
    [[ $stderr == *"cross.db"* ]]
    mkdir "$scratch/broken"
    echo nonsense >"$scratch/broken/cross.db"
    run_apart partition_copies --cases fig8 --modules "$scratch/broken"
    [ "$status" -eq 1 ]
    [[ $stderr == *"cross.db"* ]]
    printf 'datamotion-partition 1\n' >"$scratch/broken/cross.db"
    run_apart partition_copies --cases fig8 --modules "$scratch/broken"
    [ "$status" -eq 1 ]
    [[ $stderr == *"it is not in the data base"* ]]
}
