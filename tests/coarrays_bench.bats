# coarrays/: the programs that measure transfers, synchronisation and halos: their rows, their checks, and what they refuse.

load helper

setup() {
    need_program coarrays_transfer
    kernels=$bin/../lib/coarrays
}

once=(-n 1 -w 0 --csv -q)

# on RANKS PROGRAM OPTIONS...: as ranks, with the rows of what is waived in $waived.
on() {
    ranks "$1" "$bin/$2" "${@:3}"
    set_waived_aside
}

# on_hosts HOSTS RANKS PROGRAM OPTIONS...: the same on the virtual cluster.
on_hosts() {
    ranks_on_hosts "$1" "$2" "$bin/$3" "${@:4}"
    set_waived_aside
}

# has_all NAME...: the variants measured are those, as far as gfortran and OpenCoarrays were there when building.
has_all() {
    local name expected=()
    for name in "$@"; do
        case $name in
        datamotion-c | memcpy | mpi-c) ;;
        *) [ -e "$kernels/kernels_$name.so" ] || continue ;;
        esac
        expected+=("$name")
    done
    [ "$(values variant)" = "${expected[*]}" ]
}

transfer_variants=(datamotion datamotion-c opencoarrays libcaf-mpi element mpi memcpy ucx)
halo_variants=(datamotion datamotion-c opencoarrays libcaf-mpi element mpi mpi-c)
sync_variants=(datamotion datamotion-c opencoarrays mpi)

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
coarrays_transfer|--strides 0|the numbers must be within 1..
coarrays_transfer|--strides 2,-1|the numbers must be within 1..
coarrays_transfer|--strides 2;3|not a list of whole numbers
coarrays_transfer|--strides=|has an empty entry
coarrays_transfer|--strides 1,,2|has an empty entry
coarrays_transfer|--strides 99999999999999999999|not a list of whole numbers
coarrays_transfer|--operations put,push|unknown operation 'push'; choose from put, get
coarrays_transfer|--operations=|has an empty entry
coarrays_transfer|--partners both|unknown partners 'both'; choose from single, multi
coarrays_transfer||mpirun -np 2
coarrays_sync|--operations sync-all,sync-some|unknown operation 'sync-some'; choose from sync-all
coarrays_sync||mpirun -np 2
coarrays_halo|--layouts row|unknown layout 'row'; choose from rows, grid
coarrays_halo||mpirun -np 2
coarrays_onesided||needs 2 or more images
coarrays_collective||needs 2 or more images
coarrays_collective|--operations max|unknown operation 'max'; choose from sum, broadcast, barrier
coarrays_polling|--sizes 0|a size must be at least 1
coarrays_transfer|--sizes 0|a size must be at least 1
coarrays_halo|--sizes 0|a size must be at least 1
coarrays_onesided|--sizes 0|a size must be at least 1
coarrays_polling|--sizes 2G|at most 1G
TABLE
}

@test "what all images see is one sentence, and the job ends" {
    ranks_refuse_all <<'TABLE'
2|coarrays_transfer|--sizes 1G|too large
2|coarrays_transfer|--sizes 128M --strides 1048576|choose smaller sizes
3|coarrays_transfer|--partners multi|an even number
2|coarrays_halo|--sizes 64K|an edge of 65536 elements is too large: the largest is 32768
2|coarrays_halo|--sizes 32K|choose smaller sizes
2|coarrays_onesided|--sizes 2G|a block of 2147483648 bytes is too large
2|coarrays_collective|--sizes 12|a multiple of 8
TABLE
}

@test "each program explains itself" {
    for program in transfer sync halo; do
        "$bin/coarrays_$program" -h | grep -q 'mpirun -np IMAGES'
        "$bin/coarrays_$program" -l | grep -q 'OpenCoarrays'
    done
    "$bin/coarrays_transfer" -l | grep 'element' | grep -q 'emulates'
}

@test "transfers: every variant, operation and stride comes right" {
    on 2 coarrays_transfer --sizes 1,7,1000 --strides 1,3 "${once[@]}"
    all_right $((12 * $(values variant | wc -w)))
    has_all "${transfer_variants[@]}"
    [ "$(values operation)" = "put get" ]
    [ "$(values elements)" = "1 7 1000" ]
    [ "$(values stride)" = "1 3" ]
    holds 'c["partners"] == "single" && c["nodes"] == 1'
    holds 'c["bandwidth_gbs"] * c["time_s"] > 7.99e-9 * c["elements"] && c["bandwidth_gbs"] * c["time_s"] < 8.01e-9 * c["elements"]'
}

@test "transfers: with four images, one pair and two pairs" {
    on 4 coarrays_transfer --sizes 3,500 --strides 1,2 --partners single,multi "${once[@]}"
    all_right
    has_all "${transfer_variants[@]}"
    [ "$(values partners)" = "single multi" ]
}

@test "transfers: an odd number of images works with one pair" {
    on 3 coarrays_transfer --sizes 100 --strides 1,2 "${once[@]}"
    all_right
    has_all "${transfer_variants[@]}"
}

@test "transfers: a variant that takes too long is left out from there on, and says so" {
    on 2 coarrays_transfer --variants datamotion-c --operations put --sizes 1,4,2 --longest 0 -n 1 -w 0 --csv
    all_right
    [ "$(values elements)" = "1" ]
    [ "$(wc -l <<<"$waived")" -eq 1 ]
    [[ $stderr == *"more than 1 elements are left out"*"--longest"* ]]
}

@test "synchronisation: every operation of every variant works" {
    for images in 2 3; do
        on "$images" coarrays_sync "${once[@]}"
        all_right
        has_all "${sync_variants[@]}"
        [ "$(values operation 'c["variant"] == "datamotion-c"')" = "sync-all sync-images-pair sync-images-ring event lock critical atomic-add fetch-add co-sum co-broadcast allocate" ]
        # Only OpenCoarrays may lack something, and between nodes there is nothing to carry.
        [ ! -e "$kernels/kernels_datamotion.so" ] || ! grep -v -e ',opencoarrays,' -e ',ucx,' <<<"$waived" | grep -q .
    done
}

@test "synchronisation: with four images" {
    on 4 coarrays_sync "${once[@]}"
    all_right
    has_all "${sync_variants[@]}"
    holds 'c["nodes"] == 1'
}

@test "synchronisation: a one-sided component is chosen, and said, only where none is set" {
    "${MPIRUN:-mpirun}" --version | grep -q 'Open MPI) 4' || skip "only Open MPI 4 needs it"
    on 2 coarrays_sync --operations sync-all --variants datamotion-c -n 1 -w 0 --csv
    all_right
    [[ $stderr == *"OMPI_MCA_osc=sm,ucx"* ]]
    OMPI_MCA_osc=sm on 2 coarrays_sync --operations sync-all --variants datamotion-c -n 1 -w 0 --csv
    all_right
    [[ $stderr != *"OMPI_MCA_osc"* ]]
}

@test "halos: every variant and layout comes right, also of the smallest squares" {
    for images in 2 3 4; do
        on "$images" coarrays_halo --sizes 1,2,33 "${once[@]}"
        all_right
        has_all "${halo_variants[@]}"
        [ "$(values grid)" = "1 2 33" ]
        [ "$(values layout)" = "rows grid" ]
        holds 'c["nodes"] == 1'
    done
    # With four images in a grid each sends four halos.
    holds 'c["layout"] != "grid" || c["grid"] != 33 || (c["bandwidth_gbs"] * c["time_s"] > 0.99e-9 * 4 * 33 * 8 && c["bandwidth_gbs"] * c["time_s"] < 1.01e-9 * 4 * 33 * 8)'
}

@test "two nodes: transfers, synchronisation and halos come right" {
    on_hosts 2 2 coarrays_transfer --sizes 1,50 --strides 1,3 "${once[@]}"
    all_right
    has_all "${transfer_variants[@]}"
    holds 'c["nodes"] == 2'
    on_hosts 2 2 coarrays_sync "${once[@]}"
    all_right
    has_all "${sync_variants[@]}" ucx
    on_hosts 2 4 coarrays_halo --sizes 20 "${once[@]}"
    all_right
    has_all "${halo_variants[@]}"
    holds 'c["nodes"] == 2'
}

@test "collective: all operations are right on 3 images, in one piece and in many" {
    on 3 coarrays_collective --sizes 8,40008,600K "${once[@]}"
    all_right
    [ "$(values variant)" = "datamotion-c mpi-c" ]
    [ "$(values operation)" = "sum broadcast barrier" ]
}

@test "onesided: late targets and broadcasts" {
    on 3 coarrays_onesided --sizes 1,1K "${once[@]}"
    all_right
    [ "$(values variant)" = "passive active collective puts" ]
    [ "$(values operation)" = "late broadcast" ]
    # The target of a fence comes when it has computed; nobody waits for that of a put. The machine may stop an image,
    # too, but not in each of five repetitions.
    on 2 coarrays_onesided --sizes 8 --late 0.2 -n 5 -w 0 --csv
    awk '$1 < 0.1 { exit 1 }' <(column time_s active | sort -g | tail -n 1)
    awk '$1 >= 0.1 { exit 1 }' <(column time_s passive | sort -g | head -n 1)
    [ "$(cells variant | grep -cxE '(pass|act)ive')" -eq 10 ]
}

@test "polling: with and without a thread, and with one core" {
    on 1 coarrays_polling --sizes 1K "${once[@]}"
    all_right
    [[ $(values variant) == "none "*"shared" ]]
    run_apart taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$bin/coarrays_polling" --sizes 1K "${once[@]}"
    set_waived_aside
    all_right
    [ "$(values variant)" = "none shared" ]
    [[ $waived == *,spare,* ]]
}
