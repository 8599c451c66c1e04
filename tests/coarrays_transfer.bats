# coarrays/caf: allocation and transfers between all pairs of images, on every path of data and with every way of sections.

load helper

setup() {
    need_program caf_transfer_ranks_test
    unset "${!CAF_@}"
    # MPI does not free all of its own memory.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
}

# transfers IMAGES [NAME=VALUE...]: every check of caf_transfer_ranks_test passes.
transfers() {
    ranks "$1" env "${@:2}" "$tests/caf_transfer_ranks_test"
    all_checks 7
}

# allocates SCENARIO CHECKS IMAGES [NAME=VALUE...]
allocates() {
    ranks "$3" env "${@:4}" "$tests/caf_memory_ranks_test" "$1"
    all_checks "$2"
}

# all_pass_on_hosts CHECKS IMAGES PROGRAM...: on a virtual cluster of two hosts.
all_pass_on_hosts() {
    ranks_on_hosts 2 "${@:2}"
    all_checks "$1"
}

@test "transfers by loads and stores: 1 image" {
    transfers 1
}

@test "transfers by loads and stores: 2 images" {
    transfers 2
}

@test "puts of elements far apart lie packed until somebody needs the memory, and nobody notices" {
    for images in 3 5; do
        ranks "$images" "$tests/caf_parcel_ranks_test"
        all_checks 10
    done
    ranks 3 env CAF_PARCELS=0 "$tests/caf_parcel_ranks_test"
    all_checks 10
}

@test "references as procedures: 4 images on two nodes" {
    all_pass_on_hosts 11 4 "$tests/caf_access_ranks_test"
}

@test "transfers by loads and stores: 3 images, every range checked" {
    transfers 3 CAF_DEBUG=1
}

@test "transfers by loads and stores: 8 images" {
    transfers 8
}

@test "transfers by RMA, sections packed: 1, 2 and 4 images" {
    for images in 1 2 4; do
        transfers "$images" CAF_PATH=rma CAF_TRANSFER=block
    done
}

@test "transfers by RMA, sections packed, every range checked" {
    transfers 2 CAF_PATH=rma CAF_DEBUG=1
}

@test "transfers by RMA, sections as derived datatypes: 2 and 3 images" {
    for images in 2 3; do
        transfers "$images" CAF_PATH=rma CAF_TRANSFER=datatype
    done
}

@test "transfers by RMA, a call for each element" {
    transfers 2 CAF_PATH=rma CAF_TRANSFER=element
}

@test "transfers by RMA over UCX" {
    "${MPIRUN:-mpirun}" --version | grep -q 'Open MPI' || skip "only Open MPI has components to choose"
    for transfer in block datatype; do
        OMPI_MCA_osc=sm,ucx transfers 2 CAF_PATH=rma CAF_TRANSFER=$transfer
    done
}

@test "transfers within and between two hosts" {
    all_pass_on_hosts 7 4 "$tests/caf_transfer_ranks_test"
}

@test "transfers between two hosts, sections as derived datatypes" {
    CAF_TRANSFER=datatype all_pass_on_hosts 7 3 "$tests/caf_transfer_ranks_test"
}

@test "transfers between two hosts, a call for each element" {
    CAF_TRANSFER=element all_pass_on_hosts 7 2 "$tests/caf_transfer_ranks_test"
}

@test "allocation in any order, and what no image gets" {
    for images in 1 2 4; do
        allocates all 8 "$images"
    done
}

@test "allocation with windows" {
    allocates all 8 3 CAF_PATH=rma
}

@test "allocation when one image has a limit of its own" {
    allocates limit 2 2
    allocates limit 2 4 CAF_PATH=rma
}

@test "allocation when an image has stopped" {
    allocates stopped 1 2
    allocates stopped 1 4
}

@test "allocation on two hosts" {
    all_pass_on_hosts 8 3 "$tests/caf_memory_ranks_test" all 400
    all_pass_on_hosts 2 3 "$tests/caf_memory_ranks_test" limit 400
    all_pass_on_hosts 1 3 "$tests/caf_memory_ranks_test" stopped
}
