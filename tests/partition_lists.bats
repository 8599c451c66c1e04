# partition_grids and partition_copies: the thesis's examples, their output, and what they refuse.

load helper

# Runs a program for one repetition.
list() {
    run_apart "$bin/$1" "${once[@]}" "${@:2}"
    [ "$status" -eq 0 ]
}

# The values of columns $1 (with commas) in the rows where column $2 is $3, $4 is $5, ...: one line per row.
where() {
    local names=$1 condition=1
    shift
    while [ $# -gt 0 ]; do
        condition+=" && c[\"$1\"] == \"$2\""
        shift 2
    done
    paste -d ' ' $(for name in ${names//,/ }; do cells "$name" "$condition" >"$scratch/$name" && echo "$scratch/$name"; done)
}

# ---- partition_grids ----

@test "grids: four blocks of three threads on two devices begin at threads 0 and 6" {
    list partition_grids --grids 4x1x1@3x1x1/2/x
    [ "$(where part,device,size_x,offset_x dims x)" = $'0 0 2 0\n1 1 2 6' ]
}

@test "grids: the default list passes, with both rules for two dimensions" {
    list partition_grids
    [ "$(where errors | sort -u)" = 0 ]
    [ "$(where size_x,size_y,offset_x,offset_y dims xy devices 16 grid_x 16 rule even part 5)" = "4 4 128 128" ]
    [ "$(where size_x,size_y,offset_x,offset_y dims xy devices 16 grid_x 16 rule thesis part 15)" = "8 2 256 448" ]
    [ "$(where offset_y,size_y dims y devices 3 grid_x 32)" = $'0 11\n352 11\n704 10' ]
    [ "$(where part,refused dims xyz rule even)" = "-1 1" ]
}

@test "grids: what the thesis's rule cannot cut is refused with a reason, and cut by the even rule" {
    list partition_grids --grids 1x16x1@32x32x1/4/xy,16x16x1@32x32x1/7/xy
    [ "$(where refused rule thesis)" = $'1\n1' ]
    [ "$(where refused rule even | sort -u)" = 0 ]
    [ "$(where part rule even | wc -l)" -eq 11 ]
    [[ $stderr == *"fewer than 2 blocks"* ]]
    [[ $stderr == *"7 devices are no product"* ]]
}

@test "grids: wrong lists are refused before anything is measured" {
    for list in 4x4@1/2/x 4x4x4@1x1x1/99/x 4x4x4@1x1x1/0/x 0x4x4@1x1x1/2/x 4x4x4@1x1x1/2 4x4x4@1x1x1/2/xtail9 \
        4x4x4@1x1x1/2/x,oops -1x4x4@1x1x1/2/x; do
        refuses "--grids" "$bin/partition_grids" "${once[@]:0:4}" "--grids=$list"
    done
}

# ---- partition_copies ----

@test "copies: the worked example's intervals and both halos" {
    list partition_copies --cases islpy
    [ "$(where begin,end_element kind read launch 0 part 1)" = $'481 511\n512 992\n993 1023' ]
    [ "$(where begin,end_element kind read launch 0 part 0)" = $'1 31\n32 512\n513 543' ]
    [ "$(where from,to,begin,end_element mode last-writer kind copy)" = $'1 0 513 543\n0 1 481 511' ]
}

@test "copies: six elements: no foreign read on one device, one on each of two" {
    list partition_copies --cases fig8,fig9
    [ "$(where foreign_reads case fig8 kind foreign | sort -u)" = 0 ]
    [ "$(where part,foreign_reads,stale_reads case fig9 kind foreign mode none)" = $'0 1 1\n1 1 1' ]
    [ "$(where stale_reads case fig9 kind foreign mode last-writer | sort -u)" = 0 ]
    [ "$(where from,to,begin,end_element case fig9 kind stale)" = $'1 0 3 4\n0 1 2 3' ]
}

@test "copies: windows of a mesh need the last writer of each element" {
    list partition_copies --cases fig10
    [ "$(where stale_reads kind foreign mode omega | sort -u)" = 0 ]
    [ "$(where from,to,begin,end_element kind stale mode last-writer)" = $'2 1 24 25\n1 2 23 24' ]
    [ "$(where begin,end_element kind gather mode last-writer)" = $'8 12\n12 20' ]
    [ "$(where begin,end_element kind gather mode omega)" = $'2 12\n12 24\n24 34' ]
    [ "$(where begin,end_element kind owner)" = $'2 12\n12 24\n24 34' ]
}

@test "copies: the halo of 6 x 6 elements, exactly and in whole rows" {
    list partition_copies --cases fig20
    [ "$(where from,to,begin,end_element kind copy mode omega)" = $'1 0 19 23\n0 1 13 17' ]
    [ "$(where from,to,begin,end_element kind copy-rows mode omega)" = $'1 0 18 24\n0 1 12 18' ]
    [ "$(where begin,end_element kind write launch 0 part 0)" = $'7 11\n13 17' ]
}

@test "copies: unknown examples and missing or broken data bases are refused" {
    refuses "unknown example 'fig99'; choose from fig8, fig9" "$bin/partition_copies" --cases fig8,fig99
    fig8=("$bin/partition_copies" --cases fig8 --modules)
    refuses cross.db "${fig8[@]}" "$scratch/none"
    mkdir "$scratch/broken"
    echo nonsense >"$scratch/broken/cross.db"
    refuses cross.db "${fig8[@]}" "$scratch/broken"
    printf 'datamotion-partition 1\n' >"$scratch/broken/cross.db"
    refuses "it is not in the data base" "${fig8[@]}" "$scratch/broken"
}
